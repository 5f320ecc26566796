/** Refine's data provider: @refinedev/nestjsx-crud, with lists that are read by cursors and many records written by one request. */
import crudProvider, { transformHttpError } from '@refinedev/nestjsx-crud';

/**
 * @param apiUrl address of the API, without a slash at its end
 * @param http an instance of axios
 * @returns {import('@refinedev/core').DataProvider}
 */
export function dataProvider(apiUrl, http) {
  const provider = crudProvider(apiUrl, http);

  async function sendMany(path, method, bulk) {
    try {
      return (await http.request({ url: `${apiUrl}/${path}`, method, data: { bulk } })).data;
    } catch (error) {
      throw transformHttpError(error);
    }
  }

  return {
    ...provider,

    async getList(params) {
      if (!params.meta?.cursor) return provider.getList(params);

      // The first page is asked for by its number, each following one by the cursor of the page before.
      const { currentPage } = params.pagination ?? {};
      const cursor = typeof currentPage === 'string' ? currentPage : '';
      let envelope;
      const byCursor = crudProvider(apiUrl, {
        async get(url) {
          const [path, query] = url.split('?');
          const search = new URLSearchParams(query);
          search.delete('page');
          search.delete('offset');
          search.set('cursor', cursor);
          const answer = await http.get(`${path}?${search}`);
          envelope = answer.data;
          return answer;
        },
      });
      const { data } = await byCursor.getList({ ...params, pagination: { ...params.pagination, currentPage: 1 } });

      return { data, cursor: { next: envelope.next ?? undefined, prev: envelope.previous ?? undefined } };
    },

    async updateMany({ resource, ids, variables }) {
      const bulk = ids.map((id) => ({ ...variables, id }));
      return { data: await sendMany(`${resource}/bulk`, 'PATCH', bulk) };
    },

    async deleteMany({ resource, ids }) {
      const bulk = ids.map((id) => ({ id }));
      await sendMany(`${resource}/bulk/delete`, 'POST', bulk);
      return { data: bulk };
    },
  };
}
