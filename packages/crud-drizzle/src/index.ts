/** Drizzle's tables as resources. */
export { DrizzleCrudService } from './drizzle-crud.service.js';
export type { ChangeContext } from './drizzle-crud.service.js';
export type { DrizzleDatabase } from './drizzle/database.js';
export { type ColumnDescription, describeTable, type TableOptions } from './drizzle/table-options.js';
export { modelOf } from './model.js';
