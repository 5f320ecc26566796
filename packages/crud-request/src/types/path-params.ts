/** How path parameters are read. */

/** How the text of a path parameter is checked: a decimal number, anything, or a UUID. */
export type ParamOptionType = 'number' | 'string' | 'uuid';

/** What becomes of one path parameter. */
export interface ParamOption {
  /** Record field that must equal it. Default: the parameter's name. */
  field?: string;
  /** How its text is checked and documented. Default: `string`. */
  type?: ParamOptionType;
  /** Enumeration, or list of the values that are accepted. Default: all. */
  enum?: Readonly<Record<string, string | number>> | readonly (string | number)[];
  /** Whether it names the record on single-record routes. Default: `false`. */
  primary?: boolean;
  /** Whether it takes no part in queries. Default: `false`. */
  disabled?: boolean;
}

/** Path parameters by name. */
export interface ParamsOptions {
  [name: string]: ParamOption;
}
