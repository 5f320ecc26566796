/** The adapter as the compiler leaves it before it is bundled, with what its caches say of themselves. */
import { cachedBytes as weigh } from '@nestwright/sql';
import { toDatabase } from '../../packages/crud-typeorm/dist/modules/typeorm/database.js';

export { configureCrudDatabase, TypeOrmCrudService } from '../../packages/crud-typeorm/dist/modules/index.js';

/** What is kept for a data source, in bytes, by the caches' own account. */
export const cachedBytes = (dataSource) => weigh(toDatabase(dataSource));
