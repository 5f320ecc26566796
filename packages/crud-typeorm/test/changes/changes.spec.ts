/** The hooks around changes over HTTP, on each database: which are called, in which order and with what, what they may change, and what they undo. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { ConflictException, Logger } from '@nestjs/common';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Comment, Folder, Label, Note } from './application.js';
import { servingChanges } from './serving.js';

describeDatabases('hooks around changes', (db) => {
  const { source, api, notes } = servingChanges(db);
  let note: Note;

  const stored = () => source.manager.findOneByOrFail(Note, { id: note.id });

  beforeEach(async () => {
    note = await source.manager.save(Note, { title: 'first', price: '1.50', secret: 's' });
  });

  test.each([
    ['create', () => api.post('/notes').send({ title: 'new' }).expect(201), 'createOneBase'],
    ['update', () => api.patch(`/notes/${note.id}`).send({ title: 'new' }).expect(200), 'updateOneBase'],
    ['replace', () => api.put(`/notes/${note.id}`).send({ title: 'new' }).expect(200), 'replaceOneBase'],
    ['delete', () => api.delete(`/notes/${note.id}`).expect(200), 'deleteOneBase'],
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
    await api.patch(`/notes/${note.id}/recover`).expect(200);
    expect(notes.calls).toEqual([]);

    await source.manager.softDelete(Note, note.id);
    await api.patch(`/notes/${note.id}/recover`).expect(200);
    expect(notes.calls).toEqual(['before recover Note', 'after recover Note', 'commit recover Note']);
    expect(notes.told[1]!.changes[0]!.record.deletedAt).toBeNull();
  });

  test('records are whole in every hook, with columns that answers leave out', async () => {
    const { body } = await api.patch(`/notes/${note.id}`).send({ title: 'new' }).expect(200);

    expect(body).not.toHaveProperty('secret');
    const [before, after, commit] = notes.told.map(({ changes: [change] }) => change!.record);
    expect(before).toMatchObject({ id: note.id, title: 'new', owner: 'ada', secret: 's', version: 1 });
    expect(after).toMatchObject({ id: note.id, title: 'new', owner: 'ada', secret: 's', version: 2 });
    expect(commit).toEqual(after);
  });

  test('before is there where needsBefore asks for it, of the kinds that it names', async () => {
    notes.reset(true);
    await api.patch(`/notes/${note.id}`).send({ title: 'new' }).expect(200);
    await api.put(`/notes/${note.id}`).send({ title: 'newer' }).expect(200);
    await api.delete(`/notes/${note.id}`).expect(200);
    await api.patch(`/notes/${note.id}/recover`).expect(200);
    await api.post('/notes').send({ title: 'other' }).expect(201);

    const seen = notes.told
      .filter(({ hook }) => hook === 'after')
      .map(({ changes: [change] }) => `${change!.kind} ${change!.before?.title} ${change!.before?.deletedAt === null}`);
    expect(seen).toEqual([
      ...['update first true', 'replace new true', 'delete newer true', 'recover newer false'],
      'create undefined false',
    ]);

    notes.reset(['delete']);
    await api.patch(`/notes/${note.id}`).send({ title: 'last' }).expect(200);
    await api.delete(`/notes/${note.id}`).expect(200);
    expect(notes.told.map(({ changes: [change] }) => change!.before?.title)).toEqual([
      ...[undefined, undefined, undefined],
      ...['last', 'last', 'last'],
    ]);
  });

  test('a PATCH with the same number in another form changes nothing, and is told to nobody', async () => {
    await api.patch(`/notes/${note.id}`).send({ price: 1.5 }).expect(200);

    expect(notes.calls).toEqual([]);
    expect((await stored()).version).toBe(1);
  });

  test('beforeChange changes what is stored', async () => {
    notes.onBefore = ({ kind, record }) => {
      record.slug = `${kind}-${record.title}`;
      record.secret = 'hashed';
    };
    const { body } = await api.post('/notes').send({ title: 'new' }).expect(201);
    expect(body).toMatchObject({ title: 'new', slug: 'create-new' });

    const patched = await api.patch(`/notes/${body.id}`).send({ title: 'newer' }).expect(200);
    expect(patched.body).toMatchObject({ slug: 'update-newer', version: 2 });

    const put = await api.put(`/notes/${body.id}`).send({ title: 'newest' }).expect(200);
    expect(put.body).toMatchObject({ slug: 'replace-newest', price: null });
    expect(notes.told.at(-1)!.changes[0]!.record).toMatchObject({ slug: 'replace-newest', secret: 'hashed' });
  });

  test('what beforeChange says of the key, the version and the mark of deletion is not stored', async () => {
    notes.onBefore = ({ record }) => Object.assign(record, { id: 99, version: 7, deletedAt: new Date() });
    const { body } = await api.patch(`/notes/${note.id}`).send({ title: 'new' }).expect(200);

    expect(body).toMatchObject({ id: note.id, title: 'new', version: 2, deletedAt: null });
  });

  test('values that a column does not take are refused, and so is a broken constraint', async () => {
    notes.onBefore = ({ record }) => void (record.title = 'x'.repeat(21));
    const long = await api.patch(`/notes/${note.id}`).send({ title: 'new' }).expect(400);
    expect(long.body).toMatchObject({ code: 'CRUD_VALUE_OUT_OF_RANGE', field: 'title' });

    notes.onBefore = ({ record }) => void (record.title = null);
    await api.post('/notes').send({ title: 'new' }).expect(400);

    await source.manager.update(Note, note.id, { slug: 'taken' });
    notes.onBefore = ({ record }) => void (record.slug = 'taken');
    const taken = await api.post('/notes').send({ title: 'new' }).expect(409);
    expect(taken.body).toMatchObject({ code: 'CRUD_UNIQUE_VIOLATION', field: 'slug' });
    expect(await source.manager.count(Note)).toBe(1);
    expect(notes.calls.filter((call) => !call.startsWith('before'))).toEqual([]);
  });

  test('scope holds after beforeChange: persist wins, the filter refuses, and links lead to nothing out of reach', async () => {
    notes.onBefore = ({ record }) => void (record.secret = 'mine');
    const { body } = await api.post('/scoped').send({ title: 'new' }).expect(201);
    await api.patch(`/scoped/${body.id}`).send({ title: 'newer' }).expect(200);
    expect(notes.told.at(-1)!.changes[0]!.record).toMatchObject({ title: 'newer', secret: 'kept' });

    notes.onBefore = ({ record }) => void (record.owner = 'bob');
    for (const send of [
      () => api.post('/scoped').send({ title: 'new' }),
      () => api.patch(`/scoped/${note.id}`).send({ title: 'new' }),
      () => api.put(`/scoped/${note.id}`).send({ title: 'new' }),
    ]) {
      const { body: refusal } = await send().expect(400);
      expect(refusal.code).toBe('CRUD_OUT_OF_SCOPE');
    }

    const hidden = await source.manager.save(Folder, { name: 'hidden', owner: 'bob' });
    notes.onBefore = ({ record }) => void (record.folderId = hidden.id);
    await api.post('/scoped').send({ title: 'new' }).expect(400);
    await api.patch(`/scoped/${note.id}`).send({ title: 'new' }).expect(400);
    expect(await stored()).toMatchObject({ title: 'first', owner: 'ada', folderId: null });
    expect(await source.manager.count(Note)).toBe(2);
  });

  test.each(['onBefore', 'onAfter'] as const)('%s refuses: its own answer, and nothing is stored', async (hook) => {
    notes[hook] = () => {
      throw new ConflictException('closed');
    };
    await api
      .post('/notes')
      .send({ title: 'new' })
      .expect(409, { message: 'closed', error: 'Conflict', statusCode: 409 });
    await api.patch(`/notes/${note.id}`).send({ title: 'new' }).expect(409);
    await api.put(`/notes/${note.id}`).send({ title: 'new' }).expect(409);
    await api.delete(`/notes/${note.id}`).expect(409);

    expect(await source.manager.find(Note)).toMatchObject([{ title: 'first', version: 1 }]);
    expect(notes.calls.some((call) => call.startsWith('commit'))).toBe(false);
  });

  test('an afterCommit that throws is logged, and the answer stays', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    notes.onCommit = () => {
      throw new Error('no mail today');
    };
    await api.post('/notes').send({ title: 'new' }).expect(201);

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
    await Promise.all(Array.from({ length: 12 }, () => api.post('/notes').send({ title: 'new' }).expect(201)));

    expect(await source.manager.countBy(Note, { title: 'again' })).toBe(12);
  });

  test('rows of cascades are told in the order in which they are stored', async () => {
    const { body } = await api
      .post('/notes?join=comments')
      .send({ title: 'new', folder: { name: 'f' }, comments: [{ text: 'a' }, { text: 'b' }] })
      .expect(201);
    expect(notes.calls).toEqual([
      ...['before create Folder', 'after create Folder', 'before create Note', 'after create Note'],
      ...['before create Comment', 'before create Comment', 'after create Comment', 'after create Comment'],
      'commit create Folder create Note create Comment create Comment',
    ]);
    expect(notes.told[2]!.changes[0]!.record.folderId).toEqual(expect.any(Number));
    expect(notes.told[4]!.changes[0]!.record).toMatchObject({ text: 'a', noteId: body.id });

    notes.reset(true);
    const [a, b] = body.comments as Comment[];
    await api
      .patch(`/notes/${body.id}`)
      .send({ comments: [{ id: a!.id, text: 'A' }, { text: 'c' }] })
      .expect(200);
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
      api
        .patch(`/notes/${note.id}?join=labels`)
        .send({ labels: ids.map((id) => ({ id })) })
        .expect(200);

    const { body } = await send([labels[0]!.id, labels[1]!.id]);
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
