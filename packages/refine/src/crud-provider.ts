import {
  type ResourceQuery,
  type CrudMeta,
  errorsByField,
  nameResources,
  type NamedResourcesOptions,
  readAs,
  tellErrors,
} from '@nestwright/client';
import type { QuerySortArr } from '@nestwright/crud-request';
import type { BaseKey, CrudSort, DataProvider, GetListParams, HttpError } from '@refinedev/core';
import { conditionOf } from './conditions.js';

/** Options of the data provider: those of the client, and what resources are called. */
export type CrudDataProviderOptions = NamedResourcesOptions;

/** Refine's data provider, with what the API can do beside it. */
export interface CrudDataProvider extends Required<Omit<DataProvider, 'custom'>> {
  /** Recovers soft-deleted records, all or none. */
  recoverMany(params: { readonly resource: string; readonly ids: readonly BaseKey[] }): Promise<{ data: BaseKey[] }>;
  /** A whole list as a file, with the filters and the sort of a screen. */
  exportList(format: 'csv' | 'ndjson', params: Pick<GetListParams, 'resource' | 'filters' | 'sorters'>): Promise<Blob>;
}

// What a record of a screen has is known to the screen.
type Row = any;

/**
 * A data provider for refine. Lists have filters, sorts, pages or cursors; many records are read, changed and deleted by
 * one request; a record is only changed if nobody else has changed it since it was read.
 *
 * @example
 * <Refine dataProvider={crudDataProvider({ baseUrl: 'https://api.example.com' })} resources={[{ name: 'tasks' }]} />;
 */
export function crudDataProvider(options: CrudDataProviderOptions): CrudDataProvider {
  const resources = nameResources(options);
  const signalOf = (meta: Row): { signal?: AbortSignal } => ({ signal: meta?.queryContext?.signal });

  const provider: CrudDataProvider = {
    async getList({ resource, pagination: { currentPage = 1, pageSize = 10, mode } = {}, ...asked }) {
      const { client, key, identify } = resources(resource);
      const meta: CrudMeta | undefined = asked.meta as Row;
      const ask = (query: ResourceQuery) => askFor(query, key, asked.filters, asked.sorters, meta);

      if (mode === 'off' || mode === 'client') {
        const rows = await client.getMany((query) => ask(query), signalOf(meta));

        return { data: rows.map(identify), total: rows.length };
      }

      const page = (await client.getPage((query) => {
        const limited = ask(query).setLimit(pageSize);
        // The first page is asked for by its number, each further one by the cursor of the page before.
        const position: unknown = currentPage;

        return (
          meta?.cursor ? limited.cursor(typeof position === 'string' ? position : '') : limited.setPage(currentPage)
        ) as never;
      }, signalOf(meta))) as Row;
      const data = page.data.map(identify);

      return 'next' in page
        ? { data, total: page.total, cursor: { next: page.next ?? undefined, prev: page.previous ?? undefined } }
        : { data, total: page.total };
    },

    async getOne({ resource, id, meta }) {
      const { client, keep } = resources(resource);

      return {
        data: keep(await client.getOne(id, (query) => readAs(query, meta as Row), signalOf(meta))),
      };
    },

    async getMany({ resource, ids, meta }) {
      return { data: await resources(resource).readByKeys(ids, meta as Row, signalOf(meta)) };
    },

    async create({ resource, variables }) {
      const { client, keep } = resources(resource);

      return { data: keep(await client.create(variables as Row)) };
    },

    async createMany({ resource, variables }) {
      const { client, identify } = resources(resource);

      return { data: (await client.createMany(variables as Row[])).map(identify) };
    },

    async update({ resource, id, variables }) {
      const { client, keep, target } = resources(resource);

      return { data: keep(await client.update(target(id), variables as Row)) };
    },

    async updateMany({ resource, ids, variables }) {
      const { client, key, identify } = resources(resource);

      return { data: (await client.updateMany(ids.map((id) => ({ ...variables, [key]: id })))).map(identify) };
    },

    async deleteOne({ resource, id }) {
      const { client, target } = resources(resource);
      await client.remove(target(id));

      return { data: { id } as Row };
    },

    async deleteMany({ resource, ids }) {
      await resources(resource).client.removeMany(ids);

      return { data: ids.map((id) => ({ id })) as Row[] };
    },

    async recoverMany({ resource, ids }) {
      await resources(resource).client.recoverMany(ids);

      return { data: [...ids] };
    },

    async exportList(format, { resource, filters, sorters }) {
      const { client, key } = resources(resource);
      const file = await client.export(format, (query) => askFor(query, key, filters, sorters));

      return file.blob();
    },

    getApiUrl: () => options.baseUrl ?? '',
  };

  return tellErrors(provider, (error): Omit<HttpError, 'message'> => ({
    statusCode: error.status,
    errors: errorsByField(error),
  }));
}

/** What a screen asks of a list, but for its page. */
function askFor(
  query: ResourceQuery,
  key: string,
  filters?: GetListParams['filters'],
  sorters: CrudSort[] = [],
  meta?: CrudMeta,
): ResourceQuery {
  return readAs(query, meta)
    .search(conditionOf(filters))
    .sortBy(
      sorters.map(({ field, order }): QuerySortArr => [
        field === 'id' ? key : field,
        order === 'desc' ? 'DESC' : 'ASC',
      ]),
    );
}
