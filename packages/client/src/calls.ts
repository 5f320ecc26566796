import { makeChanges } from './change.js';
import type { ClientOptions } from './client.types.js';
import { CrudError } from './errors.js';
import { type Asking, print } from './print-query.js';
import type { CallOptions, Id, Target } from './resource.types.js';
import { type Fits, isRow, makeSender, type Order } from './send.js';

type Row = Record<string, unknown>;

const isPage = (data: unknown): data is Row & { readonly data: Row[] } => isRow(data) && Array.isArray(data['data']);
const isCursorPage = (data: unknown) => isPage(data) && 'next' in data;
const isList = (data: unknown) => Array.isArray(data) || isPage(data);
const isAnything = (data: unknown) => data === '' || typeof data === 'object';
const has = (name: string) => (data: unknown) => isRow(data) && typeof data[name] === 'number';

/** All calls of a resource. */
export function makeCalls(path: string, options: ClientOptions) {
  const { key = 'id' } = options;
  const send = makeSender(path, options);
  const keyOf = (target: Target): unknown => (isRow(target) ? target[key] : target);
  const placeOf = (target: Target): string => {
    const id = String(keyOf(target) ?? '');
    // These would lead to another route, even encoded.
    if (/^\.{0,2}$/.test(id)) throw new CrudError(`"${id}" is no key`, { code: 'CLIENT_INVALID_KEY' });

    return `/${encodeURIComponent(id)}`;
  };
  const get = (place: string, order: CallOptions | undefined, fits: Fits) => send('GET', place, order, fits);
  const list = async (method: string, place: string, order?: Order): Promise<Row[]> => {
    const data: unknown = await send(method, place, order, isList);

    return isPage(data) ? data.data : (data as Row[]);
  };
  const bulk = (method: string) => (items: Row[], ask?: Asking, order?: CallOptions) =>
    list(method, `/bulk${print(ask)}`, { ...order, body: { bulk: items } });
  const keys = (method: string, place: string) => async (targets: Target[], order?: CallOptions) => {
    await send(
      method,
      place,
      { ...order, body: { bulk: targets.map((target) => ({ [key]: keyOf(target) })) } },
      isAnything,
    );
  };
  const page = (ask: Asking, order?: CallOptions, fits: Fits = isPage) =>
    get(
      print(ask, (query) => {
        const { page: number, offset, cursor } = query.queryObject as Row;
        if ((number ?? offset ?? cursor) === undefined) query.setPage(1);
      }),
      order,
      fits,
    );
  const cursorPage = (ask: Asking, position: string, order?: CallOptions) =>
    page(
      (query) => {
        ask?.(query);
        query.cursor(position);
      },
      order,
      isCursorPage,
    );

  const change = makeChanges(send, placeOf);
  const remove = change('DELETE', isAnything);

  return {
    /** A page by cursor, from a position. */
    cursorPage,
    getMany: (ask?: Asking, order?: CallOptions) => list('GET', print(ask), order),
    getPage: (ask?: Asking, order?: CallOptions) => page(ask, order),
    async *all(ask?: Asking, order?: CallOptions) {
      for (let next = ''; next !== null;) {
        const read = await cursorPage(ask, next, order);
        yield* read.data;
        next = read.next;
      }
    },
    getOne: async (id: Id, ask?: Asking, order?: CallOptions) => get(placeOf(id) + print(ask), order, isRow),
    create: (body: Row, ask?: Asking, order?: CallOptions) => send('POST', print(ask), { ...order, body }, isRow),
    createMany: bulk('POST'),
    update: change('PATCH', isRow),
    updateMany: bulk('PATCH'),
    updateWhere: (ask: Asking, set: Row, order?: CallOptions) =>
      send('PATCH', `/bulk${print(ask)}`, { ...order, body: { set } }, has('affected')),
    replace: change('PUT', isRow),
    replaceMany: bulk('PUT'),
    remove: async (target: Target, order?: CallOptions) => void (await remove(target, undefined, undefined, order)),
    removeMany: keys('POST', '/bulk/delete'),
    removeWhere: (ask: Asking, order?: CallOptions) => send('DELETE', `/bulk${print(ask)}`, order, has('affected')),
    recover: async (target: Target, order?: CallOptions) =>
      void (await send('PATCH', `${placeOf(target)}/recover`, order, isAnything)),
    recoverMany: keys('PATCH', '/bulk/recover'),
    count: async (ask?: Asking, order?: CallOptions) => (await get(`/count${print(ask)}`, order, has('count'))).count,
    aggregate: (ask: Asking, order?: CallOptions) => list('GET', `/aggregate${print(ask)}`, order),
    export: (format: 'ndjson' | 'csv', ask?: Asking, order?: CallOptions) =>
      get(
        print(ask, (query) => query.format(format)),
        order,
        null,
      ),
  };
}
