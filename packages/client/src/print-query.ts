import { RequestQueryBuilder } from '@nestwright/crud-request';

export type Query = RequestQueryBuilder & { join(...join: unknown[]): Query };
export type Asking = ((query: Query) => unknown) | undefined;

/** The query that is asked for, behind a path. */
export function print(ask: Asking, prepare?: (query: Query) => unknown): string {
  const query = Object.assign(new RequestQueryBuilder(), {
    join(...join: unknown[]) {
      return query.setJoin(join as never);
    },
  }) as Query;
  ask?.(query);
  prepare?.(query);
  const text = query.query();

  return text && `?${text}`;
}
