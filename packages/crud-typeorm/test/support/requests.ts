/** Requests as services get them, and what services refuse. */
import type { CrudRequest, CrudRequestOptions } from '@nestwright/crud';

/** What an interceptor would make of a request. */
export interface Sent {
  /** Values of path parameters. */
  readonly path?: Record<string, unknown>;
  /** The condition of `@CrudAuth()`. */
  readonly auth?: object | undefined;
  readonly options?: CrudRequestOptions;
  readonly join?: readonly string[];
  /** What else of the query or of `@CrudAuth()` was parsed. */
  readonly parsed?: object;
}

const nothing = () => ({ fields: [], filter: [], or: [], sort: [], extra: {} });

export function requestOf({ path = {}, auth, options = {}, join = [], parsed = {} }: Sent = {}): CrudRequest {
  const paramsFilter = Object.entries(path).map(([field, value]) => ({ field, operator: '$eq', value }));
  const byPath = paramsFilter.map(({ field, value }) => ({ [field]: { $eq: value } }));
  const scope = { $and: [...(auth ? [auth] : []), ...byPath] };
  const joined = join.map((field) => ({ field }));
  return {
    parsed: { ...nothing(), paramsFilter, search: scope, join: joined, ...parsed },
    options,
    scope,
  } as unknown as CrudRequest;
}

/** What becomes of work that is refused with an answer. */
export const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (error: { getResponse?: () => unknown }) => error.getResponse?.() ?? error,
  );
