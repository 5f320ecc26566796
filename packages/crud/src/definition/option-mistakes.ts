/** Checks names and kinds of options, at any depth. Whether fields and relations exist is checked elsewhere. */
import { AUTH, GLOBAL, OPTIONS } from './known-options.js';
import type { Shape } from './option-kinds.js';
import type { CrudGlobalConfig, CrudOptions } from './options.js';
import { isPlainObject } from './plain-objects.js';
import { show } from './show-value.js';

/** What is wrong with the options of `@Crud()`, those of the global configuration filled in. */
export function shapeMistakes(options: CrudOptions): string[] {
  const { auth: _auth, ...own } = options as CrudOptions & { auth?: unknown };

  return [...mistakesIn(own, OPTIONS, '')];
}

/** What is wrong with the options of `@CrudAuth()`. */
export function authMistakes(auth: object): string[] {
  return [...mistakesIn(auth, AUTH, '')].map((mistake) => `@CrudAuth: ${mistake}`);
}

/** What is wrong with the global configuration. */
export function globalMistakes(config: CrudGlobalConfig): string[] {
  return [...mistakesIn(config, GLOBAL, '')];
}

/** Every option by its path (`query.join.*.alias`), those of `@CrudAuth()` under `auth`, and the global ones under `global`, for the tests that must not miss one. */
export function optionPaths(): string[] {
  return [
    ...pathsIn(OPTIONS, ''),
    ...pathsIn(AUTH, 'auth'),
    // Below their first names, the global options are those of a resource.
    ...Object.keys(GLOBAL.keys).map((name) => join('global', name)),
  ];
}

function* pathsIn(shape: Shape, path: string): Generator<string> {
  if ('holds' in shape) yield path;
  else if ('each' in shape) yield* pathsIn(shape.each, join(path, '*'));
  else if ('items' in shape) yield* pathsIn(shape.items, join(path, '*'));
  else for (const [key, inner] of Object.entries(shape.keys)) yield* pathsIn(inner, join(path, key));
}

function* mistakesIn(value: unknown, shape: Shape, path: string): Generator<string> {
  if (value === undefined) return;

  if ('holds' in shape) {
    if (!shape.holds(value)) yield `${path} is ${show(value)}, but must ${shape.must}`;
  } else if ('items' in shape) {
    if (!Array.isArray(value)) yield `${path} is ${show(value)}, but must be a list`;
    else for (const [index, item] of value.entries()) yield* mistakesIn(item, shape.items, `${path}[${index}]`);
  } else if (!isPlainObject(value)) {
    yield `${path || 'the options'} is ${show(value)}, but must be an object`;
  } else if ('each' in shape) {
    for (const [key, item] of Object.entries(value)) yield* mistakesIn(item, shape.each, join(path, key));
  } else {
    for (const [key, item] of Object.entries(value)) {
      const inner = Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;

      if (inner) yield* mistakesIn(item, inner, join(path, key));
      else
        yield `${join(path, key)} is ${show(item)}, but there is no such option; known are ${Object.keys(shape.keys).join(', ')}`;
    }
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
