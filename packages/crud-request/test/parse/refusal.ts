/** What the parser refuses a query with, and nodes of conditions that it makes. */
import { OPERATORS, parseQuery, type ParseOptions, RequestQueryException } from '@nestwright/crud-request';

export function refusal(query: unknown, options?: ParseOptions): object {
  try {
    parseQuery(query, options);
  } catch (error) {
    if (RequestQueryException.isRequestQueryException(error)) {
      const { code, parameter, position, message, field } = error;
      return { code, parameter, position, message, ...(field !== undefined && { field }) };
    }
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(query)}`);
}

export const comparison = (field: string, operator: keyof typeof OPERATORS, value?: unknown, fold = false): object => ({
  kind: 'comparison',
  field,
  operator: OPERATORS[operator],
  fold,
  value,
});
