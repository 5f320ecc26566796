/** What `query.aggregate` allows: fields to group by, functions of fields; and which of them fit a column. */
import type { AggregateFunction, DateUnit } from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { show } from '../definition/wording.js';
import type { Catalog, CatalogColumn, ColumnKind } from '../plan/catalog.js';
import type { ColumnPlace } from '../plan/column-access.js';
import type { ResolvedColumn } from '../plan/read-plan.js';
import { findField, followRelations, getNames } from '../plan/resolve-names.js';

type Options = Pick<QueryOptions, 'aggregate'>;
type Spell = (name: string) => string;

const asIs: Spell = (name) => name;
const UNIT = /^(.*):(day|week|month|quarter|year)$/s;

/** A name in `query.aggregate.groupBy`: a field, or one part of the calendar of a field. */
export interface ListedGroup {
  readonly field: string;
  /** Default: every unit, and the value itself. */
  readonly unit?: DateUnit;
}

/** Takes a name of the list apart. */
function listedGroup(name: string): ListedGroup {
  const [, field = name, unit] = UNIT.exec(name) ?? [];

  return unit === undefined ? { field } : { field, unit: unit as DateUnit };
}

/** Whether the options let records be grouped by a field. */
export function allowsGroup({ aggregate }: Options, path: string, unit: DateUnit | undefined, spell = asIs): boolean {
  return (aggregate?.groupBy ?? []).some((name) => {
    const listed = listedGroup(name);

    return spell(listed.field) === path && (listed.unit ?? unit) === unit;
  });
}

/** Whether the options let a function be applied to a field. */
export function aggregates({ aggregate }: Options, name: AggregateFunction, path: string, spell = asIs): boolean {
  return Object.entries(aggregate?.functions ?? {}).some(
    ([field, functions]) => spell(field) === path && functions?.includes(name),
  );
}

/** A field that `query.aggregate` names, and what clients may do with it. */
export interface AggregatedField extends ColumnUse {
  /** The option that names it, for messages. */
  readonly option: string;
  readonly field: string;
}

/** The fields that the options name; `*` is none. */
export function* aggregatedFields({ options: { query } }: ResourceDefinition): Generator<AggregatedField> {
  for (const name of query.aggregate?.groupBy ?? [])
    yield { option: `query.aggregate.groupBy names ${show(name)}`, ...listedGroup(name) };

  for (const [field, functions = []] of Object.entries(query.aggregate?.functions ?? {})) {
    for (const name of field === '*' ? [] : (functions as readonly AggregateFunction[]))
      yield { option: `query.aggregate.functions.${field} names ${show(name)}`, field, function: name };
  }
}

/** The place of a field in the options; undefined if clients cannot name it. */
export function aggregatedPlace(
  { options: { query } }: ResourceDefinition,
  catalog: Catalog,
  field: string,
): ColumnPlace | undefined {
  const names = getNames(catalog, query);
  const found = findField(names, field);
  const relation = found?.steps.at(-1)?.path;
  const isOpen = found && found.jsonPath.length === 0 && (relation === undefined || names.configured.has(relation));

  return isOpen ? found : undefined;
}

/** The check of the names and of what they may be used for. */
export function* aggregatesColumns(definition: ResourceDefinition, catalog: Catalog): Generator<string> {
  const { functions } = definition.options.query.aggregate ?? {};
  for (const name of functions?.['*'] ?? []) {
    if (name !== 'count')
      yield `query.aggregate.functions.* names ${show(name)}, but records can only be counted: ["count"]`;
  }

  for (const { option, field, ...use } of aggregatedFields(definition)) {
    const place = aggregatedPlace(definition, catalog, field);
    const reason = place ? findMisuse(use, place) : `but ${missing(field, catalog)}`;

    if (reason !== undefined) yield `${option}, ${reason}`;
  }
}

function findMisuse(use: ColumnUse, { steps, column }: ColumnPlace): string | undefined {
  if (steps.some(({ relation }) => relation.toMany)) return 'of which one record may have several values';
  const reason = kindFault(use, column);

  return reason && `but ${reason}`;
}

function missing(field: string, root: Catalog): string {
  const { catalog, rest } = followRelations(root, field);
  if (rest === '') return `${field} is a relation: name one of its fields`;

  return catalog === root
    ? `${root.model} has no such field`
    : `${catalog.model} has no field ${rest}, or the relation is not in query.join`;
}

const NUMBERS: readonly ColumnKind[] = ['integer', 'bigint', 'decimal', 'float'];
const MOMENTS: readonly ColumnKind[] = ['date', 'datetime'];
/** Values that are equal or not, on every database. */
const DISTINCT: readonly ColumnKind[] = [...NUMBERS, ...MOMENTS, 'time', 'text', 'boolean', 'uuid', 'enum'];
/** Values that have an order, on every database. */
const ORDERED: readonly ColumnKind[] = [...NUMBERS, ...MOMENTS, 'time', 'text'];

const FITTING: Readonly<Record<Exclude<AggregateFunction, 'count'>, readonly ColumnKind[]>> = {
  countDistinct: DISTINCT,
  sum: NUMBERS,
  avg: NUMBERS,
  min: ORDERED,
  max: ORDERED,
};

/** What is done with a column: it groups records, or something is computed of it. */
export interface ColumnUse {
  /** Default: it groups records. */
  readonly function?: AggregateFunction;
  /** Part of the calendar that groups them. Default: the value itself. */
  readonly unit?: DateUnit;
}

/** Why a column cannot be used so; undefined if it can. */
export function kindFault({ function: name, unit }: ColumnUse, { kind }: CatalogColumn): string | undefined {
  if (name === 'count') return undefined;
  if (name !== undefined)
    return FITTING[name].includes(kind) ? undefined : `${name} does not take values of this kind (${kind})`;
  if (unit !== undefined)
    return MOMENTS.includes(kind) ? undefined : `${unit} needs dates or moments, not values of this kind (${kind})`;

  return DISTINCT.includes(kind) ? undefined : `records cannot be grouped by values of this kind (${kind})`;
}

/** {@link kindFault} of a column in a plan, which may be of several records, or a part of a document. */
export function useFault(use: ColumnUse, { source, column, jsonPath }: ResolvedColumn): string | undefined {
  if (source.toMany) return 'There may be several values per record';

  return jsonPath.length > 0 ? 'Keys of JSON columns have no type' : kindFault(use, column);
}
