/** Checks names and kinds of options, at any depth. Whether fields and relations exist is checked elsewhere. */
import { AUTH, GLOBAL, OPTIONS } from './option-table.js';
import type { Shape } from './option-kinds.js';
import type { CrudGlobalConfig, CrudOptions } from './options.js';
import { findNearName, show } from './wording.js';
import { isPlainObject } from './plain-objects.js';

/** An option of the wrong name or kind. */
export interface OptionMistake {
  /** The option that is left unset by it, down to the second name (`query.limit`); that of `@CrudAuth()` as a whole. */
  readonly option: string;
  readonly text: string;
}

/** What is wrong with the options of `@Crud()`, those of the global configuration filled in. */
export function shapeMistakes(options: CrudOptions): OptionMistake[] {
  const { auth: _auth, ...own } = options as CrudOptions & { auth?: unknown };

  return [...findMistakes(own, { keys: OPTIONS }, '')].map(({ option, text }) => ({ option: pickGroup(option), text }));
}

/** What is wrong with the options of `@CrudAuth()`. */
export function authMistakes(auth: object): OptionMistake[] {
  return [...findMistakes(auth, { keys: AUTH }, '')].map(({ text }) => ({
    option: '@CrudAuth',
    text: `@CrudAuth: ${text}`,
  }));
}

/** What is wrong with the global configuration. */
export function globalMistakes(config: CrudGlobalConfig): string[] {
  return [...findMistakes(config, { keys: GLOBAL }, '')].map(({ text }) => text);
}

/** `query` has too many options to be one. */
function pickGroup(option: string): string {
  const [first = '', second] = option.split('.');

  return first === 'query' && second !== undefined ? `${first}.${second}` : first;
}

function* findMistakes(value: unknown, shape: Shape, path: string): Generator<OptionMistake> {
  if (value === undefined) return;

  if ('holds' in shape) {
    if (!shape.holds(value)) yield wrongKind(path, value, shape.must);
  } else if ('items' in shape) {
    if (!Array.isArray(value)) yield wrongKind(path, value, 'be a list');
    else for (const [index, item] of value.entries()) yield* findMistakes(item, shape.items, `${path}[${index}]`);
  } else if (!isPlainObject(value)) {
    const or = 'or' in shape ? shape.or : undefined;
    if (!or?.holds(value)) yield wrongKind(path, value, or ? `${or.must}, or an object` : 'be an object');
  } else if ('each' in shape) {
    for (const [key, item] of Object.entries(value)) yield* findMistakes(item, shape.each, join(path, key));
  } else {
    for (const [key, item] of Object.entries(value)) {
      const known = Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;

      if (known) yield* findMistakes(item, known.shape, join(path, key));
      else yield unknownOption(path, key, item, Object.keys(shape.keys));
    }
  }
}

function wrongKind(path: string, value: unknown, must: string): OptionMistake {
  return { option: path, text: `${path || 'the options'} is ${show(value)}, but must ${must}` };
}

function unknownOption(path: string, key: string, value: unknown, known: readonly string[]): OptionMistake {
  const meant = findNearName(key, known);
  const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;

  return {
    option: join(path, meant ?? key),
    text: `${join(path, key)} is ${show(value)}, but there is no such option; ${hint}`,
  };
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
