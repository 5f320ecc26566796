/** The names of a resource in, the schemas of one item of `fields`, `filter`, `sort` and `join` out: they take whatever a request may say; nothing is refused. */
import type { QueryOptions } from '../definition/options.js';
import type { SchemaObject } from './document-types.js';
import { type ClientNames, listedNames, type NameGroup } from './names.js';

const ANY_TEXT: SchemaObject = { type: 'string' };

/** One name in `fields`. */
export function selectSchema({ select }: ClientNames, { unknown }: QueryOptions): SchemaObject {
  const names = select?.names;
  if (!select || !names?.length) return ANY_TEXT;

  const description = `Fields: ${quoted(names)}`;
  if (unknown === 'ignore') return { type: 'string', description };

  return names.some(select.goesOn)
    ? { type: 'string', pattern: `^${oneOf([spelt(select)])}$`, description }
    : { type: 'string', enum: names };
}

/** One condition; operators are any word, and those of the application's own that are none. */
export function conditionSchema({ filter }: ClientNames, delim: string, custom: readonly string[]): SchemaObject {
  if (!filter) return ANY_TEXT;

  const between = escaped(delim);
  const operator = oneOf(['\\$?\\w+', ...custom.filter((name) => !/^\$?\w+$/.test(name)).map(escaped)]);

  return {
    type: 'string',
    pattern: `^${oneOf(filter.map(spelt))}${between}${operator}(${between}[\\s\\S]*)?$`,
    description: `Fields: ${quoted(listedNames(filter))}`,
  };
}

/** One field to sort by, with or without its order. */
export function orderSchema({ sort }: ClientNames, comma: string): SchemaObject {
  if (!sort) return ANY_TEXT;

  return {
    type: 'string',
    pattern: `^${oneOf(sort.map(spelt))}(${escaped(comma)}([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]))?$`,
    description: `Fields: ${quoted(listedNames(sort))}`,
  };
}

/** One relation, with whatever follows it. */
export function joinSchema({ join }: ClientNames, { unknown }: QueryOptions, delim: string): SchemaObject {
  if (join.length === 0) return ANY_TEXT;

  const returned = join.filter((relation) => relation.returned).flatMap(({ spellings: [path = ''] }) => path);
  const names = join.flatMap(({ spellings }) => spellings).map(escaped);

  return {
    type: 'string',
    ...(unknown !== 'ignore' && { pattern: `^${oneOf(names)}(${escaped(delim)}[\\s\\S]*)?$` }),
    description: `Relations: ${quoted(returned)}`,
  };
}

/** Names as a description lists them. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function spelt({ relation, names, goesOn }: NameGroup): string {
  const own = names ? oneOf(names.map((name) => escaped(name) + (goesOn(name) ? '(\\..+)?' : ''))) : '.+';

  return relation.length === 0 ? own : `${oneOf(relation.map(escaped))}\\.${own}`;
}

function oneOf(patterns: readonly string[]): string {
  return `(${patterns.join('|')})`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
