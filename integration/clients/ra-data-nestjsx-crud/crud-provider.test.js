/** `@nestwright/react-admin`, against the workspace: lists by cursors, many records by one request, through react-admin's own hooks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crudDataProvider } from '@nestwright/react-admin';
import { Window } from 'happy-dom';
import { CoreAdminContext, testDataProvider, useDeleteMany, useInfiniteGetList, useUpdateMany } from 'ra-core';
import React from 'react';
import { createRoot } from 'react-dom/client';
import { renderHook } from '../harness/hooks.js';
import { describeApplication, ids } from '../harness/matrix.js';
import { jsxBlocks, mistakesIn } from '../harness/page.js';

const RESOURCE = 'tasks';
const SORT = { field: 'title', order: 'ASC' };

test('the screens that docs/clients.md shows compile', () => {
  const screens = jsxBlocks('react-admin');

  assert.equal(screens.length, 2);
  assert.deepEqual(
    screens.flatMap((code) => mistakesIn(code, import.meta.dirname)),
    [],
  );
  assert.match(
    String(mistakesIn(screens[0].replace('import { ', 'import { Nothing, '), import.meta.dirname)),
    /Nothing/,
  );
});

describeApplication("react-admin's hooks", 'workspace', (app) => {
  /** A provider for the first tenant's owner, and the requests that it sends. */
  function watched() {
    const sent = [];
    const provider = crudDataProvider({
      baseUrl: app.url,
      headers: { 'x-demo-member': '1' },
      fetch: (url, init) => {
        sent.push(`${init.method} ${url.slice(app.url.length)}`);
        return fetch(url, init);
      },
    });
    return { sent, provider };
  }

  function render(provider, useHook) {
    const around = (child) =>
      React.createElement(CoreAdminContext, { dataProvider: { ...testDataProvider(), ...provider } }, child);
    return renderHook({ React, createRoot, Window }, around, useHook);
  }

  const pageOf = (provider, page, more) =>
    provider.getList(RESOURCE, { pagination: { page, perPage: 7 }, sort: SORT, filter: {}, ...more });

  test('an infinite list is walked by cursors, each record once', async () => {
    const { sent, provider } = watched();
    const params = { pagination: { page: 1, perPage: 7 }, sort: SORT, filter: { 'status||$ne': 'done' } };
    const hook = render(provider, () => useInfiniteGetList(RESOURCE, { ...params, meta: { cursor: true } }));
    let pages = 1;
    let list = await hook.until(({ data }) => data !== undefined);
    for (; list.hasNextPage; pages += 1) {
      void list.fetchNextPage();
      list = await hook.until(({ data }) => data.pages.length > pages);
    }
    await hook.unmount();

    const [{ tenantId }] = await app.stored('Member', { where: { id: 1 } });
    const expected = (await app.stored('Task', { where: { tenantId } })).filter(({ status }) => status !== 'done');
    const listed = list.data.pages.flatMap(({ data }) => data);
    assert.equal(listed.length, expected.length);
    assert.deepEqual(new Set(ids(listed)), new Set(ids(expected)));
    assert.equal(pages, Math.ceil(expected.length / 7));
    assert.ok(sent.every((request) => /[?&]cursor=/.test(request) && !/[?&](page|offset)=/.test(request)));
  });

  test('pages may be asked for again, without the one before, and without cursors', async () => {
    const { sent, provider } = watched();
    const meta = { cursor: true };
    const numbered = await pageOf(provider, 3);
    assert.equal(numbered.total, 60);
    assert.deepEqual((await pageOf(provider, 3, { meta })).data, numbered.data);
    const first = await pageOf(provider, 1, { meta });
    assert.deepEqual(first.pageInfo, { hasNextPage: true, hasPreviousPage: false });
    const second = await pageOf(provider, 2, { meta });
    assert.deepEqual(await pageOf(provider, 1, { meta }), first);
    assert.deepEqual(await pageOf(provider, 2, { meta }), second);
    assert.deepEqual((await pageOf(provider, 3, { meta })).data, numbered.data);
    assert.equal(sent.filter((request) => request.includes('page=3')).length, 2);
  });

  test('many records are changed, and deleted, by one request each', async () => {
    const { sent, provider } = watched();
    const chosen = [2, 3, 5];
    const update = render(provider, () => useUpdateMany());
    const [updateMany] = await update.until(() => true);
    const updated = await updateMany(RESOURCE, { ids: chosen, data: { priority: 77 } }, { returnPromise: true });
    await update.unmount();
    assert.deepEqual(updated, chosen);
    assert.deepEqual(ids(await app.stored('Task', { where: { priority: 77 } })), chosen);

    const remove = render(provider, () => useDeleteMany());
    const [deleteMany] = await remove.until(() => true);
    assert.deepEqual(await deleteMany(RESOURCE, { ids: chosen }, { returnPromise: true }), chosen);
    await remove.unmount();
    assert.deepEqual(await app.stored('Task', { where: { priority: 77 } }), []);
    assert.deepEqual(sent, ['PATCH /tasks/bulk', 'POST /tasks/bulk/delete']);
  });

  test('one record out of reach, and none is changed', async () => {
    const ofAnotherTenant = 61;
    await assert.rejects(
      watched().provider.updateMany(RESOURCE, { ids: [7, ofAnotherTenant], data: { priority: 78 } }),
      ({ status, message }) => status === 404 && message === 'bulk.1 Task not found',
    );
    assert.deepEqual(await app.stored('Task', { where: { priority: 78 } }), []);
  });
});
