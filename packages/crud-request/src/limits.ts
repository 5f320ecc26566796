/** How large one request may be; each bound exceeded is a `CRUD_LIMIT_EXCEEDED`. */
export interface QueryLimits {
  /**
   * Conditions of `filter`, `or`, `s` and of joins together: every operator is one, as is an empty condition.
   * Default: 100.
   */
  conditions: number;
  /** How deep `$and`, `$or` and `$not` may be nested in `s`. Default: 16. */
  nesting: number;
  /** Items of one list: the values of `in`, the names in `fields`. Default: 1000. */
  listValues: number;
  /** Joined relations. Default: 20. */
  joins: number;
  /** Sort fields. Default: 10. */
  sorts: number;
  /** Groups and functions of a request for aggregates together. Default: 50. */
  aggregates: number;
  /** UTF-16 units of one value or name. Default: 4096. */
  valueLength: number;
}

/** The bounds that apply if none are given. */
export const DEFAULT_LIMITS: Readonly<QueryLimits> = /* @__PURE__ */ Object.freeze({
  conditions: 100,
  nesting: 16,
  listValues: 1000,
  joins: 20,
  sorts: 10,
  aggregates: 50,
  valueLength: 4096,
});

/**
 * Complete bounds: what is not given is the default.
 *
 * @example
 * completeLimits({ joins: 3 }).conditions; // 100
 */
export function completeLimits(limits: Partial<QueryLimits> | undefined): Readonly<QueryLimits> {
  return limits ? { ...DEFAULT_LIMITS, ...limits } : DEFAULT_LIMITS;
}

/** What is counted, if the option's name does not say it. */
const COUNTED: Partial<Record<keyof QueryLimits, string>> = {
  nesting: 'levels of nesting',
  listValues: 'values in a list',
  valueLength: 'characters in a value',
};

/** The message of a bound that is exceeded. */
export function limitMessage(most: number, limit: keyof QueryLimits): string {
  return `Invalid query. At most ${most} ${COUNTED[limit] ?? limit} expected`;
}
