/** What the parser refuses a query with, and nodes of conditions that it makes. */
import { OPERATORS, parseQuery, RequestQueryException } from '@nestwright/crud-request';
import type { ConditionNode, ParseOptions } from '@nestwright/crud-request';

/** What a call is refused with. */
export function refusalOf(run: () => unknown): Partial<RequestQueryException> {
  try {
    run();
  } catch (error) {
    if (RequestQueryException.isRequestQueryException(error)) return error;
    throw error;
  }
  return {};
}

export const codeOf = (run: () => unknown) => refusalOf(run).code;
export function refusal(query: unknown, options?: ParseOptions): object {
  const { code, parameter, position, message, field } = refusalOf(() => parseQuery(query, options));
  return { code, parameter, position, message, ...(field !== undefined && { field }) };
}

export const comparison = (
  field: string,
  operator: keyof typeof OPERATORS,
  value?: unknown,
  fold = false,
): ConditionNode => ({ kind: 'comparison', field, operator: OPERATORS[operator], fold, value });
