/** What a write in memory is given, and which records it may act on. */
import { type Catalog, crudError, type Store, type Write, type WriteContext } from '@nestwright/crud/adapter';
import { nameField } from './constraints.js';
import type { MemoryTransaction } from './memory-database.js';
import type { Row } from './values.js';

export type MemoryWriteContext = WriteContext<Store, MemoryTransaction>;
export type MemoryWrite = Write<MemoryWriteContext>;

/** Refuses a record whose version is not the one that the client expects. */
export function requireVersion(
  { version, model }: Catalog,
  expected: number | undefined,
  row: Row,
  path: string,
): void {
  if (!version || expected === undefined || row[version.path] === expected) return;
  const field = nameField(path, version.path);

  throw crudError('CRUD_STALE_VERSION', {
    field,
    message: [`${field} is not the stored one: the ${model} was changed in the meantime`],
  });
}
