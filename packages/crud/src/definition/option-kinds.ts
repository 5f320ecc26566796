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

/** A kind, or `false`. */
function orFalse({ must, holds }: Kind): Kind {
  return { must: `${must}, or false`, holds: (value) => value === false || holds(value) };
}

const isListOf =
  (members: readonly unknown[]) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every((item) => members.includes(item));

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isPositive = (value: unknown): boolean => Number.isInteger(value) && (value as number) > 0;

export const ANY: Kind = { must: 'be anything', holds: () => true };
export const BOOLEAN: Kind = { must: 'be true or false', holds: (value) => typeof value === 'boolean' };
export const TEXT: Kind = { must: 'be a text', holds: isText };
export const TEXTS: Kind = {
  must: 'be a list of names',
  holds: (value) => Array.isArray(value) && value.every(isText),
};
export const LIST: Kind = { must: 'be a list', holds: Array.isArray };
export const OBJECT: Kind = {
  must: 'be an object',
  holds: (value) => isObject(value) && !Array.isArray(value),
};
export const FUNCTION: Kind = { must: 'be a function', holds: isFunction };
export const CLASS: Kind = { must: 'be a class', holds: isFunction };
export const BODY: Kind = {
  must: 'be a class or a Standard Schema',
  holds: (value) => isFunction(value) || isStandardSchema(value),
};
export const CLASS_OR_FALSE: Kind = {
  must: 'be a class or false',
  holds: (value) => value === false || isFunction(value),
};
export const POSITIVE: Kind = { must: 'be an integer above 0', holds: isPositive };
export const POSITIVE_OR_FALSE = orFalse(POSITIVE);
export const DURATION = orFalse({
  must: 'be milliseconds from 0',
  holds: (value) => Number.isInteger(value) && (value as number) >= 0,
});
export const FORMATS: Kind = {
  must: 'be a list of ndjson, csv',
  holds: (value) => isListOf(['ndjson', 'csv'])(value) && (value as unknown[]).length > 0,
};
export const ROUTE_NAMES: Kind = {
  must: `name routes: ${Object.keys(ROUTES).join(', ')}`,
  holds: isListOf(Object.keys(ROUTES)),
};
const AGGREGATE_FUNCTIONS = [
  'count',
  'countDistinct',
  'sum',
  'avg',
  'min',
  'max',
] as const satisfies readonly AggregateFunction[];
export const FUNCTIONS: Kind = {
  must: `be a list of functions: ${AGGREGATE_FUNCTIONS.join(', ')}`,
  holds: isListOf(AGGREGATE_FUNCTIONS),
};
export const FILTER: Kind = {
  must: 'be a list of filters, a condition or a function',
  holds: (value) => isFunction(value) || isObject(value),
};
export const PIPE_OPTIONS_OR_FALSE = orFalse({ must: 'be the options of a ValidationPipe', holds: OBJECT.holds });
export const FUNCTION_OR_FALSE = orFalse(FUNCTION);
export const oneOf = (...members: readonly unknown[]): Kind => ({
  must: `be one of ${members.join(', ')}`,
  holds: (value) => members.includes(value),
});

export const IDENTIFIER: Kind = {
  must: 'be a name of letters, digits and _',
  holds: (value) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
};

/** What an option may be, at any depth. */
export type Shape =
  | Kind
  | { readonly keys: Readonly<Record<string, Shape>> }
  /** An object whose names are the application's own. */
  | { readonly each: Shape }
  | { readonly items: Shape };
