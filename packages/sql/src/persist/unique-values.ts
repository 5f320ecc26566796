import { requireUnnamed } from '@nestwright/crud/adapter';
import { blamedColumns } from '../errors/blame.js';
import { readFault } from '../errors/fault.js';
import { StatementError } from '../errors/statement-error.js';
import { toCrudError } from '../errors/to-crud-error.js';
import { findRecords } from '../statements/find.js';
import { withoutTransaction } from '../statements/transaction.js';
import { anyEqual, batches, isConstant, type Key, keyText, readKey, readValues } from '../statements/values.js';
import type { WriteContext } from '../statements/write-context.js';
import { getTable } from '../database/links.js';
import { type Column, type Connection, type Entity, isConnection, type Table } from '../database/database.js';

const MAX_RECORDS = 500;

/** Entities by their place in the body. */
type Entities = ReadonlyMap<string, Entity>;

/** The keys of the records that have the values of new ones, by the place of these in the body. */
export async function findByUniqueValues(
  { store: { executor }, catalog }: WriteContext,
  entities: Entities,
  columns: readonly Column[],
): Promise<ReadonlyMap<string, Key>> {
  const table = getTable(catalog);
  const selected = [...new Set([...table.primaryColumns, ...columns])];
  const findAll = (connection: Connection) =>
    matchRecords(columns, withAllValues(entities, columns), (some) => {
      const where = anyEqual(
        columns,
        some.map(({ values }) => values),
      );

      return findRecords(connection, table, selected, { where, locked: false });
    });

  try {
    const records = await (isConnection(executor) ? findAll(executor) : withoutTransaction(executor, findAll));

    return new Map(
      [...records].flatMap(([path, record]) => {
        const key = record && readKey(table, record);

        return key ? [[path, key] as const] : [];
      }),
    );
  } catch (error) {
    throw toCrudError(error, table);
  }
}

/** The records with the values of new ones, by the place of these in the body. */
async function matchRecords(
  columns: readonly Column[],
  all: readonly Valued[],
  find: (some: readonly Valued[]) => Promise<Entity[]>,
): Promise<ReadonlyMap<string, Entity | undefined>> {
  const found: Entity[] = [];
  for (const some of batches(all, MAX_RECORDS)) found.push(...(await find(some)));

  const byText = new Map(found.map((record) => [printComparable(columns, readValues(columns, record)), record]));
  const records = new Map<string, Entity | undefined>(all.map(({ path, text }) => [path, byText.get(text)]));
  const matched = new Set(records.values());
  // Texts that the database considers equal may differ.
  const unmatched = found.some((record) => !matched.has(record)) ? all.filter(({ path }) => !records.get(path)) : [];
  for (const record of unmatched) records.set(record.path, (await find([record]))[0]);

  return records;
}

/**
 * Refuses new records with equal values: one would overwrite the other.
 *
 * @param fold Maps texts that a database may consider equal to one text. Default: only identical texts are equal.
 */
export function requireDistinct(
  entities: Entities,
  columns: readonly Column[],
  fold: (text: string) => string = (text) => text,
): void {
  const named = new Map<string, string>();

  for (const { path, text } of withAllValues(entities, columns)) requireUnnamed(named, fold(text), path);
}

interface Valued {
  readonly path: string;
  readonly values: readonly unknown[];
  readonly text: string;
}

/** Only records with all values: null equals nothing. */
function withAllValues(entities: Entities, columns: readonly Column[]): Valued[] {
  return [...entities].flatMap(([path, entity]) => {
    const values = readValues(columns, entity);

    return values.every(isConstant) ? [{ path, values, text: printComparable(columns, values) }] : [];
  });
}

/** One text for equal values; decimals are compared without insignificant zeros. */
function printComparable(columns: readonly Column[], values: readonly unknown[]): string {
  return keyText(
    values.map((value, index) => (columns[index]!.catalogColumn.kind === 'decimal' ? shortest(value) : value)),
  );
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

function shortest(decimal: unknown): unknown {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(String(decimal)) ?? [];
  if (whole === undefined) return decimal;

  let length = fraction.length;
  while (fraction[length - 1] === '0') length -= 1;
  const digits = `${whole.replace(/^0+/, '')}.${fraction.slice(0, length)}`;

  return digits === '.' ? '0' : `${sign}${digits}`;
}

/** Thrown if a record with the unique values exists already, or did a moment ago. */
export class UniqueViolation extends Error {
  constructor(
    /** The error of the statement that failed. Default: none. */
    override readonly cause: unknown,
    /** Whether the database named this constraint; of several violated ones it names one. */
    readonly isConfirmed: boolean,
    /** Records as they were to be inserted, by their place in the body. */
    readonly entities: ReadonlyMap<string, Entity> = new Map(),
  ) {
    super('A record with these unique values exists already', { cause });
  }
}

/** Reads an error of an INSERT; undefined if it is no unique violation of the entity. */
export function readUniqueViolation(
  error: unknown,
  table: Table,
  columns: readonly Column[],
): UniqueViolation | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const fault = readFault(cause);
  if (fault?.kind !== 'unique') return undefined;
  if (error instanceof StatementError && error.context.table !== table) return undefined;

  const blamed = new Set(blamedColumns(fault, table));
  const isConfirmed = blamed.size === columns.length && columns.every((column) => blamed.has(column));
  const { paths, rows } = error instanceof StatementError ? error.context : { paths: [], rows: [] };

  return new UniqueViolation(error, isConfirmed, new Map(paths.map((path, index) => [path, rows[index] ?? {}])));
}
