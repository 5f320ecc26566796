/**
 * Makes the framework's parsed query, or the query string itself, uniform: parameter → its values as texts. Unknown
 * parameters are ignored; a known parameter with another key form or nested values, and malformed percent-encoding, are
 * refused.
 *
 * @grammar
 * query = [ pair { "&" pair } ] ;
 * pair  = key "=" value ;                          (* percent-encoded, "+" for a blank *)
 * key   = parameter [ "[]" ] [ "[" digits "]" ] ; (* all mean the same; repeated keys concatenate, by index if given *)
 */
import { refuse } from '../errors.js';
import type { QueryLanguageOptions } from '../types/language-options.js';
import { cut } from './list.js';
import { type QueryLanguage, resolveLanguage } from './language.js';
import type { ParameterName } from './usual.js';

/** Values by parameter name as the client spelt it, brackets taken off. */
export type ParamMap = ReadonlyMap<string, readonly string[]>;

/**
 * Makes the keys and repeats of a query uniform.
 *
 * @param query an object as Express's, Fastify's or any other query parser makes it, or the query string itself;
 * anything else counts as empty
 * @throws RequestQueryException `CRUD_INVALID_QUERY`
 * @example
 * decodeQuery({ 'sort[1]': 'id', 'sort[0]': 'name', other: '1' }).get('sort'); // ['name', 'id']
 */
export function decodeQuery(
  query: unknown,
  language?: QueryLanguageOptions,
  parameters?: ReadonlySet<ParameterName>,
): ParamMap {
  return decode(query, resolveLanguage(language), parameters);
}

/** {@link decodeQuery} with a language that is resolved already. */
export function decode(query: unknown, language: QueryLanguage, wanted?: ReadonlySet<ParameterName>): ParamMap {
  const params = new Map<string, string[]>();
  const entries: { name: string; index: number; value: unknown }[] = [];
  const take = (key: string, value: unknown): void => {
    const [name] = cut(key, '[');
    const parameter =
      language.parameters.get(name) ?? (language.names.extra.some((start) => name.startsWith(start)) && 'extra');
    if (!parameter || (wanted && !wanted.has(parameter))) return;

    const [, index] = /^[^[]*(?:(?:\[\])?\[(\d{0,15})\])?$/.exec(key) ?? refuseForm(name);
    entries.push({ name, index: Number(index || -1), value });
  };

  if (typeof query === 'string') {
    const text = query.replace(/^\?/, '');
    const code = /[%+]/.test(text) ? unescape : String;
    for (const pair of text.split('&')) {
      const [key, next] = cut(pair, '=');
      take(code(key), code(next ? pair.slice(next) : ''));
    }
  } else {
    const values = (query ?? {}) as Record<string, unknown>;
    for (const key of Object.keys(values)) take(key, values[key]);
  }
  // Sorting is stable: what has no index keeps its order, and comes first.
  for (const { name, value } of entries.sort((a, b) => a.index - b.index)) append(params, name, value);

  return params;
}

/** Appends a value's texts to a parameter's; arrays and objects keyed by index are lists, one level deep. */
function append(params: Map<string, string[]>, name: string, value: unknown): void {
  let texts = params.get(name);
  if (!texts) params.set(name, (texts = []));

  // Some parsers turn a list beyond their limit into an object, whose integer keys come in ascending order, as those of
  // an array do.
  const items =
    typeof value === 'object' && value
      ? Object.entries(value).map(([key, item]: [string, unknown]) => (/^\d+$/.test(key) ? item : refuseForm(name)))
      : [value];
  for (const item of items) {
    if (/^(string|number|boolean|bigint)$/.test(typeof item)) texts.push(String(item));
    else if (item !== undefined && item !== null) refuseForm(name);
  }
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuseForm(text);
  }
}

function refuseForm(parameter: string): never {
  refuse('Invalid query. Text or texts expected', 'CRUD_INVALID_QUERY', { parameter, position: 0 });
}
