/** Names of parameters, and schemas of the items of `fields`, `filter`, `sort` and `join`. */
import { type ParameterName, QUERY_PARAMETERS } from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { ExampleObject, ParameterObject, SchemaObject } from './json-schema.js';
import type { ClientNames, NameGroup } from './client-names.js';

/** What a parameter's description is made of. */
export interface Context {
  readonly query: ResourceDefinition['options']['query'];
  /** Between the parts of a filter (`||`), and between names (`,`). */
  readonly delim: string;
  readonly comma: string;
  /** Operators of the application's own. */
  readonly custom: readonly string[];
  readonly names: ClientNames;
}

export type Description = Omit<ParameterObject, 'name' | 'in' | 'required'>;
export type ParameterKey = Exclude<ParameterName, 'extra'>;

/** A parameter that may be repeated. */
export function repeated(items: SchemaObject, maxItems: number): Pick<Description, 'style' | 'explode' | 'schema'> {
  return { style: 'form', explode: true, schema: { type: 'array', items, maxItems } };
}

/** Named examples. "Try it out" in Swagger UI fills in the first one, so that one is empty. */
export function makeExamples(
  none: unknown,
  examples: Readonly<Record<string, readonly [summary: string, value: unknown]>> = {},
): Record<string, ExampleObject> {
  const named = Object.entries(examples).map(([key, [summary, value]]): [string, ExampleObject] => [
    key.replace(/[^\w.-]/g, '_'),
    { summary, value },
  ]);

  return { none: { summary: 'None', value: none }, ...Object.fromEntries(named) };
}

const ANY_TEXT: SchemaObject = { type: 'string' };

/** One name in `fields`. */
export function selectSchema({ select }: ClientNames, { unknown }: QueryOptions): SchemaObject {
  const names = select?.names;
  if (!select || !names?.length || unknown === 'ignore') return ANY_TEXT;

  return names.some(select.hasSubfields)
    ? { type: 'string', pattern: `^${anyPattern([namePattern(select)])}$` }
    : { type: 'string', enum: names };
}

/** One condition; operators are any word, and those of the application's own that are none. */
export function conditionSchema({ filter }: ClientNames, delim: string, custom: readonly string[]): SchemaObject {
  if (!filter) return ANY_TEXT;

  const between = escapePattern(delim);
  const operator = anyPattern(['\\$?\\w+', ...custom.filter((name) => !/^\$?\w+$/.test(name)).map(escapePattern)]);

  return {
    type: 'string',
    pattern: `^${anyPattern(filter.map(namePattern))}${between}${operator}(${between}[\\s\\S]*)?$`,
  };
}

/** One field to sort by, with or without its order. */
export function orderSchema({ sort }: ClientNames, comma: string): SchemaObject {
  if (!sort) return ANY_TEXT;

  return {
    type: 'string',
    pattern: `^${anyPattern(sort.map(namePattern))}(${escapePattern(comma)}([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]))?$`,
  };
}

/** One relation, with whatever follows it. */
export function joinSchema({ join }: ClientNames, { unknown }: QueryOptions, delim: string): SchemaObject {
  if (join.length === 0) return ANY_TEXT;

  const names = join.flatMap(({ spellings }) => spellings).map(escapePattern);

  return {
    type: 'string',
    ...(unknown !== 'ignore' && { pattern: `^${anyPattern(names)}(${escapePattern(delim)}[\\s\\S]*)?$` }),
  };
}

/**
 * A sentence that lists the names, for a parameter's description: Swagger UI does not show the schema of list items.
 * Empty if there are no names.
 */
export function listSentence(what: string, names: readonly string[] | undefined): string {
  return names?.length ? ` ${what}: ${quoteNames(names)}.` : '';
}

/** Names as a description lists them. */
export function quoteNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function namePattern({ relation, names, hasSubfields }: NameGroup): string {
  const own = names
    ? anyPattern(names.map((name) => escapePattern(name) + (hasSubfields(name) ? '(\\..+)?' : '')))
    : '.+';

  return relation.length === 0 ? own : `${anyPattern(relation.map(escapePattern))}\\.${own}`;
}

/** A pattern that matches any of the texts. */
export function anyPattern(patterns: readonly string[]): string {
  return `(${patterns.join('|')})`;
}

/** A text, escapePattern for a pattern. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The documented name of a parameter: its first one; the others are accepted, too. */
export function nameParameter({ paramNamesMap }: ResourceDefinition['language'], key: ParameterKey): string {
  const [name] = [paramNamesMap?.[key] ?? QUERY_PARAMETERS[key].names].flat();

  return name ?? key;
}
