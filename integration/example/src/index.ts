/** What another application of this workspace takes from the example: its platforms, its way to databases, its start. */
export { ANY_JSON } from './any-json.js';
export { idInHeader, type WithHeaders } from './auth/id-in-header.js';
export { bigint, decimalText, now } from './database/column-types.js';
export { openTables, type Tables } from './database/open-tables.js';
export { store, type Stored, times, turn, uuid } from './database/seeding.js';
export { createDocumentedApp, databaseModule, type AppOptions } from './documented-app.js';
export { serve } from './serve.js';
