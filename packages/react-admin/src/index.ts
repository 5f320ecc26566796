/** React-admin's data provider for nestwright's resources. */
export { crudDataProvider } from './crud-provider.js';
export type { CrudDataProvider, CrudDataProviderOptions } from './crud-provider.js';
export { resolveConflicts, type SaveConflict } from './resolve-conflicts.js';
export type { CrudMeta } from '@nestwright/client';
