import { makeChanges } from './change.js';
import type { ClientOptions } from './client.types.js';
import { CrudError } from './errors.js';
import type { Asking } from './print-query.js';
import type { CallOptions, Id, Target } from './resource.types.js';
import { isRow, makeSender } from './send.js';

type Row = Record<string, unknown>;

const isPage = (data: unknown) => Array.isArray((data as Row)['data']);
const isCursorPage = (data: unknown) => isPage(data) && 'next' in (data as Row);
const isList = (data: unknown) => Array.isArray(data) || isPage(data);
const isAnything = (data: unknown) => data === '' || typeof data === 'object';
const has = (name: string) => (data: unknown) => typeof (data as Row)[name] === 'number';

/** All calls of a resource, and a page by cursor from a position, which is no call of its own. */
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

  const list = async (method: string, place: string, order?: CallOptions, ask?: Asking, body?: Row): Promise<Row[]> => {
    const data = await send(method, place, isList, order, ask, body);

    return data.data ?? data;
  };
  const bulk = (method: string) => (items: Row[], ask?: Asking, order?: CallOptions) =>
    list(method, '/bulk', order, ask, { bulk: items });
  const keys = (method: string, place: string) => async (targets: Target[], order?: CallOptions) => {
    const items = targets.map((target) => ({ [key]: keyOf(target) }));
    await send(method, place, isAnything, order, undefined, { bulk: items });
  };
  const page = (ask: Asking, order?: CallOptions, fits = isPage) =>
    send('GET', '', fits, order, (query) => {
      ask?.(query);
      const { page: number, offset, cursor } = query.queryObject;
      if ((number ?? offset ?? cursor) === undefined) query.setPage(1);
    });
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

  const calls = {
    getMany: (ask?: Asking, order?: CallOptions) => list('GET', '', order, ask),
    getPage: (ask?: Asking, order?: CallOptions) => page(ask, order),
    async *all(ask?: Asking, order?: CallOptions) {
      for (let next = ''; next !== null;) {
        const read = await cursorPage(ask, next, order);
        yield* read.data;
        next = read.next;
      }
    },
    getOne: async (id: Id, ask?: Asking, order?: CallOptions) => send('GET', placeOf(id), isRow, order, ask),
    create: (body: Row, ask?: Asking, order?: CallOptions) => send('POST', '', isRow, order, ask, body),
    createMany: bulk('POST'),
    update: change('PATCH', isRow),
    updateMany: bulk('PATCH'),
    updateWhere: (ask: Asking, set: Row, order?: CallOptions) =>
      send('PATCH', '/bulk', has('affected'), order, ask, { set }),
    replace: change('PUT', isRow),
    replaceMany: bulk('PUT'),
    remove: async (target: Target, order?: CallOptions) => void (await remove(target, undefined, undefined, order)),
    removeMany: keys('POST', '/bulk/delete'),
    removeWhere: (ask: Asking, order?: CallOptions) => send('DELETE', '/bulk', has('affected'), order, ask),
    recover: async (target: Target, order?: CallOptions) =>
      void (await send('PATCH', `${placeOf(target)}/recover`, isAnything, order)),
    recoverMany: keys('PATCH', '/bulk/recover'),
    count: async (ask?: Asking, order?: CallOptions) => (await send('GET', '/count', has('count'), order, ask)).count,
    aggregate: (ask: Asking, order?: CallOptions) => list('GET', '/aggregate', order, ask),
    export: (format: 'ndjson' | 'csv', ask?: Asking, order?: CallOptions) =>
      send('GET', '', null, order, (query) => {
        ask?.(query);
        query.format(format);
      }),
  };

  return { calls, cursorPage };
}
