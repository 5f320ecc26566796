/**
 * Keeps class-transformer's implicit conversion out of what is stored: rules see converted values, but columns read
 * what the client sent.
 */
import { isObject, isPlainObject } from '../definition/plain-objects.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { valueAtPath } from '../plan/property-paths.js';
import { Refusal } from '../plan/refusal.js';
import { typedValue } from '../plan/values.js';
import type { BodyRules, BodyValidator } from './body-rules.js';
import type { Body } from './plain-body.js';

/** A value of a column, and its path in the body. */
interface ColumnValue {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Kinds of columns that must read texts before a conversion by `Boolean()` makes them true. */
const READ_FIRST: ReadonlySet<CatalogColumn['kind']> = new Set(['boolean', 'integer']);

const DEEPEST = 16;

/**
 * Wraps a validator so that it returns the values of columns unconverted. `'false'` is false for the rules, too;
 * `2026-02-31` passes a rule for dates as the third of March, and is then refused by its column.
 */
export function withoutConversion(rules: BodyRules, validate: BodyValidator): BodyValidator {
  const { validation, schema, wholeBulk } = rules;
  // A class for the whole bulk does not see single records, nor their scope.
  const validator: BodyValidator = wholeBulk ? (body, added) => validate(body, added) : validate;
  if (!validation || schema || !validation.transformOptions?.enableImplicitConversion) return validator;

  return async (body, added, scope) => {
    const values = listColumnValues(body, scope?.catalog, wholeBulk);
    for (const { path, value } of values) put(body, path, value);
    const validated = await validator(body, added, scope);

    for (const { path, value } of values)
      if (isConversion(valueAtPath(validated.value, path), value)) put(validated.value, path, value);

    return validated;
  };
}

function listColumnValues(body: Body, catalog: Catalog | undefined, wholeBulk: boolean): readonly ColumnValue[] {
  if (!catalog) return [];
  if (!wholeBulk) return collectColumnValues(body, catalog, []);

  // Its records are in a list, `bulk`, or alone, `set`.
  return Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => collectColumnValues(item, catalog, [name, String(index)]))
      : collectColumnValues(value, catalog, [name]),
  );
}

function collectColumnValues(
  record: unknown,
  { columns, relations }: Catalog,
  prefix: readonly string[],
): readonly ColumnValue[] {
  if (!isPlainObject(record) || prefix.length > DEEPEST) return [];

  const own = [...columns.values()].flatMap((column): ColumnValue[] => {
    const path = column.path.split('.');
    const value = valueAtPath(record, path);

    return value === undefined || value === null ? [] : [{ path: [...prefix, ...path], value: read(column, value) }];
  });
  const related = [...relations.values()].flatMap(({ path, target }) => {
    const value = record[path];
    if (!Array.isArray(value)) return collectColumnValues(value, target, [...prefix, path]);

    return value.flatMap((item: unknown, index) => collectColumnValues(item, target, [...prefix, path, String(index)]));
  });

  return [...own, ...related];
}

function read(column: CatalogColumn, value: unknown): unknown {
  if (column.transformed || !READ_FIRST.has(column.kind)) return value;
  const typed = typedValue(column, value);

  return typed instanceof Refusal ? value : typed;
}

/** Whether a value came of another by nothing but the constructor of its type. */
function isConversion(made: unknown, value: unknown): boolean {
  if (made instanceof Date) return isPrimitive(value) && made.getTime() === new Date(value).getTime();

  try {
    return [Number(value), Boolean(value), String(value)].some((converted) => Object.is(made, converted));
  } catch {
    return false;
  }
}

function isPrimitive(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function put(holder: object, path: readonly string[], value: unknown): void {
  const inner = valueAtPath(holder, path.slice(0, -1));

  if (isObject(inner)) (inner as Body)[path.at(-1)!] = value;
}
