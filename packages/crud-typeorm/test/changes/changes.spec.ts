/** The hooks around changes over HTTP, on each database: which are called, in which order and with what, what they may change, and what they undo. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { ConflictException, Logger } from '@nestjs/common';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Comment, Folder, Label, Note } from './application.js';
import { servingChanges } from './serving.js';

describeDatabases('hooks around changes', (db) => {
  const { source, write, notes } = servingChanges(db);
  let note: Note;

  const stored = () => source.manager.findOneByOrFail(Note, { id: note.id });

  beforeEach(async () => {
    note = await source.manager.save(Note, { title: 'first', price: '1.50', secret: 's' });
  });

  test.each([
    ['create', () => write('post', '/notes', { title: 'new' }, 201), 'createOneBase'],
    ['update', () => write('patch', `/notes/${note.id}`, { title: 'new' }), 'updateOneBase'],
    ['replace', () => write('put', `/notes/${note.id}`, { title: 'new' }), 'replaceOneBase'],
    ['delete', () => write('delete', `/notes/${note.id}`), 'deleteOneBase'],
  ] as const)(
    '%s: before, after and commit, once each, with the row, the request and the route',
    async (kind, send, route) => {
      await send();

      expect(notes.calls).toEqual([`before ${kind} Note`, `after ${kind} Note`, `commit ${kind} Note`]);
      for (const { context, changes } of notes.told) {
        expect(context.route).toBe(route);
        expect(context.request.parsed.paramsFilter).toHaveLength(kind === 'create' ? 0 : 1);
        expect(changes[0]).not.toHaveProperty('before');
        expect(changes[0]!.record.title).toBe(kind === 'delete' ? 'first' : 'new');
      }
      expect(notes.told[0]!.context.manager.queryRunner).toBeDefined();
      expect(notes.told[1]!.changes[0]!.record).toMatchObject({ id: expect.anything(), owner: 'ada' });
      expect(notes.told[2]!.context.manager).toBe(source.manager);
    },
  );

  test('recover: only of what was deleted', async () => {
    await write('patch', `/notes/${note.id}/recover`);
    expect(notes.calls).toEqual([]);

    await source.manager.softDelete(Note, note.id);
    await write('patch', `/notes/${note.id}/recover`);
    expect(notes.calls).toEqual(['before recover Note', 'after recover Note', 'commit recover Note']);
    expect(notes.told[1]!.changes[0]!.record.deletedAt).toBeNull();
  });

  test('records are whole in every hook, with columns that answers leave out', async () => {
    const body = await write('patch', `/notes/${note.id}`, { title: 'new' });

    expect(body).not.toHaveProperty('secret');
    const [before, after, commit] = notes.told.map(({ changes: [change] }) => change!.record);
    expect(before).toMatchObject({ id: note.id, title: 'new', owner: 'ada', secret: 's', version: 1 });
    expect(after).toMatchObject({ id: note.id, title: 'new', owner: 'ada', secret: 's', version: 2 });
    expect(commit).toEqual(after);
  });

  test('before is there where needsBefore asks for it, of the kinds that it names', async () => {
    notes.reset(true);
    await write('patch', `/notes/${note.id}`, { title: 'new' });
    await write('put', `/notes/${note.id}`, { title: 'newer' });
    await write('delete', `/notes/${note.id}`);
    await write('patch', `/notes/${note.id}/recover`);
    await write('post', '/notes', { title: 'other' }, 201);

    const seen = notes.told
      .filter(({ hook }) => hook === 'after')
      .map(({ changes: [change] }) => `${change!.kind} ${change!.before?.title} ${change!.before?.deletedAt === null}`);
    expect(seen).toEqual([
      ...['update first true', 'replace new true', 'delete newer true', 'recover newer false'],
      'create undefined false',
    ]);

    notes.reset(['delete']);
    await write('patch', `/notes/${note.id}`, { title: 'last' });
    await write('delete', `/notes/${note.id}`);
    expect(notes.told.map(({ changes: [change] }) => change!.before?.title)).toEqual([
      ...[undefined, undefined, undefined],
      ...['last', 'last', 'last'],
    ]);
  });

  test('a PATCH with the same number in another form changes nothing, and is told to nobody', async () => {
    await write('patch', `/notes/${note.id}`, { price: 1.5 });

    expect(notes.calls).toEqual([]);
    expect((await stored()).version).toBe(1);
  });

  test('beforeChange changes what is stored', async () => {
    notes.onBefore = ({ kind, record }) => {
      record.slug = `${kind}-${record.title}`;
      record.secret = 'hashed';
    };
    const body = await write('post', '/notes', { title: 'new' }, 201);
    expect(body).toMatchObject({ title: 'new', slug: 'create-new' });

    const patched = await write('patch', `/notes/${body.id}`, { title: 'newer' });
    expect(patched).toMatchObject({ slug: 'update-newer', version: 2 });

    const put = await write('put', `/notes/${body.id}`, { title: 'newest' });
    expect(put).toMatchObject({ slug: 'replace-newest', price: null });
    expect(notes.told.at(-1)!.changes[0]!.record).toMatchObject({ slug: 'replace-newest', secret: 'hashed' });
  });

  test('what beforeChange says of the key, the version and the mark of deletion is not stored', async () => {
    notes.onBefore = ({ record }) => Object.assign(record, { id: 99, version: 7, deletedAt: new Date() });
    const body = await write('patch', `/notes/${note.id}`, { title: 'new' });

    expect(body).toMatchObject({ id: note.id, title: 'new', version: 2, deletedAt: null });
  });

  test('values that a column does not take are refused, and so is a broken constraint', async () => {
    notes.onBefore = ({ record }) => void (record.title = 'x'.repeat(21));
    const long = await write('patch', `/notes/${note.id}`, { title: 'new' }, 400);
    expect(long).toMatchObject({ code: 'CRUD_VALUE_OUT_OF_RANGE', field: 'title' });

    notes.onBefore = ({ record }) => void (record.title = null);
    await write('post', '/notes', { title: 'new' }, 400);

    await source.manager.update(Note, note.id, { slug: 'taken' });
    notes.onBefore = ({ record }) => void (record.slug = 'taken');
    const taken = await write('post', '/notes', { title: 'new' }, 409);
    expect(taken).toMatchObject({ code: 'CRUD_UNIQUE_VIOLATION', field: 'slug' });
    expect(await source.manager.count(Note)).toBe(1);
    expect(notes.calls.filter((call) => !call.startsWith('before'))).toEqual([]);
  });

  test('scope holds after beforeChange: persist wins, the filter refuses, and links lead to nothing out of reach', async () => {
    notes.onBefore = ({ record }) => void (record.secret = 'mine');
    const body = await write('post', '/scoped', { title: 'new' }, 201);
    await write('patch', `/scoped/${body.id}`, { title: 'newer' });
    expect(notes.told.at(-1)!.changes[0]!.record).toMatchObject({ title: 'newer', secret: 'kept' });

    notes.onBefore = ({ record }) => void (record.owner = 'bob');
    for (const [method, path] of [
      ['post', '/scoped'],
      ['patch', `/scoped/${note.id}`],
      ['put', `/scoped/${note.id}`],
    ] as const)
      expect(await write(method, path, { title: 'new' }, 400)).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });

    const hidden = await source.manager.save(Folder, { name: 'hidden', owner: 'bob' });
    notes.onBefore = ({ record }) => void (record.folderId = hidden.id);
    await write('post', '/scoped', { title: 'new' }, 400);
    await write('patch', `/scoped/${note.id}`, { title: 'new' }, 400);
    expect(await stored()).toMatchObject({ title: 'first', owner: 'ada', folderId: null });
    expect(await source.manager.count(Note)).toBe(2);
  });

  test.each(['onBefore', 'onAfter'] as const)('%s refuses: its own answer, and nothing is stored', async (hook) => {
    notes[hook] = () => {
      throw new ConflictException('closed');
    };
    const closed = { message: 'closed', error: 'Conflict', statusCode: 409 };
    expect(await write('post', '/notes', { title: 'new' }, 409)).toEqual(closed);
    await write('patch', `/notes/${note.id}`, { title: 'new' }, 409);
    await write('put', `/notes/${note.id}`, { title: 'new' }, 409);
    await write('delete', `/notes/${note.id}`, undefined, 409);

    expect(await source.manager.find(Note)).toMatchObject([{ title: 'first', version: 1 }]);
    expect(notes.calls.some((call) => call.startsWith('commit'))).toBe(false);
  });

  test('an afterCommit that throws is logged, and the answer stays', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    notes.onCommit = () => {
      throw new Error('no mail today');
    };
    await write('post', '/notes', { title: 'new' }, 201);

    expect(await source.manager.count(Note)).toBe(2);
    expect(log.mock.calls.map(([message]) => message)).toEqual([
      'NotesService.afterCommit failed: Error: no mail today',
    ]);
    log.mockRestore();
  });

  test('afterCommit is called when the connection is free, and may write by the same service', async () => {
    notes.onCommit = async (changes, { request: own }) => {
      if (changes[0]!.record.title === 'new')
        await notes.createOne({ ...own, parsed: { ...own.parsed } }, { title: 'again' });
    };
    await Promise.all(Array.from({ length: 12 }, () => write('post', '/notes', { title: 'new' }, 201)));

    expect(await source.manager.countBy(Note, { title: 'again' })).toBe(12);
  });

  test('rows of cascades are told in the order in which they are stored', async () => {
    const body = await write(
      'post',
      '/notes?join=comments',
      { title: 'new', folder: { name: 'f' }, comments: [{ text: 'a' }, { text: 'b' }] },
      201,
    );
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
    const labels = await source.manager.save(Label, [{ name: 'a' }, { name: 'b' }]);
    const send = (ids: number[]) =>
      write('patch', `/notes/${note.id}?join=labels`, { labels: ids.map((id) => ({ id })) });

    const body = await send([labels[0]!.id, labels[1]!.id]);
    expect(body).toMatchObject({ version: 1, labels: [{ name: 'a' }, { name: 'b' }] });
    expect(notes.calls).toEqual(['before update Note', 'after update Note', 'commit update Note']);

    notes.reset();
    await send([labels[1]!.id, labels[0]!.id]);
    expect(notes.calls).toEqual([]);

    await send([labels[1]!.id]);
    expect(notes.calls).toEqual(['before update Note', 'after update Note', 'commit update Note']);
    expect((await stored()).version).toBe(1);
  });
});
