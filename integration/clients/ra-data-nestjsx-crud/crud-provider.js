/** react-admin's data provider: ra-data-nestjsx-crud, with lists that are read by cursors and many records written by one request. */
import published from 'ra-data-nestjsx-crud';

// Node.js hands over a CommonJS module whole, bundlers its default export.
const crudProvider = published.default ?? published;

/** How many lists are remembered, each with the cursors of its pages. */
const MOST_LISTS = 50;

/**
 * @param apiUrl address of the API, without a slash at its end
 * @param http fetches an address, as `fetchUtils.fetchJson` does
 */
export function dataProvider(apiUrl, http) {
  const provider = crudProvider(apiUrl, http);
  const lists = new Map();

  /** The cursors of a list by their page; react-admin counts pages, and asks for them one after the other. */
  function cursorsOf(resource, { filter, sort, pagination }) {
    const key = JSON.stringify([resource, filter, sort, pagination.perPage]);
    const cursors = lists.get(key) ?? new Map([[1, '']]);

    lists.delete(key);
    lists.set(key, cursors);
    if (lists.size > MOST_LISTS) lists.delete(lists.keys().next().value);

    return cursors;
  }

  const sendMany = (path, method, bulk) => http(`${apiUrl}/${path}`, { method, body: JSON.stringify({ bulk }) });

  return {
    ...provider,

    async getList(resource, params) {
      const { page } = params.pagination;
      const cursors = params.meta?.cursor ? cursorsOf(resource, params) : undefined;
      const cursor = cursors?.get(page);
      // Pages that were not walked to, as after a reload, are read by their number.
      if (cursor === undefined) return provider.getList(resource, params);

      let envelope;
      const byCursor = crudProvider(apiUrl, async (url, options) => {
        const [path, query] = url.split('?');
        const search = new URLSearchParams(query);
        search.delete('page');
        search.delete('offset');
        search.set('cursor', cursor);
        const answer = await http(`${path}?${search}`, options);
        envelope = answer.json;
        return answer;
      });
      const { data } = await byCursor.getList(resource, params);

      if (envelope.next === null) cursors.delete(page + 1);
      else cursors.set(page + 1, envelope.next);

      return { data, pageInfo: { hasNextPage: envelope.next !== null, hasPreviousPage: page > 1 } };
    },

    async updateMany(resource, { ids, data }) {
      await sendMany(
        `${resource}/bulk`,
        'PATCH',
        ids.map((id) => ({ ...data, id })),
      );
      return { data: ids };
    },

    async deleteMany(resource, { ids }) {
      await sendMany(
        `${resource}/bulk/delete`,
        'POST',
        ids.map((id) => ({ id })),
      );
      return { data: ids };
    },
  };
}
