import { AUTH, GLOBAL, OPTIONS } from '../../src/definition/option-table.js';
import type { Option, Shape } from '../../src/definition/option-kinds.js';

type Rows = readonly (readonly [path: string, option: Option])[];

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** The options below a shape by their paths (`query.join.*.alias`), those that have options of their own included. */
function rowsBelow(shape: Shape, path: string): Rows {
  if ('each' in shape) return rowsBelow(shape.each, join(path, '*'));
  if ('items' in shape) return rowsBelow(shape.items, join(path, '*'));
  if (!('keys' in shape)) return [];
  return Object.entries(shape.keys).flatMap(([key, option]) => [
    [join(path, key), option] as const,
    ...rowsBelow(option.shape, join(path, key)),
  ]);
}

/** Every row of the table of options; those of `@CrudAuth()` stand under `auth`, those of the global configuration under `global`. */
export const OPTION_ROWS: ReadonlyMap<string, Option> = new Map([
  ...rowsBelow({ keys: OPTIONS }, ''),
  ...rowsBelow({ keys: AUTH }, 'auth'),
  ...rowsBelow({ keys: GLOBAL }, 'global'),
]);

function* pathsOfValues(shape: Shape, path: string): Generator<string> {
  if ('holds' in shape) {
    yield path;
  } else if ('keys' in shape) {
    if (shape.or) yield path;
    for (const [key, option] of Object.entries(shape.keys)) yield* pathsOfValues(option.shape, join(path, key));
  } else {
    yield* pathsOfValues('each' in shape ? shape.each : shape.items, join(path, '*'));
  }
}

/** The options that take a value of a kind. Below their first names, the global ones are those of a resource. */
export const OPTION_PATHS: readonly string[] = [
  ...pathsOfValues({ keys: OPTIONS }, ''),
  ...pathsOfValues({ keys: AUTH }, 'auth'),
  ...Object.keys(GLOBAL).map((name) => join('global', name)),
];
