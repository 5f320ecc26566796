/** The language without options, and the one of the process: all that a builder in a front end loads of it. */
import type { QueryLanguageOptions } from '../types/language-options.js';

/** A query parameter by its meaning, whatever it is called in a request. */
export type ParameterName = keyof NonNullable<QueryLanguageOptions['paramNamesMap']>;

/** What queries are printed with. */
export interface Spelling {
  readonly delim: string;
  readonly delimStr: string;
  /** Default: `repeat`. */
  readonly arrayFormat?: 'repeat' | 'indices';
  /** Names by parameter; the first is printed. Default: the parameter's own. */
  readonly names: Readonly<Partial<Record<ParameterName, readonly string[]>>>;
}

/** Delimiters and names, as far as they differ from those of the parameters. */
export const USUAL = { delim: '||', delimStr: ',', names: { search: ['s'] } } as const satisfies Spelling;

export const SLOT = /* @__PURE__ */ Symbol.for('nestwright.query.language');

/**
 * What options have made of the language of the process, if there are any. It is kept on globalThis: an application may
 * load this package as ES module and as CommonJS at once.
 */
export const shared = globalThis as { [SLOT]?: Spelling & { readonly options: Readonly<QueryLanguageOptions> } };
