/** The adapter module by module, as the compiler leaves it before it is bundled: what its caches say of themselves is no part of the package. */
export { configureCrudDatabase, TypeOrmCrudService } from '../../packages/crud-typeorm/dist/modules/index.js';
export { cachedBytes } from '../../packages/sql/dist/modules/lru-cache.js';
