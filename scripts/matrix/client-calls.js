/** In: the address of the example. Out: what the built typed client gets from it, as JSON: records, a page by cursor, errors, a time limit, an abort. */
import { crudClient } from '../../packages/client/dist/index.js';

const [baseUrl] = process.argv.slice(2);
const companies = crudClient()('/companies', { baseUrl });
const failed = (call) =>
  call.then(
    () => 'no error',
    ({ name, status, code, field }) => ({ name, status, code, field }),
  );

const made = await companies.create({ name: 'Client', domain: `client-${Date.now()}.example` });
const changed = await companies.update(made, { description: 'by a client' });
const found = {
  list: await companies.getMany((query) => query.select(['name']).sortBy(['id', 'ASC']).setLimit(3)),
  page: await companies.getPage((query) => query.select(['name']).sortBy(['id', 'ASC']).setLimit(2)),
  joined: await companies.getOne(1, (query) => query.select(['name']).join('projects', ['name'])),
  changed: { name: changed.name, description: changed.description },
  removed: (await companies.remove(made)) ?? 'done',
  invalid: await failed(companies.create({ name: '' })),
  missing: await failed(companies.getOne(999_999)),
  unknown: await failed(companies.getMany((query) => query.select(['nothing']))),
  noKey: await failed(companies.getOne('..')),
  late: await failed(
    crudClient()('/companies', {
      baseUrl,
      timeout: 20,
      fetch: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    }).getMany(),
  ),
  aborted: await failed(companies.getMany(undefined, { signal: AbortSignal.abort(new TypeError('left')) })),
};
console.log(JSON.stringify(found));
