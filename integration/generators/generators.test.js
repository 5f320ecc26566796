/** Clients that orval and hey-api generate of the documents of both examples compile under strict, and read, create, change and delete over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createApp } from '../example/dist/app.js';
import { createWorkspace } from '../workspace/dist/app.js';
import { TESTS_ALL } from '../../scripts/node-tests.js';
import { generate } from './generate.js';

const require = createRequire(import.meta.url);
const quiet = { databaseUrl: 'sqljs:', http: 'express', logger: ['error', 'fatal'] };

const EXAMPLES = [
  {
    name: 'example',
    create: () => createApp(quiet),
    headers: {},
    resource: 'CategoriesControllerCategory',
    filter: ['name||$eq||Generated'],
    body: { name: 'Generated' },
    change: { name: 'Changed' },
    path: {},
  },
  {
    // Handlers of its own stand beside the generated ones.
    name: 'workspace',
    create: () => createWorkspace(quiet),
    headers: { 'x-demo-member': '1' },
    resource: 'ProjectTasksControllerTask',
    filter: ['title||$eq||Generated'],
    body: { title: 'Generated', projectId: 1 },
    change: { title: 'Changed' },
    path: { projectId: 1 },
    own: 'projectTasksControllerComplete',
  },
];

for (const { name, create, headers, resource, filter, body, change, path, own } of TESTS_ALL
  ? EXAMPLES
  : EXAMPLES.slice(-1)) {
  describe(name, () => {
    const fetching = globalThis.fetch;
    let app, origin, compiled;

    before(async () => {
      app = await create();
      await app.listen(0, '127.0.0.1');
      origin = await app.getUrl();
      compiled = await generate(name, origin);
    });
    after(async () => {
      globalThis.fetch = fetching;
      await app?.close();
    });

    it('hey-api', async () => {
      const sdk = require(join(compiled, 'hey/sdk.gen.js'));
      const { client } = require(join(compiled, 'hey/client.gen.js'));
      client.setConfig({ baseUrl: origin, headers });
      const call = (route, options) => sdk[`${route}Base${resource}`]({ path, ...options });
      const one = (id) => ({ path: { ...path, id } });

      const made = await call('createOne', { body });
      assert.equal(made.response.status, 201);
      const { id } = made.data;
      const listed = await call('getMany', { query: { filter, fields: ['id'] } });
      assert.deepEqual([listed.error, listed.data], [undefined, [{ id }]]);
      assert.equal((await call('updateOne', { ...one(id), body: change })).response.status, 200);
      if (own) assert.equal((await sdk[own]({ ...one(id), body: { comment: 'Done' } })).data.status, 'done');
      const refused = await call('getMany', { query: { filter: ['nothing||$eq||1'] } });
      assert.deepEqual([refused.error.statusCode, refused.error.code], [400, 'CRUD_UNKNOWN_FIELD']);
      assert.equal((await call('deleteOne', one(id))).response.status, 200);
      const gone = await call('getOne', one(id));
      assert.deepEqual([gone.error.statusCode, gone.error.code], [404, 'CRUD_NOT_FOUND']);
    });

    it('orval', async () => {
      // Its functions name paths alone.
      globalThis.fetch = (url, { headers: sent, ...options }) =>
        fetching(new URL(url, origin), { ...options, headers: { ...sent, ...headers } });
      const orval = require(join(compiled, 'orval/client.js'));
      const within = Object.values(path);
      const call = (route, ...parameters) => orval[`${route}Base${resource}`](...within, ...parameters);

      const made = await call('createOne', body);
      assert.equal(made.status, 201);
      const { id } = made.data;
      assert.deepEqual((await call('getMany', { filter, fields: ['id'] })).data, [{ id }]);
      assert.equal((await call('updateOne', id, change)).status, 200);
      if (own) assert.equal((await orval[own](...within, id, { comment: 'Done' })).data.status, 'done');
      const refused = await call('getMany', { filter: ['nothing||$eq||1'] });
      assert.deepEqual([refused.status, refused.data.code], [400, 'CRUD_UNKNOWN_FIELD']);
      assert.equal((await call('deleteOne', id)).status, 200);
      const gone = await call('getOne', id);
      assert.deepEqual([gone.status, gone.data.code], [404, 'CRUD_NOT_FOUND']);
    });
  });
}
