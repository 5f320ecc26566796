/** What can be compared in a resource, sorted into the cells that a run must fill: operator, type and position. */
import { ARRAYS, COMPARISONS, NULLS, type Operator, reach, TEXT_OPERATORS } from '../evaluator/comparison.js';
import { type Field, lastOf, parentOf } from '../evaluator/condition.js';
import { type Resource, visibleColumns } from '../evaluator/resource.js';
import { type ColumnType, relationOf, type Table, tableAt, type Value, valueOf, waysTo } from '../evaluator/tables.js';

/** Type of what is compared; values in JSON documents have types of their own. */
export type ComparedType = ColumnType | 'JSON text' | 'JSON number' | 'JSON boolean';
export type Position = 'root' | 'to-one' | 'to-many' | 'embedded' | 'JSON path';

export interface Cell {
  readonly operator: Operator;
  readonly fold: boolean;
  readonly type: ComparedType;
  readonly position: Position;
}

/** A field with what its records hold. */
export interface ComparableField extends Field {
  readonly type: ComparedType;
  readonly position: Position;
  /** Distinct values, none of them null. */
  readonly values: readonly Value[];
}

const SCALAR: readonly Operator[] = [...COMPARISONS, ...TEXT_OPERATORS, ...NULLS];
const MOMENT: readonly Operator[] = [...COMPARISONS, ...NULLS];

/** Operators that the specification permits. */
function permitted(type: ComparedType): readonly Operator[] {
  if (type === 'json') return NULLS;
  if (type === 'list') return [...ARRAYS, ...NULLS];
  return type === 'date' || type === 'time' || type === 'datetime' ? MOMENT : SCALAR;
}

const JSON_TYPES: Partial<Record<string, ComparedType>> = {
  string: 'JSON text',
  number: 'JSON number',
  boolean: 'JSON boolean',
};

export const cellName = ({ operator, fold, type, position }: Cell): string =>
  `${operator}${fold ? 'L' : ''} × ${type} × ${position}`;

/** Cells that a set of fields offers. */
export function cellsOf(fields: readonly ComparableField[]): Cell[] {
  const places = new Map(fields.map(({ type, position }) => [`${type} ${position}`, { type, position }]));
  const folds = (operator: Operator) => ([...NULLS, ...ARRAYS].includes(operator) ? [false] : [false, true]);
  return [...places.values()].flatMap((place) =>
    permitted(place.type).flatMap((operator) => folds(operator).map((fold) => ({ operator, fold, ...place }))),
  );
}

type Keys = readonly (readonly string[])[];

/** Everything of a resource that a client may compare, `keys` leading into JSON columns. */
export function fieldsOf(resource: Resource, keys: Keys): ComparableField[] {
  const own = fieldsAt(resource.table, '', visibleColumns(resource, resource.table), 'root', keys);
  const joined = Object.entries(resource.joins).flatMap(([path, rule]) => {
    const table = tableAt(resource.table, path);
    const position = isToMany(resource.table, path) ? 'to-many' : 'to-one';
    return fieldsAt(table, path, visibleColumns(rule, table), position, keys);
  });
  return [...own, ...joined];
}

/** Whether one record may have several at the end of a path. */
export function isToMany(root: Table, path: string): boolean {
  return waysTo(path).some((way) => relationOf(tableAt(root, parentOf(way)), lastOf(way)).many);
}

function fieldsAt(
  table: Table,
  relation: string,
  visible: Set<string>,
  position: Position,
  keys: Keys,
): ComparableField[] {
  const columns = table.columns.filter(({ path }) => visible.has(path));
  return columns.flatMap((column) => {
    const stored = table.entries.map((entry) => valueOf(entry, column.path));
    const here = column.path.includes('.') ? 'embedded' : position;
    const own = { type: column.type, position: here, values: distinct(stored) } as const;
    const whole: ComparableField = { relation, column, keys: [], ...own };
    return [whole, ...(column.type === 'json' ? keys.flatMap((path) => jsonFields(whole, path, stored)) : [])];
  });
}

/** A key may hold values of several types: a field for each. */
function jsonFields(whole: ComparableField, keys: readonly string[], stored: readonly Value[]): ComparableField[] {
  const typed = distinct(stored.map((value) => reach(value, keys))).map((value) => [JSON_TYPES[typeof value], value]);
  const types = new Set([...typed.map(([type]) => type as ComparedType | undefined), 'JSON text' as const]);
  types.delete(undefined);
  const valuesOf = (type: ComparedType) => typed.filter(([own]) => own === type).map(([, value]) => value);
  return [...types].map((type) => ({ ...whole, keys, type: type!, position: 'JSON path', values: valuesOf(type!) }));
}

const printKey = (value: Value): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? '';
const distinct = (values: readonly Value[]): Value[] => [
  ...new Map(values.filter((value) => value !== null).map((value) => [printKey(value), value])).values(),
];
