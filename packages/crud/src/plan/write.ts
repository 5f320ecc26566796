import { oncePerObject } from '../get-or-insert.js';
import { isRecord, listEnclosingPaths, readOwnPath } from '../definition/plain-objects.js';
import type { BodyScope } from './body-scope.js';
import type { Catalog, CatalogColumn, CatalogRelation } from './catalog.js';
import { Refusal, WriteFaults, wrongType } from './refusal.js';
import { typedValue } from './values.js';
import { checkValue } from './write-checks.js';
import {
  type CarriedRelation,
  type ColumnValues,
  isUnassignedKey,
  isWritable,
  type WriteContext,
} from './write-context.js';
import type { PlannedCascade, PlannedUnlink, PlannedValue, WriteMode, WritePlan } from './write-plan.js';
import { planRelations } from './write-relations.js';

/**
 * Stands in {@link PlannedValue.value} of a replacement if the body omits a column that has a default: the adapter
 * stores the default. Never a value of a client.
 */
export const DEFAULT_VALUE: unique symbol = Symbol.for('nestwright.default');

/** How deep cascading relations may be nested in a body. */
const DEEPEST = 16;

const NOTHING: ReadonlySet<string> = new Set();

/** Options of {@link planWrite}. */
export interface WriteOptions {
  /** Path that precedes the names in errors (`bulk.3`). Default: none. */
  readonly path?: string | undefined;
  /** Values set in nested records, overriding the body's. Default: none. */
  readonly scope?: BodyScope | undefined;
}

/**
 * Plans one insert, update or replacement.
 *
 * Own enumerable properties of the entity are read; undefined counts as omitted. Dates that the database keeps,
 * generated and virtual columns and the discriminator are dropped, and so is everything the catalog does not know. The
 * primary key is part of an insert alone: an update or replacement acts on the record that its caller names. A version
 * is the expected one. A replacement lists every column: what is omitted becomes {@link DEFAULT_VALUE} or null. Throws
 * a 400 that names all faults at once.
 *
 * @example
 * planWrite(catalog, { email: 'a@example.com', company: { id: 1 } }, 'insert').values; // email, companyId
 */
export function planWrite(
  catalog: Catalog,
  entity: object,
  mode: WriteMode,
  { path = '', scope }: WriteOptions = {},
): WritePlan {
  const faults = new WriteFaults();
  const plan = planRecordWrite(catalog, entity, {
    mode,
    prefix: path && `${path}.`,
    faults,
    depth: 0,
    fixed: NOTHING,
    scope,
    planNested: planRecordWrite,
  });
  faults.throwIfAny();

  return plan;
}

function planRecordWrite(catalog: Catalog, entity: object, context: WriteContext): WritePlan {
  const { mode, prefix, faults, depth, fixed } = context;
  if (depth > DEEPEST) {
    faults.add(prefix.slice(0, -1), wrongType('is nested too deeply'));
    return { catalog, values: [], links: [], cascades: [] };
  }

  const shape = shapeOf(catalog);
  checkEmbedded(shape.embedded, entity, context);
  const own: PlannedValue[] = [];
  for (const column of shape[mode]) {
    const value = fixed.has(column.path) ? undefined : readColumn(column, entity, context);
    if (value !== undefined) own.push({ column, value });
  }

  const plan = planEntity(catalog, entity, context, own);
  const expectedVersion = mode === 'insert' ? undefined : readVersion(catalog, entity, context);

  return Object.freeze(expectedVersion === undefined ? plan : { ...plan, expectedVersion });
}

/** The columns that a body may set in each mode if nothing else fixes them, and the paths of embedded objects. */
const shapeOf = oncePerObject(({ columns }: Catalog) => {
  const settable = (mode: WriteMode): readonly CatalogColumn[] =>
    [...columns.values()].filter((column) => isWritable(column, { mode, fixed: NOTHING }));

  return {
    insert: settable('insert'),
    update: settable('update'),
    replace: settable('replace'),
    embedded: [...new Set([...columns.keys()].flatMap(listEnclosingPaths))],
  };
});

/** The body's own columns, then what relations and a replacement add; most bodies have own columns only. */
function planEntity(
  catalog: Catalog,
  entity: object,
  context: WriteContext,
  own: readonly PlannedValue[],
): Omit<WritePlan, 'expectedVersion'> {
  const carried: CarriedRelation[] = [];
  for (const relation of catalog.relations.values()) {
    const raw = context.fixed.has(relation.path) ? undefined : readOwnPath(entity, relation.path);
    if (raw !== undefined) carried.push({ relation, raw });
  }
  if (carried.length === 0 && context.mode !== 'replace') return { catalog, values: own, links: [], cascades: [] };

  const values: ColumnValues = new Map(own.map(({ column, value }) => [column, value]));
  const { links, cascades, unlinks } = planRelations(carried, { catalog, context, values });
  if (context.mode === 'replace') unlinks.push(...fillOmitted(catalog, context, values, cascades));

  return {
    catalog,
    values: Array.from(values, ([column, value]) => ({ column, value })),
    links,
    cascades,
    unlinks,
    relations: carried.map(({ relation }) => relation),
  };
}

function readColumn(column: CatalogColumn, entity: object, { mode, prefix, faults }: WriteContext): unknown {
  const raw = readOwnPath(entity, column.path);
  // A null key is no key yet, as TypeORM has it.
  if (raw === undefined) return undefined;
  if (mode === 'insert' && ((raw === null && column.primary && column.generated) || isUnassignedKey(column, raw)))
    return undefined;

  const value = checkValue(column, raw);
  if (!(value instanceof Refusal)) return value;
  faults.add(prefix + column.path, value);

  return undefined;
}

/** An embedded value that is not an object has no columns; refuse it instead of dropping it silently. */
function checkEmbedded(paths: readonly string[], entity: object, { fixed, prefix, faults }: WriteContext): void {
  for (const path of paths) {
    const value = fixed.has(path) ? undefined : readOwnPath(entity, path);
    if (value !== undefined && value !== null && !isRecord(value))
      faults.add(prefix + path, wrongType('must be an object'));
  }
}

/**
 * Lists what the body of a replacement omits: the column's default, or null. Foreign keys of cascading records are
 * left out: the adapter sets them once it has the key. Returns the relations that lose their record without a column
 * to null.
 */
function fillOmitted(
  catalog: Catalog,
  context: WriteContext,
  values: ColumnValues,
  cascades: readonly PlannedCascade[],
): PlannedUnlink[] {
  const listForeignKeys = ({ references }: CatalogRelation) => references.map(({ column }) => column);
  const before = new Set(values.keys());
  const kept = [...catalog.relations.values()].filter(({ keptIfOmitted }) => keptIfOmitted);
  const pending = new Set([...cascades.map(({ relation }) => relation), ...kept].flatMap(listForeignKeys));
  const columns = new Set([...catalog.columns.values(), ...[...catalog.relations.values()].flatMap(listForeignKeys)]);

  for (const column of columns) {
    if (values.has(column) || pending.has(column) || column.generated || !isWritable(column, context)) continue;
    if (column.hasDefault) values.set(column, DEFAULT_VALUE);
    else if (column.nullable || column.transformed) values.set(column, null);
    else context.faults.add(context.prefix + column.path, new Refusal('CRUD_NOT_NULL_VIOLATION', 'is required'));
  }

  return [...catalog.relations.values()].flatMap((relation) => {
    const columns = listForeignKeys(relation).filter((column) => !before.has(column) && values.get(column) === null);
    const isSeen = columns.some((column) => catalog.columns.get(column.path) === column);

    return columns.length > 0 && !isSeen ? [{ relation, columns }] : [];
  });
}

function readVersion({ version }: Catalog, entity: object, { prefix, faults }: WriteContext): number | undefined {
  const raw = version && readOwnPath(entity, version.path);
  if (!version || raw === undefined || raw === null) return undefined;

  const value = typedValue(version, raw);
  if (!(value instanceof Refusal)) return Number(value);
  faults.add(prefix + version.path, value);

  return undefined;
}
