import {
  type ResourceQuery,
  countPages,
  errorsByField,
  isSame,
  type NamedResource,
  nameResources,
  type NamedResourcesOptions,
  readAs,
  tellErrors,
} from '@nestwright/client';
import type { DataProvider, GetListParams, Identifier, RaRecord } from 'ra-core';
import { conditionsOf } from './conditions.js';

/** Options of the data provider: those of the client, and what resources are called. */
export type CrudDataProviderOptions = NamedResourcesOptions;

/** React-admin's data provider, with what the API can do beside it. */
export interface CrudDataProvider extends DataProvider {
  /** Recovers a soft-deleted record. */
  recover(resource: string, params: { readonly id: Identifier }): Promise<{ data: { id: Identifier } }>;
  /** Recovers soft-deleted records, all or none. */
  recoverMany(resource: string, params: { readonly ids: readonly Identifier[] }): Promise<{ data: Identifier[] }>;
  /** A whole list as a file, with the filters and the sort of a screen, and the fields and relations of its `meta`. */
  exportList(resource: string, format: 'csv' | 'ndjson', params: ExportParams): Promise<Blob>;
  /**
   * Calls the client of a resource: for aggregates, counts, writes by a condition.
   *
   * @example
   * const total = await useDataProvider().call('tasks', (tasks) => tasks.count());
   */
  call<R>(resource: string, work: (client: NamedResource['client']) => Promise<R>): Promise<R>;
}

type ExportParams = Pick<GetListParams, 'filter' | 'sort' | 'meta'>;

// What a record of a screen has is known to the screen.
type Row = any;
type ListParams = Partial<GetListParams> & { readonly target?: string; readonly id?: Identifier };

/**
 * A data provider for react-admin. Lists have filters, sorts, pages or cursors; many records are read, changed and
 * deleted by one request; only what a form has changed is sent, and only if nobody else has changed the record since.
 *
 * @example
 * const dataProvider = crudDataProvider({ baseUrl: 'https://api.example.com' });
 * <Admin dataProvider={dataProvider}>…</Admin>;
 */
export function crudDataProvider(options: CrudDataProviderOptions): CrudDataProvider {
  const resources = nameResources(options);
  const pagesOf = countPages();

  async function readList(name: string, params: ListParams) {
    const { pagination: { page, perPage } = { page: 1, perPage: 10 }, meta, signal } = params;
    const { client, key, identify } = resources(name);
    const ask = (query: ResourceQuery) => askFor(query, params, key).setLimit(perPage);
    const pages = meta?.cursor ? pagesOf(JSON.stringify([name, params.filter, params.sort, perPage, meta])) : undefined;
    const position = pages?.get(page);

    // Pages that were not walked to, as after a reload, are read by their number.
    if (!pages || position === undefined) {
      const { data, total } = await client.getPage((query) => ask(query).setPage(page), { signal });

      return { data: data.map(identify), total };
    }

    const { data, next } = (await client.getPage((query) => ask(query).cursor(position), {
      signal,
    })) as { data: Row[]; next?: string | null };
    if (next) pages.set(page + 1, next);
    else pages.delete(page + 1);

    return { data: data.map(identify), pageInfo: { hasNextPage: Boolean(next), hasPreviousPage: page > 1 } };
  }

  const provider: CrudDataProvider = {
    supportAbortSignal: true,

    getList: (name, params) => readList(name, params),

    async getOne(name, { id, meta, signal }) {
      const { client, keep } = resources(name);

      return { data: keep(await client.getOne(id, (query) => readAs(query, meta), { signal })) };
    },

    async getMany(name, { ids, meta, signal }) {
      return { data: await resources(name).readByKeys(ids, meta, { signal }) };
    },

    getManyReference: (name, { target, id, filter, ...params }) =>
      readList(name, { ...params, filter: { ...filter, [`${target}||$eq`]: id } }),

    async create(name, { data }) {
      const { client, keep } = resources(name);

      return { data: keep(await client.create(data)) };
    },

    async update(name, { id, data, previousData }) {
      const { client, key, keep, target } = resources(name);
      const changes = changesOf(data, previousData, key);
      if (Object.keys(changes).length === 0 && previousData) return { data: previousData as Row };

      return { data: keep(await client.update(target(id, previousData), changes)) };
    },

    async updateMany(name, { ids, data }) {
      const { client, key } = resources(name);
      await client.updateMany(ids.map((id) => ({ ...data, [key]: id })));

      return { data: ids };
    },

    async delete(name, { id, previousData }) {
      const { client, target } = resources(name);
      await client.remove(target(id, previousData));

      return { data: (previousData ?? { id }) as Row };
    },

    async deleteMany(name, { ids }) {
      await resources(name).client.removeMany(ids);

      return { data: ids };
    },

    async recover(name, { id }) {
      await resources(name).client.recover(id);

      return { data: { id } };
    },

    async recoverMany(name, { ids }) {
      await resources(name).client.recoverMany(ids);

      return { data: [...ids] };
    },

    async exportList(name, format, params) {
      const { client, key } = resources(name);
      const file = await client.export(format, (query) => askFor(query, params, key));

      return file.blob();
    },

    call: (name, work) => work(resources(name).client),
  };

  // Forms show these texts beside their fields.
  return tellErrors(provider, (error) => ({ body: { errors: errorsByField(error) } }));
}

/** What a screen asks of a list, but for its page. */
function askFor(query: ResourceQuery, { filter = {}, sort, meta }: ListParams, key: string): ResourceQuery {
  readAs(query, meta).setFilter(conditionsOf(filter as object));

  return sort?.field ? query.sortBy([sort.field === 'id' ? key : sort.field, sort.order]) : query;
}

/** What a form has changed. The key stands in the path. */
function changesOf(data: Partial<RaRecord>, previous: Partial<RaRecord> | undefined, key: string): Row {
  return Object.fromEntries(
    Object.entries(data).filter(
      ([name, value]) => name !== key && name !== 'id' && !isSame(value, previous?.[name] as unknown),
    ),
  );
}
