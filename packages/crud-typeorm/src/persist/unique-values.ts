import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import { decideKind } from '../catalog/column-kind.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { blamedColumns } from '../errors/blame.js';
import { readFault } from '../errors/fault.js';
import { StatementError } from '../errors/statement-error.js';
import { toCrudError } from '../errors/to-crud-error.js';
import { requireUnnamed } from '../scope/targets.js';
import { findRecords } from '../statements/find.js';
import { withoutTransaction } from '../statements/transaction.js';
import { anyEqual, batches, isConstant, type Key, keyText, readKey, readValues } from '../statements/values.js';
import type { WriteContext } from '../statements/write-context.js';

const MAX_RECORDS = 500;

/** Entities by their place in the body. */
type Entities = ReadonlyMap<string, ObjectLiteral>;

/** The keys of the records that have the values of new ones, by the place of these in the body. */
export async function findByUniqueValues(
  { store: { manager }, catalog }: WriteContext,
  entities: Entities,
  columns: readonly ColumnMetadata[],
): Promise<ReadonlyMap<string, Key>> {
  const metadata = getEntityMetadata(catalog);
  const selected = [...new Set([...metadata.primaryColumns, ...columns])];
  const findAll = (runner: QueryRunner) =>
    matchRecords(columns, withAllValues(entities, columns), (some) => {
      const where = anyEqual(
        columns,
        some.map(({ values }) => values),
      );

      return findRecords(runner, metadata, selected, { where, locked: false });
    });

  try {
    const records = await (manager.queryRunner ? findAll(manager.queryRunner) : withoutTransaction(manager, findAll));

    return new Map(
      [...records].flatMap(([path, record]) => {
        const key = record && readKey(metadata, record);

        return key ? [[path, key] as const] : [];
      }),
    );
  } catch (error) {
    throw toCrudError(error, metadata);
  }
}

/** The records with the values of new ones, by the place of these in the body. */
async function matchRecords(
  columns: readonly ColumnMetadata[],
  all: readonly Valued[],
  find: (some: readonly Valued[]) => Promise<ObjectLiteral[]>,
): Promise<ReadonlyMap<string, ObjectLiteral | undefined>> {
  const found: ObjectLiteral[] = [];
  for (const some of batches(all, MAX_RECORDS)) found.push(...(await find(some)));

  const byText = new Map(found.map((record) => [printComparable(columns, readValues(columns, record)), record]));
  const records = new Map<string, ObjectLiteral | undefined>(all.map(({ path, text }) => [path, byText.get(text)]));
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
  columns: readonly ColumnMetadata[],
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
function withAllValues(entities: Entities, columns: readonly ColumnMetadata[]): Valued[] {
  return [...entities].flatMap(([path, entity]) => {
    const values = readValues(columns, entity);

    return values.every(isConstant) ? [{ path, values, text: printComparable(columns, values) }] : [];
  });
}

/** One text for equal values; decimals are compared without insignificant zeros. */
function printComparable(columns: readonly ColumnMetadata[], values: readonly unknown[]): string {
  return keyText(values.map((value, index) => (decideKind(columns[index]!) === 'decimal' ? shortest(value) : value)));
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
    readonly entities: ReadonlyMap<string, ObjectLiteral> = new Map(),
  ) {
    super('A record with these unique values exists already', { cause });
  }
}

/** Reads an error of an INSERT; undefined if it is no unique violation of the entity. */
export function readUniqueViolation(
  error: unknown,
  metadata: EntityMetadata,
  columns: readonly ColumnMetadata[],
): UniqueViolation | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const fault = readFault(cause);
  if (fault?.kind !== 'unique') return undefined;
  if (error instanceof StatementError && error.context.metadata !== metadata) return undefined;

  const blamed = new Set(blamedColumns(fault, metadata));
  const isConfirmed = blamed.size === columns.length && columns.every((column) => blamed.has(column));
  const { paths, rows } = error instanceof StatementError ? error.context : { paths: [], rows: [] };

  return new UniqueViolation(error, isConfirmed, new Map(paths.map((path, index) => [path, rows[index] ?? {}])));
}
