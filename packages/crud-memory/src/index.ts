/** Records in memory as resources, for tests and prototypes. */
export { MemoryCrudService } from './memory-crud.service.js';
export { MemoryDatabase, type MemoryTransaction } from './memory-database.js';
export type { ColumnDefinition, RelationDefinition, TableDefinition } from './tables.js';
