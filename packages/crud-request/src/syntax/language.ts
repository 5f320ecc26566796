/** Delimiters and parameter names in force, indexed. Options that could not be read back are refused. */
import { refuse } from '../errors.js';
import type { QueryLanguageOptions } from '../types/language-options.js';
import { cut } from './list.js';
import { QUERY_PARAMETERS } from './parameters.js';
import { type ParameterName, shared, SLOT, type Spelling, USUAL } from './usual.js';

/** A language that is ready for use. */
export interface QueryLanguage extends Spelling {
  readonly arrayFormat: 'repeat' | 'indices';
  /** Names by parameter; the first is printed, all are read. */
  readonly names: Readonly<Record<ParameterName, readonly string[]>>;
  /** Parameter by name, the prefixes of `extra` aside. A Map, since clients may send `__proto__`. */
  readonly parameters: ReadonlyMap<string, ParameterName>;
  /** The options that it was made of, complete. */
  readonly options: Readonly<QueryLanguageOptions>;
}

/** These give way if an application already has their name for another one. */
const NEWER: ReadonlySet<ParameterName> = /* @__PURE__ */ new Set<ParameterName>([
  'cursor',
  'total',
  'format',
  'groupBy',
  'aggregate',
  'having',
]);

const NONE: Readonly<QueryLanguageOptions> = {};

// What was made last: an application seldom has more than one language.
let last: { base: object | undefined; options: object; language: QueryLanguage } | undefined;

/**
 * The language that options make, on top of those of the process. The last are kept: an options object must not change.
 *
 * @throws RequestQueryException for delimiters or names with which no query could be read back
 */
export function resolveLanguage(options: QueryLanguageOptions = NONE): QueryLanguage {
  const base = shared[SLOT]?.options;
  if (last?.options !== options || last.base !== base) last = { base, options, language: compile(base, options) };

  return last.language;
}

/**
 * Changes the options of the process; what is not named keeps its value. Nothing changes when the outcome is refused.
 */
export function setProcessLanguage(options: QueryLanguageOptions): void {
  shared[SLOT] = compile(shared[SLOT]?.options, options);
}

function compile(base: QueryLanguageOptions | undefined, options: QueryLanguageOptions): QueryLanguage {
  const { delim = USUAL.delim, delimStr = USUAL.delimStr, arrayFormat = 'repeat' } = { ...base, ...options };
  for (const delimiter of [delimStr, delim]) {
    // A backslash is the escape of list items, and names are made of letters, digits and dots.
    if (!/^[^\\a-z\d.\ud800-\udfff]+$/i.test(delimiter) || delimStr.includes(delim)) refuse('Invalid delimiters');
  }
  const given = { ...base?.paramNamesMap, ...options.paramNamesMap };
  const parameters = new Map<string, ParameterName>();
  const names = {} as Record<ParameterName, readonly string[]>;
  for (const { name: parameter, names: usual } of Object.values(QUERY_PARAMETERS)) {
    // `filter[]` is `filter`: nestjsx/crud's documentation has `filter: ['filter[]', 'filter']`.
    const own = new Set([given[parameter] ?? usual].flat().map((name) => cut(`${name}`, '[]')[0]));
    const isNewer = NEWER.has(parameter);
    if (isNewer && parameters.has(parameter)) own.delete(parameter);

    names[parameter] = [...own];
    for (const name of own.size || isNewer ? own : ['']) {
      // Other brackets are syntax of keys (`filter[0]`); a member of Object.prototype would be found in every object.
      if (/^$|[[\]]/.test(name) || name in {} || parameters.has(name)) refuse(`Invalid name of ${parameter}`);

      if (parameter !== 'extra') parameters.set(name, parameter);
    }
  }
  const paramNamesMap = Object.freeze(names) as QueryLanguageOptions['paramNamesMap'];
  const complete = Object.freeze({ delim, delimStr, arrayFormat, paramNamesMap });

  return { delim, delimStr, arrayFormat, names, parameters, options: complete };
}
