import type { makeCalls } from './calls.js';
import { type Asking, print } from './print-query.js';
import type { CallOptions, Id } from './resource.types.js';

type Row = Record<string, unknown>;

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
    },
    mutations: {
      create: mutation('create', (body) => calls.create(body)),
      update: mutation('update', ({ target, changes }) => calls.update(target, changes)),
      remove: mutation('remove', (target) => calls.remove(target)),
    },
  };
}
