/** `@nestwright/refine`, against the workspace: lists by cursors, many records by one request, through refine's own hooks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crudDataProvider } from '@nestwright/refine';
import { Refine, useDeleteMany, useInfiniteList, useUpdateMany } from '@refinedev/core';
import { Window } from 'happy-dom';
import React from 'react';
import { createRoot } from 'react-dom/client';
import { renderHook } from '../harness/hooks.js';
import { asJson, describeApplication, ids } from '../harness/matrix.js';
import { jsxBlocks, mistakesIn } from '../harness/page.js';

const RESOURCE = 'tasks';

test('the screens that docs/clients.md shows compile', () => {
  const screens = jsxBlocks('@refinedev/core');

  assert.equal(screens.length, 1);
  assert.deepEqual(
    screens.flatMap((code) => mistakesIn(code, import.meta.dirname)),
    [],
  );
  assert.match(
    String(mistakesIn(screens[0].replace('import { ', 'import { Nothing, '), import.meta.dirname)),
    /Nothing/,
  );
});

describeApplication("refine's hooks", 'workspace', (app) => {
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
    const options = { disableTelemetry: true };
    const around = (child) =>
      React.createElement(Refine, { dataProvider: provider, resources: [{ name: RESOURCE }], options }, child);
    return renderHook({ React, createRoot, Window }, around, useHook);
  }

  test('an infinite list is walked by cursors, each record once', async () => {
    const { sent, provider } = watched();
    const hook = render(provider, () =>
      useInfiniteList({
        resource: RESOURCE,
        pagination: { pageSize: 7 },
        sorters: [{ field: 'title', order: 'asc' }],
        filters: [{ field: 'status', operator: 'ne', value: 'done' }],
        meta: { cursor: true },
      }),
    );
    let pages = 1;
    let list = await hook.until(({ result }) => result.data !== undefined);
    for (; list.result.hasNextPage; pages += 1) {
      void list.query.fetchNextPage();
      list = await hook.until(({ result }) => result.data.pages.length > pages);
    }
    await hook.unmount();

    const [{ tenantId }] = await app.stored('Member', { where: { id: 1 } });
    const expected = (await app.stored('Task', { where: { tenantId } })).filter(({ status }) => status !== 'done');
    const listed = list.result.data.pages.flatMap(({ data }) => data);
    assert.equal(listed.length, expected.length);
    assert.deepEqual(new Set(ids(listed)), new Set(ids(expected)));
    assert.equal(pages, Math.ceil(expected.length / 7));
    assert.ok(sent.every((request) => /[?&]cursor=/.test(request) && !/[?&](page|offset)=/.test(request)));
  });

  test('without cursors, pages have their numbers and the total', async () => {
    const { provider } = watched();
    const page = await provider.getList({ resource: RESOURCE, pagination: { currentPage: 9, pageSize: 7 } });
    assert.equal(page.total, 60);
    assert.equal(page.data.length, 4);
  });

  test('many records are changed, and deleted, by one request each', async () => {
    const { sent, provider } = watched();
    const chosen = [2, 3, 5];
    const update = render(provider, () => useUpdateMany());
    const { mutateAsync: updateMany } = await update.until(() => true);
    const { data: updated } = await updateMany({ resource: RESOURCE, ids: chosen, values: { priority: 77 } });
    await update.unmount();
    const stored = await app.stored('Task', { where: { priority: 77 } });
    assert.deepEqual(ids(stored), chosen);
    assert.deepEqual(
      updated.map(({ id, title, version }) => ({ id, title, version })),
      stored.map(({ id, title, version }) => asJson({ id, title, version })),
    );

    const remove = render(provider, () => useDeleteMany());
    const { mutateAsync: deleteMany } = await remove.until(() => true);
    const { data: deleted } = await deleteMany({ resource: RESOURCE, ids: chosen });
    await remove.unmount();
    assert.deepEqual(ids(deleted), chosen);
    assert.deepEqual(await app.stored('Task', { where: { priority: 77 } }), []);
    assert.deepEqual(sent, ['PATCH /tasks/bulk', 'POST /tasks/bulk/delete']);
  });

  test('one record out of reach, and none is changed', async () => {
    const ofAnotherTenant = 61;
    await assert.rejects(
      watched().provider.updateMany({ resource: RESOURCE, ids: [7, ofAnotherTenant], variables: { priority: 78 } }),
      ({ statusCode }) => statusCode === 404,
    );
    assert.deepEqual(await app.stored('Task', { where: { priority: 78 } }), []);
  });
});
