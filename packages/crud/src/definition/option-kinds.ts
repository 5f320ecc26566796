/** The kinds of values that options take, and their wording in messages. */
import type { AggregateFunction } from '@nestwright/crud-request';
import { ROUTES } from '../routes/route-table.js';
import { isObject } from './plain-objects.js';
import { isStandardSchema } from './standard-schema.js';

/** A kind of value, and its wording in messages. */
export interface Kind {
  readonly must: string;
  readonly holds: (value: unknown) => boolean;
}

/** What an option may be, at any depth. */
export type Shape =
  | Kind
  /** An object, or a value of a kind. */
  | { readonly keys: Readonly<Record<string, Option>>; readonly or?: Kind }
  /** An object whose names are the application's own. */
  | { readonly each: Shape }
  | { readonly items: Shape };

/** All that is to be said of an option. */
export interface Option<Value = unknown> {
  readonly shape: Shape;
  /** Its value where it is not set; undefined if that depends on something, or if there is none. */
  readonly unset: Value;
}

/** A row of the table of options. */
export function option<Value = undefined>(shape: Shape, unset?: Value): Option<Value> {
  return { shape, unset: unset as Value };
}

/** A kind of value; `must` completes "but must …". */
const kind = (must: string, holds: (value: unknown) => boolean): Kind => ({ must, holds });
const orFalse = ({ must, holds }: Kind): Kind => kind(`${must}, or false`, (value) => value === false || holds(value));
const makeListKind = (members: readonly unknown[], must: string): Kind =>
  kind(must, (value) => Array.isArray(value) && value.every((item) => members.includes(item)));

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isDictionary = (value: unknown): boolean => isObject(value) && !Array.isArray(value);
const isWhole = (value: unknown, least: number): boolean => Number.isInteger(value) && (value as number) >= least;

export const makeChoiceKind = (...members: readonly unknown[]): Kind =>
  kind(`be one of ${members.join(', ')}`, (value) => members.includes(value));

export const ANY = kind('be anything', () => true);
export const BOOLEAN = kind('be true or false', (value) => typeof value === 'boolean');
export const TEXT = kind('be a text', isText);
export const TEXTS = kind('be a list of names', (value) => Array.isArray(value) && value.every(isText));
export const IDENTIFIER = kind(
  'be a name of letters, digits and _',
  (value) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
);
export const LIST = kind('be a list', Array.isArray);
export const OBJECT = kind('be an object', isDictionary);
export const ENUMERATION = kind('be an enumeration', isObject);
export const FUNCTION = kind('be a function', isFunction);
export const FUNCTION_OR_FALSE = orFalse(FUNCTION);
export const CLASS = kind('be a class', isFunction);
export const CLASS_OR_FALSE = kind('be a class or false', (value) => value === false || isFunction(value));
export const BODY = kind('be a class or a Standard Schema', (value) => isFunction(value) || isStandardSchema(value));
export const POSITIVE = kind('be an integer above 0', (value) => isWhole(value, 1));
export const POSITIVE_OR_FALSE = orFalse(POSITIVE);
export const DURATION = orFalse(kind('be milliseconds from 0', (value) => isWhole(value, 0)));
export const FILTER = kind(
  'be a list of filters, a condition or a function',
  (value) => isFunction(value) || isObject(value),
);
export const PIPE_OPTIONS_OR_FALSE = orFalse(kind('be the options of a ValidationPipe', isDictionary));
export const VALIDATION_OR_FALSE = orFalse(
  kind(
    'be the options of a ValidationPipe, with columns: all or declared',
    (value) => isDictionary(value) && [undefined, 'all', 'declared'].includes((value as { columns?: string }).columns),
  ),
);

const FORMAT_LIST = makeListKind(['ndjson', 'csv'], 'be a list of ndjson, csv');
export const FORMATS = kind(FORMAT_LIST.must, (value) => FORMAT_LIST.holds(value) && (value as unknown[]).length > 0);
export const ROUTE_NAMES = makeListKind(Object.keys(ROUTES), `name routes: ${Object.keys(ROUTES).join(', ')}`);
const AGGREGATE_FUNCTIONS: readonly AggregateFunction[] = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'];
export const FUNCTIONS = makeListKind(AGGREGATE_FUNCTIONS, `be a list of functions: ${AGGREGATE_FUNCTIONS.join(', ')}`);
