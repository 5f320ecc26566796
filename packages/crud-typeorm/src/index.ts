/** The TypeORM adapter of nestwright: one service class; everything else is its own. */
export type { TransactionOptions } from './ambient-transactions.js';
export type { ChangeContext } from './typeorm-crud.service.js';
export { configureCrudDatabase, type CrudDatabaseOptions } from './typeorm/database-options.js';
export { TypeOrmCrudService } from './typeorm-crud.service.js';
