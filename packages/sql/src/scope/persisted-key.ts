/** `persist` that names a key column: records with another key are not written. */
import { type Catalog, type CatalogColumn, crudError, readPersistedKey } from '@nestwright/crud/adapter';
import { findRecords } from '../statements/find.js';
import { batches, comparable, type Key, keysPredicate, keyText } from '../statements/values.js';
import type { WriteContext } from '../statements/write-context.js';
import { bindValue, concatSql, joinAll, type Sql, VALUE } from '../select/index.js';
import { columnName } from '../statements/column-sql.js';
import { getColumn, getTable } from '../database/links.js';
import type { Connection } from '../database/database.js';

type KeyContext = Pick<WriteContext, 'catalog' | 'request'>;

/** An entity, and the key columns whose values the application names. */
interface NamedKey {
  readonly catalog: Catalog;
  readonly persistedKey: ReadonlyMap<CatalogColumn, unknown>;
}

/** Whether a record certainly has the key that `persist` names, or `persist` names none. */
export function hasPersistedKey(context: KeyContext, key: Key): boolean {
  return hasKey(readPersisted(context), key);
}

function hasKey(persistedKey: NamedKey['persistedKey'], key: Key): boolean {
  return [...persistedKey].every(([own, value]) => {
    if (value === undefined) return false;
    const text = (one: unknown) => keyText([comparable(getColumn(own), one)]);

    return text(key[own.path]) === text(value);
  });
}

function readPersisted({ catalog, request }: KeyContext): NamedKey['persistedKey'] {
  return readPersistedKey(request.parsed.authPersist as object | undefined, catalog);
}

/** Whether `persist` names a part of the key. */
export function isKeyPersisted(context: KeyContext): boolean {
  return readPersisted(context).size > 0;
}

/** Refuses to write records that have another key than `persist` names, as the columns store it: 400. */
export async function requirePersistedKey(
  context: KeyContext,
  connection: Connection,
  keys: readonly Key[],
): Promise<void> {
  await requireKey(connection, { catalog: context.catalog, persistedKey: readPersisted(context) }, keys, refuseKey);
}

/** Refuses records that have another key than the application names, as the columns store it. */
export async function requireKey(
  connection: Connection,
  { catalog, persistedKey }: NamedKey,
  keys: readonly Key[],
  refuse: () => never,
): Promise<void> {
  const open = keys.filter((key) => !hasKey(persistedKey, key));
  if (open.length === 0) return;

  const table = getTable(catalog);
  const different = writeKeyDifference(persistedKey) ?? refuse();

  for (const some of batches(open)) {
    const where = joinAll([keysPredicate(table, some), different]);
    if ((await findRecords(connection, table, table.primaryColumns, { where })).length > 0) refuse();
  }
}

/** Refuses to create a record under another key than `persist` names: 400. */
export function requireCreatedKey(context: KeyContext, key: Key): void {
  if (!hasPersistedKey(context, key)) refuseKey();
}

function refuseKey(): never {
  throw crudError('CRUD_OUT_OF_SCOPE');
}

/** The condition that a record has another key; undefined if every record has. */
function writeKeyDifference(persisted: ReadonlyMap<CatalogColumn, unknown>): Sql | undefined {
  const differences = [...persisted].map(([own, value]) => {
    const column = getColumn(own);
    const { differs } = column.table.database.dialect;
    const text = value === undefined ? undefined : differs(column, { name: columnName(column), value: VALUE });

    return text === undefined ? undefined : bindValue(comparable(column, value), text);
  });
  const known = differences.filter((difference) => difference !== undefined);

  return known.length === differences.length ? concatSql(known, ' OR ') : undefined;
}
