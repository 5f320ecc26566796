import type { makeCalls } from './calls.js';
import { type Asking, print } from './print-query.js';
import type { CallOptions, Id } from './resource.types.js';

type Row = Record<string, unknown>;

/** Writes whose one variable is the first parameter of the call. */
const ONE_VARIABLE = [
  'create',
  'createMany',
  'updateMany',
  'replaceMany',
  'remove',
  'removeMany',
  'recover',
  'recoverMany',
] as const;

/** The objects of a resource for TanStack Query. */
export function makeQueries(path: string, { calls, cursorPage }: ReturnType<typeof makeCalls>) {
  const question = (parts: (string | Id)[], queryFn: (context: CallOptions & { pageParam: string }) => unknown) => ({
    queryKey: [path, ...parts],
    queryFn,
  });
  // As the calls, these have types of their own.
  const mutation = (name: string, mutationFn: (variables: any) => unknown) => ({
    mutationKey: [path, name],
    mutationFn,
  });

  return {
    queries: {
      key: [path],
      list: (ask?: Asking) => question(['list', print(ask)], ({ signal }) => calls.getMany(ask, { signal })),
      infinite: (ask?: Asking) => ({
        ...question(['infinite', print(ask)], ({ pageParam, signal }) => cursorPage(ask, pageParam, { signal })),
        initialPageParam: '',
        getNextPageParam: ({ next }: Row) => next ?? undefined,
      }),
      one: (id: Id, ask?: Asking) =>
        question(['one', String(id), print(ask)], ({ signal }) => calls.getOne(id, ask, { signal })),
      count: (ask?: Asking) => question(['count', print(ask)], ({ signal }) => calls.count(ask, { signal })),
      aggregate: (ask: Asking) => question(['aggregate', print(ask)], ({ signal }) => calls.aggregate(ask, { signal })),
    },
    mutations: {
      ...Object.fromEntries(
        ONE_VARIABLE.map((name) => [
          name,
          mutation(name, (variable) => (calls[name] as (variable: never) => unknown)(variable as never)),
        ]),
      ),
      update: mutation('update', ({ target, changes }) => calls.update(target, changes)),
      replace: mutation('replace', ({ target, body }) => calls.replace(target, body)),
    },
  };
}
