/** The conformance kit: what any adapter must pass. */
export type { AdapterUnderTest, AnyService, OpenStore, Resource } from './adapter-under-test.js';
export { type Broken, checkAdapter, describeAdapter } from './describe-adapter.js';
export { type ColumnText, TABLE_NAMES, type TableName, TABLES } from './tables.js';
