import { QueryBuilder } from '@nestwright/crud-request';

export type Query = QueryBuilder & { join(...join: unknown[]): Query };
export type Asking = ((query: Query) => unknown) | undefined;

/** The query that is asked for, behind a path. */
export function print(ask: Asking): string {
  const query = Object.assign(new QueryBuilder(), {
    join(...join: unknown[]) {
      return query.setJoin(join as never);
    },
  }) as Query;
  ask?.(query);
  const text = query.query();

  return text && `?${text}`;
}
