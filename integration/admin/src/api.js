/** The data provider that docs/clients.md shows, with two methods more: rows of aggregates, and whole lists as files. */
import { RequestQueryBuilder } from '@nestwright/crud-request';
import { HttpError } from 'react-admin';
import { dataProvider } from '../../clients/ra-data-nestjsx-crud/crud-provider.js';
import { API, headersOf, http } from './http.js';

/** A list as a file: what the provider asks for it, but for its page. */
async function exported(resource, { filter, sort }) {
  let file;
  const whole = dataProvider(API, async (url) => {
    const address = new URL(url);
    for (const name of ['limit', 'page', 'offset']) address.searchParams.delete(name);
    address.searchParams.set('format', 'csv');
    const response = await fetch(address, { headers: headersOf() });
    if (!response.ok) throw new HttpError(response.statusText, response.status);
    file = await response.blob();
    return { json: { data: [] } };
  });
  await whole.getList(resource, { pagination: { page: 1, perPage: 1 }, filter, sort });

  return file;
}

export const provider = {
  ...dataProvider(API, http),
  exported,

  /** @param groups fields to group by; @param functions `['count', '*']` and their like */
  async aggregate(resource, groups, functions) {
    const query = RequestQueryBuilder.create()
      .groupBy(...groups)
      .aggregate(...functions);
    return (await http(`${API}/${resource}/aggregate?${query.query()}`)).json;
  },
};
