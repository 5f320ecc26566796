/** The entity tag of a stored record (of its key and all columns), and preconditions on it. */
import {
  hasTag,
  planScope,
  readPathKey,
  reportOutcome,
  requirePreconditions,
  rowTagOf,
} from '@nestwright/crud/adapter';
import { read } from '../select/index.js';
import { isValue, type Key, keyPredicate, readKey } from '../statements/values.js';
import { readOptions, type WriteContext } from '../statements/write-context.js';
import { findRows } from '../statements/find.js';
import { getTable } from '../database/links.js';
import type { Connection, Table } from '../database/database.js';

type Context = Pick<WriteContext, 'catalog' | 'request'>;

/**
 * Notes the tag of a record for the answer, if it has one. Call it before reading the record, so that the tag is never
 * of a later state.
 */
export async function noteTag({ catalog, request }: Context, connection: Connection, key: Key): Promise<void> {
  if (!hasTag(request) || catalog.primary.length === 0) return;

  const row = await readRowTag(connection, getTable(catalog), key, false);
  if (row !== undefined) reportOutcome(request, { row });
}

/**
 * {@link noteTag} for the one record that a read asks for; of none or several, which the read will refuse, nothing is
 * noted.
 */
export async function noteRequestedTag(context: Context, connection: Connection, withDeleted: boolean): Promise<void> {
  const { catalog, request } = context;
  const key = readPathKey(request, catalog) ?? (await soleKey(context, connection, withDeleted));

  if (key) await noteTag(context, connection, key);
}

async function soleKey({ catalog, request }: Context, connection: Connection, withDeleted: boolean) {
  const scope = planScope(request, catalog, { withDeleted });
  const [found, another] = await read({ ...scope, limit: 2 }, connection, readOptions(request));

  return found && !another ? readKey(getTable(catalog), found) : undefined;
}

/**
 * Refuses a write whose locked record does not match the client's preconditions.
 *
 * @throws HttpException 412 `CRUD_PRECONDITION_FAILED`.
 */
export function requireTag({ request }: Context, connection: Connection, table: Table, key: Key) {
  return requirePreconditions(request, () => readRowTag(connection, table, key, true));
}

async function readRowTag(
  connection: Connection,
  table: Table,
  key: Key,
  locked: boolean,
): Promise<string | undefined> {
  const columns = table.columns.filter(({ query }) => !query);
  const { distinctText } = table.database.dialect;
  const where = keyPredicate(table, key);
  const [row] = await findRows(connection, table, columns, distinctText, { where, locked });

  return row && rowTagOf([table.tablePath, ...row.map(printValue)]);
}

function printValue(value: unknown): string | null {
  return isValue(value) ? String(value) : null;
}
