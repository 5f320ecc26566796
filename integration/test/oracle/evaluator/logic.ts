/** SQL's three truth values and what becomes of them: null is "unknown", which neither holds nor fails. */

export type Truth = boolean | null;

export function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

/** Fails where one fails, holds where all hold. */
export function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;

  return truths.includes(null) ? null : true;
}

/** Holds where one holds, fails where all fail. */
export function some(truths: readonly Truth[]): Truth {
  return not(every(truths.map(not)));
}
