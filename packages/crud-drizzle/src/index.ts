/** Drizzle's tables as resources. */
export { DrizzleCrudService } from './drizzle-crud.service.js';
export type { ChangeContext, DrizzleServiceOptions } from './drizzle-crud.service.js';
export type { DrizzleDatabase } from './drizzle/database.js';
export { modelOf } from './model.js';
