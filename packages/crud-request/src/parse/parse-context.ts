/**
 * What the parsers of one query share: language, limits, the conditions counted so far, the current position, and how
 * they refuse.
 */
import { refuse, type QueryErrorCode } from '../errors.js';
import { type QueryLimits, limitMessage } from '../limits.js';
import type { CustomOperatorTable } from '../syntax/custom-operators.js';
import type { ParamMap } from '../syntax/decode-query.js';
import type { QueryLanguage } from '../syntax/language.js';

/** State of reading one query. */
export interface ParseContext {
  readonly language: QueryLanguage;
  readonly limits: Readonly<QueryLimits>;
  readonly custom: CustomOperatorTable;
  readonly params: ParamMap;
  conditions: number;
  /** The parameter that is being read, as the client spelt it. */
  parameter: string;
  /** Where the text that is being read starts in the parameter's value. */
  offset: number;
}

/** Refuses the text that is being read, `at` so many units behind its start. */
export function refuseText(
  { parameter, offset }: ParseContext,
  at: number,
  message: string,
  code: QueryErrorCode = 'CRUD_INVALID_QUERY',
  field?: string,
): never {
  refuse(message, code, { parameter, position: offset + at, field });
}

/** Refuses what is more than a bound allows. */
export function bound(context: ParseContext, at: number, size: number, limit: keyof QueryLimits): void {
  const most = context.limits[limit];
  if (size > most) refuseText(context, at, limitMessage(most, limit), 'CRUD_LIMIT_EXCEEDED');
}
