/** The hooks around changes over HTTP, on each database: which are called, in which order and with what, what they may change, and what they undo; for writes of many, each row once, all or none. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { ConflictException, Logger } from '@nestjs/common';
import type { Change } from '@nestwright/crud';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Statements } from '../support/statements.js';
import { type Comment, Folder, Label, Note } from './application.js';
import { servingChanges } from './serving.js';

const around = (kind: string) => ['before', 'after', 'commit'].map((hook) => `${hook} ${kind} Note`);

describeDatabases('hooks around changes', (db) => {
  const { source, write, notes } = servingChanges(db);
  let note: Note;
  const stored = () => source.manager.findOneByOrFail(Note, { id: note.id });
  const send = (method: 'patch' | 'put', title: string, status?: number) =>
    write(method, `/notes/${note.id}`, { title }, status);
  const post = (title: string, status = 201) => write('post', '/notes', { title }, status);

  beforeEach(async () => {
    note = await source.manager.save(Note, { title: 'first', price: '1.50', secret: 's' });
  });

  test.each([
    ['create', () => post('new')],
    ['update', () => send('patch', 'new')],
    ['replace', () => send('put', 'new')],
    ['delete', () => write('delete', `/notes/${note.id}`)],
  ] as const)('%s: before, after and commit, once each, with row, request and route', async (kind, work) => {
    expect(await work()).not.toHaveProperty('secret');
    expect(notes.calls).toEqual(around(kind));
    for (const { context, changes } of notes.told) {
      expect(context.route).toBe(`${kind}OneBase`);
      expect(context.request.parsed.paramsFilter).toHaveLength(kind === 'create' ? 0 : 1);
      expect(changes[0]).not.toHaveProperty('before');
      expect(changes[0]!.record.title).toBe(kind === 'delete' ? 'first' : 'new');
    }
    expect(notes.told[0]!.context.manager.queryRunner).toBeDefined();
    const [before, after] = notes.told.map(({ changes: [change] }) => change!.record);
    expect(after).toMatchObject({ id: expect.anything(), owner: 'ada', deletedAt: null });
    // With columns that answers leave out.
    if (kind === 'update') expect([before, after]).toMatchObject([1, 2].map((version) => ({ version, secret: 's' })));
    expect(notes.told[2]!.context.manager).toBe(source.manager);
  });

  test('recover: only of what was deleted', async () => {
    await write('patch', `/notes/${note.id}/recover`);
    expect(notes.calls).toEqual([]);
    await source.manager.softDelete(Note, note.id);
    await write('patch', `/notes/${note.id}/recover`);
    expect(notes.calls).toEqual(around('recover'));
    const rows = notes.told.map(({ changes: [change] }) => change!.record);
    expect(rows).toMatchObject([{ deletedAt: null }, { deletedAt: null, version: 3 }, { version: 3 }]);
  });

  test('before is there where needsBefore asks for it, of the kinds that it names', async () => {
    notes.reset(true);
    await send('patch', 'new');
    await send('put', 'newer');
    await write('delete', `/notes/${note.id}`);
    await write('patch', `/notes/${note.id}/recover`);
    await post('other');
    const seen = notes.told
      .filter(({ hook }) => hook === 'after')
      .map(({ changes: [change] }) => `${change!.kind} ${change!.before?.title} ${change!.before?.deletedAt === null}`);
    const existing = ['update first true', 'replace new true', 'delete newer true', 'recover newer false'];
    expect(seen).toEqual([...existing, 'create undefined false']);
    notes.reset(['delete']);
    await send('patch', 'last');
    await write('delete', `/notes/${note.id}`);
    const titles = notes.told.map(({ changes: [change] }) => change!.before?.title);
    expect(titles).toEqual([...Array(3).fill(undefined), ...Array(3).fill('last')]);
  });

  test('beforeChange changes what a PUT stores', async () => {
    notes.onBefore = ({ record }) => void Object.assign(record, { slug: 'set', secret: 'hashed' });
    expect(await send('put', 'new')).toMatchObject({ title: 'new', slug: 'set', price: null });
    expect(notes.told.at(-1)!.changes[0]!.record).toMatchObject({ slug: 'set', secret: 'hashed' });
  });

  test('what beforeChange deletes is not stored, nor its values for the key, the version and the mark of deletion', async () => {
    notes.onBefore = ({ kind, record }) => {
      Reflect.deleteProperty(record, 'slug');
      if (kind === 'update') Object.assign(record, { id: 99, version: 7, deletedAt: new Date() });
    };
    const body = await write('patch', `/notes/${note.id}`, { title: 'new', slug: 's' });
    expect(body).toMatchObject({ id: note.id, title: 'new', slug: null, version: 2, deletedAt: null });
    expect(await write('post', '/notes', { title: 'other', slug: 's' }, 201)).toMatchObject({ slug: null });
  });

  test('values that a column does not take are refused, and so is a broken constraint', async () => {
    notes.onBefore = ({ record }) => void (record.title = 'x'.repeat(21));
    expect(await send('patch', 'new', 400)).toMatchObject({ code: 'CRUD_VALUE_OUT_OF_RANGE', field: 'title' });
    notes.onBefore = ({ record }) => void (record.title = null);
    await post('new', 400);
    notes.onBefore = ({ record }) => void (record.folderId = NaN);
    await send('patch', 'new', 400);
    await source.manager.update(Note, note.id, { slug: 'taken' });
    notes.onBefore = ({ record }) => void (record.slug = 'taken');
    expect(await post('new', 409)).toMatchObject({ code: 'CRUD_UNIQUE_VIOLATION', field: 'slug' });
    expect(await source.manager.count(Note)).toBe(1);
    expect(notes.calls.filter((call) => !call.startsWith('before'))).toEqual([]);
  });

  test('the scope holds for what beforeChange sets: persist wins, and the filter and links are checked', async () => {
    notes.onBefore = ({ record }) => void (record.secret = 'mine');
    const body = await write('post', '/scoped', { title: 'new' }, 201);
    await write('patch', `/scoped/${body.id}`, { title: 'newer' });
    expect(notes.told.at(-1)!.changes[0]!.record).toMatchObject({ title: 'newer', secret: 'kept' });
    notes.onBefore = ({ record }) => void (record.owner = 'bob');
    const [title, scoped] = ['new', `/scoped/${note.id}`];
    for (const [method, path] of Object.entries({ post: '/scoped', patch: scoped, put: scoped }))
      expect(await write(method as 'post', path, { title }, 400)).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
    const hidden = await source.manager.save(Folder, { name: 'hidden', owner: 'bob' });
    notes.onBefore = ({ record }) => void (record.folderId = hidden.id);
    await write('post', '/scoped', { title }, 400);
    await write('patch', scoped, { title }, 400);
    expect(await stored()).toMatchObject({ title: 'first', owner: 'ada', folderId: null });
    expect(await source.manager.count(Note)).toBe(2);
  });

  test.each(['onBefore', 'onAfter'] as const)('%s refuses: its own answer, and nothing is stored', async (hook) => {
    notes[hook] = () => Promise.reject(new ConflictException('closed'));
    const closed = { message: 'closed', error: 'Conflict', statusCode: 409 };
    expect(await post('new', 409)).toEqual(closed);
    await send('patch', 'new', 409);
    await send('put', 'new', 409);
    expect(notes.calls.filter((call) => call.startsWith('before'))).toHaveLength(3);
    await write('delete', `/notes/${note.id}`, undefined, 409);
    expect(await source.manager.find(Note)).toMatchObject([{ title: 'first', version: 1 }]);
    expect(notes.calls.some((call) => call.startsWith('commit'))).toBe(false);
  });

  test('an afterCommit that throws is logged, and the answer stays', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    notes.onCommit = () => Promise.reject(new Error('no mail today'));
    await post('new');
    expect(await source.manager.count(Note)).toBe(2);
    const [message] = log.mock.calls.flat();
    expect([log.mock.calls.length, message]).toEqual([1, 'NotesService.afterCommit failed: Error: no mail today']);
    log.mockRestore();
  });

  test('afterCommit is called when the connection is free, and may write by the same service', async () => {
    notes.onCommit = async (changes, { request: own }) => {
      if (changes[0]!.record.title === 'new')
        await notes.createOne({ ...own, parsed: { ...own.parsed } }, { title: 'again' });
    };
    await Promise.all(Array.from({ length: 12 }, () => post('new')));
    expect(await source.manager.countBy(Note, { title: 'again' })).toBe(12);
  });

  test('rows of cascades are told in the order in which they are stored', async () => {
    const sent = { title: 'new', folder: { name: 'f' }, comments: [{ text: 'a' }, { text: 'b' }] };
    const body = await write('post', '/notes?join=comments', sent, 201);
    expect(notes.calls).toEqual([
      ...['before create Folder', 'after create Folder', 'before create Note', 'after create Note'],
      ...['before create Comment', 'before create Comment', 'after create Comment', 'after create Comment'],
      'commit create Folder create Note create Comment create Comment',
    ]);
    expect(notes.told[2]!.changes[0]!.record.folderId).toEqual(expect.any(Number));
    expect(notes.told[4]!.changes[0]!.record).toMatchObject({ text: 'a', noteId: body.id });
    notes.reset(true);
    const [a, b] = body.comments as Comment[];
    await write('patch', `/notes/${body.id}`, { comments: [{ id: a!.id, text: 'A' }, { text: 'c' }] });
    expect(notes.calls).toEqual([
      ...['before update Comment', 'after update Comment', 'before delete Comment', 'after delete Comment'],
      ...['before create Comment', 'after create Comment', 'commit update Comment delete Comment create Comment'],
    ]);
    expect(notes.told[1]!.changes[0]).toMatchObject({ record: { text: 'A' }, before: { text: 'a' } });
    expect(notes.told[3]!.changes[0]).toMatchObject({ record: { id: b!.id }, before: { text: 'b' } });
  });

  test('a change of links alone is an update of the record that has them, and does not advance its version', async () => {
    const [a, b] = (await source.manager.save(Label, [{ name: 'a' }, { name: 'b' }])).map(({ id }) => ({ id }));
    const linked: number[] = [];
    notes.onAfter = async (_, { manager }) => void linked.push(await manager.count('change_note_labels'));
    const link = (...ids: object[]) => write('patch', `/notes/${note.id}?join=labels`, { labels: ids });
    const body = await link(a!, b!);
    expect(body).toMatchObject({ version: 1, labels: [{ name: 'a' }, { name: 'b' }] });
    expect(notes.calls).toEqual(around('update'));
    notes.told.length = 0;
    await link(b!, a!);
    expect(notes.calls).toEqual([]);
    await link(b!);
    expect([notes.calls, linked]).toEqual([around('update'), [2, 1]]);
    expect((await stored()).version).toBe(1);
    notes.told.length = 0;
    await write('patch', `/notes/${note.id}`, { labels: [b], comments: [{ text: 'x' }] });
    expect(notes.calls).toEqual(['before create Comment', 'after create Comment', 'commit create Comment']);
    notes.told.length = 0;
    await write('patch', `/notes/${note.id}`, { labels: [b, { name: 'c' }] });
    const created = ['before create Label', 'after create Label'];
    const [before, after] = around('update') as [string, string];
    expect(notes.calls).toEqual([before, ...created, after, 'commit create Label update Note']);
    notes.onBefore = ({ record }) => void (record.title = 'hook');
    await link(a!);
    expect(await stored()).toMatchObject({ title: 'hook', version: 2 });
  });
});

describeDatabases('hooks around changes of many', (db) => {
  const log = new Statements();
  const { source, write, notes } = servingChanges(db, { source: { logger: log, logging: true } });
  let list: Note[];
  const ids = () => list.map(({ id }) => ({ id }));
  const titles = async () => (await source.manager.find(Note, { order: { id: 1 } })).map(({ title }) => title);

  beforeEach(async () => {
    notes.reset(true);
    const sent = ['a', 'b', 'c'].map((title) => ({ title, price: '1.50' }));
    list = await source.manager.save(Note, sent);
  });

  /** What a hook was told, as `update a → A`. */
  const textOf = ({ kind, record, before }: Change) => `${kind} ${before?.title ?? 'none'} → ${record.title}`;
  const told = (hook: string) => notes.told.flatMap((one) => (one.hook === hook ? one.changes.map(textOf) : []));
  const expectTold = (...all: string[]) =>
    expect([told('before'), told('after'), told('commit')]).toEqual([all, all, all]);

  test('rows are told without the related records that a body names', async () => {
    const [note] = ids();
    const [label] = await source.manager.save(Label, [{ name: 'a' }]);
    await write('patch', `/notes/${note!.id}`, { title: 'A', labels: [label!.id] });
    await write('patch', `/notes/${note!.id}`, { labels: [] });
    await write('put', `/notes/${note!.id}`, { title: 'B', labels: [label!.id] });
    const rows = notes.told.flatMap(({ changes }) => changes.flatMap(({ before, record }) => [before, record]));
    expect(rows).toHaveLength(18);
    expect(rows.map((row) => (row as Partial<Note>).labels)).toEqual(rows.map(() => undefined));
  });

  test('PATCH, but for items that change nothing; PUT; recovery of what was deleted', async () => {
    const changes = [{ title: 'A' }, { title: 'b', price: 1.5 }, { price: '2.00' }];
    await write('patch', '/notes/bulk', { bulk: changes.map((change, index) => ({ ...ids()[index], ...change })) });
    expectTold('update a → A', 'update c → c');
    notes.reset(true);
    await source.manager.softDelete(Note, list[2]!.id);
    await write('put', '/notes/bulk', { bulk: [{ ...ids()[0], title: 'AA' }] });
    await write('patch', '/notes/bulk/recover', { bulk: ids() });
    expectTold('replace A → AA', 'recover c → c');
    expect(notes.told.at(-1)!.changes.map(({ record }) => record.deletedAt)).toEqual([null]);
  });

  test('a bulk upsert calls them in the order of the body', async () => {
    await write('post', '/upserted/bulk', { bulk: ['a', 'b'].map((slug) => ({ slug, title: slug })) }, 201);
    notes.reset(true);
    const bulk = ['x', 'a', 'y', 'b', 'z'].map((slug) => ({ slug, title: slug.toUpperCase() }));
    await write('post', '/upserted/bulk', { bulk }, 201);
    expectTold('create none → X', 'update a → A', 'create none → Y', 'update b → B', 'create none → Z');
  });

  const HOOKS = ['onBefore', 'onAfter'] as const;
  test.each(HOOKS)('what a hook (%s) of one row writes to the next is what that is found with', async (hook) => {
    const [a, b, c] = ids();
    notes[hook] = async ({ record, kind }, { manager }) => {
      if (record['id' as never] === a!.id && kind === 'update')
        await manager.update(Note, [b!.id, c!.id], { title: 'hook' });
    };
    const bulk = [{ ...a, title: 'A' }, { ...b, title: 'b' }, { ...c, price: '2.00' }]; // prettier-ignore
    await write('patch', '/notes/bulk', { bulk });
    expect(told('commit')).toEqual(['update a → A', 'update hook → b', 'update hook → hook']);
    expect(await titles()).toEqual(['A', 'b', 'hook']);
  });

  test('what a hook of one row takes from the next by a foreign key is not there any more', async () => {
    const folder = await source.manager.save(Folder, { name: 'f' });
    const inFolder = list.map((note) => ({ ...note, folderId: folder.id }));
    await source.manager.save(Note, inFolder);
    notes.onBefore = (_, { manager }) => manager.delete(Folder, folder.id);
    await write('patch', '/notes/bulk', { bulk: ids().map((id) => ({ ...id, title: 'new' })) });
    const before = notes.told.filter(({ hook }) => hook === 'before');
    expect(before.map(({ changes: [change] }) => change!.record.folderId as unknown)).toEqual([folder.id, null, null]);
  });

  test('what hooks read, and rows that they add elsewhere, cost no further reading', async () => {
    notes.onAfter = async (_, { manager }) => {
      await manager.insert(Label, { name: 'audit' });
      await manager.transaction((within) => within.query('\n SELECT 1'));
    };
    const bulk = list.map(({ id, title }) => ({ id, title: `${title}!`, rank: null }));
    const sql = await log.of(() => write('patch', '/notes/bulk', { bulk }));
    const read = sql.filter((text) => /^SELECT .*secret.* FROM .change_notes. /s.test(text));
    // All before the first hook, and each after its change.
    expect(read.map((text) => / IN \([^)]*,/.test(text))).toEqual([true, false, false, false]);
  });
});
