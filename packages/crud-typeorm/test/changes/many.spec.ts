/** The hooks around changes of writes of many records, on each database: each row once, in order, all or none, and their state before in one statement. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ConflictException, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { DataSource } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { Statements } from '../support/statements.js';
import { clear, connect, CONTROLLERS, Label, Note, providersOf, servicesOf } from './application.js';

describeDatabases('hooks around changes of many', (db) => {
  const log = new Statements();
  let source: DataSource;
  let app: INestApplication;
  let api: ReturnType<typeof request>;
  let services: ReturnType<typeof servicesOf>;
  let list: Note[];

  const ids = () => list.map(({ id }) => ({ id }));

  beforeAll(async () => {
    source = await connect(db.connection, { logger: log, logging: true });
    services = servicesOf(source);
    const module = await Test.createTestingModule({
      controllers: CONTROLLERS,
      providers: providersOf(services),
    }).compile();
    const { app: started, url } = await listen(module, 'fastify');
    app = started;
    api = request(url);
  });
  beforeEach(async () => {
    await clear(source);
    services.notes.reset(true);
    services.settings.calls.length = 0;
    list = await source.manager.save(
      Note,
      ['a', 'b', 'c'].map((title) => ({ title, price: '1.50' })),
    );
  });
  afterAll(async () => {
    await app.close();
    await source.destroy();
  });

  const told = (hook: string) =>
    services.notes.told
      .filter((one) => one.hook === hook)
      .flatMap(({ changes }) => changes.map(({ kind, record, before }) => [kind, before?.title, record.title]));

  test('POST', async () => {
    const { notes } = services;
    notes.onBefore = ({ record }) => void (record.slug = record.title);
    const { body } = await api
      .post('/notes/bulk')
      .send({ bulk: [{ title: 'd' }, { title: 'e' }] })
      .expect(201);

    expect(body).toMatchObject([{ slug: 'd' }, { slug: 'e' }]);
    const all = [
      ['create', undefined, 'd'],
      ['create', undefined, 'e'],
    ];
    expect([told('before'), told('after'), told('commit')]).toEqual([all, all, all]);
    expect(notes.told.at(-1)!.context.route).toBe('createManyBase');
    expect(notes.told.filter(({ hook }) => hook === 'commit')).toHaveLength(1);
  });

  test('rows are told without the related records that a body names', async () => {
    const { notes } = services;
    const [note] = ids();
    const [label] = await source.manager.save(Label, [{ name: 'a' }]);
    await api
      .patch(`/notes/${note!.id}`)
      .send({ title: 'A', labels: [label!.id] })
      .expect(200);
    await api.patch(`/notes/${note!.id}`).send({ labels: [] }).expect(200);
    await api
      .put(`/notes/${note!.id}`)
      .send({ title: 'B', labels: [label!.id] })
      .expect(200);

    const rows = notes.told.flatMap(({ changes }) => changes.flatMap(({ before, record }) => [before, record]));
    expect(rows).toHaveLength(18);
    expect(rows.map((row) => (row as Partial<Note>).labels)).toEqual(rows.map(() => undefined));
  });

  test('PATCH, but for items that change nothing', async () => {
    const [a, b, c] = ids();
    const bulk = [
      { ...a, title: 'A' },
      { ...b, title: 'b', price: 1.5 },
      { ...c, price: '2.00' },
    ];
    await api.patch('/notes/bulk').send({ bulk }).expect(200);

    const all = [
      ['update', 'a', 'A'],
      ['update', 'c', 'c'],
    ];
    expect([told('before'), told('after'), told('commit')]).toEqual([all, all, all]);
    expect((await source.manager.find(Note, { order: { id: 1 } })).map(({ version }) => version)).toEqual([2, 1, 2]);
  });

  test('PUT, DELETE and recover', async () => {
    await api
      .put('/notes/bulk')
      .send({ bulk: list.map(({ id, title }) => ({ id, title: title.toUpperCase() })) })
      .expect(200);
    const replaced = [
      ['replace', 'a', 'A'],
      ['replace', 'b', 'B'],
      ['replace', 'c', 'C'],
    ];
    expect([told('before'), told('after'), told('commit')]).toEqual([replaced, replaced, replaced]);

    services.notes.reset(true);
    await api
      .delete('/notes/bulk')
      .send({ bulk: ids().slice(1) })
      .expect(200);
    const deleted = [
      ['delete', 'B', 'B'],
      ['delete', 'C', 'C'],
    ];
    expect([told('before'), told('after'), told('commit')]).toEqual([deleted, deleted, deleted]);

    services.notes.reset(true);
    await api.patch('/notes/bulk/recover').send({ bulk: ids() }).expect(200);
    const recovered = [
      ['recover', 'B', 'B'],
      ['recover', 'C', 'C'],
    ];
    expect([told('before'), told('after'), told('commit')]).toEqual([recovered, recovered, recovered]);
    expect(services.notes.told.at(-1)!.changes.map(({ record }) => record.deletedAt)).toEqual([null, null]);
  });

  test('PUT that creates and replaces', async () => {
    await api.put('/settings/a').send({ value: '1' }).expect(201);
    services.settings.calls.length = 0;
    const bulk = [
      { name: 'a', value: '2' },
      { name: 'b', value: '3' },
    ];
    await api.put('/settings/bulk').send({ bulk }).expect(201);

    expect(services.settings.calls).toEqual([
      ...['before replace a', 'after replace a 2 null', 'before create b', 'after create b 3 null'],
    ]);
  });

  test('a bulk PUT that creates and replaces calls them in the order of the body', async () => {
    await api.put('/settings/bulk').send({ bulk: ['a', 'c'].map((name) => ({ name, value: '1' })) }).expect(201); // prettier-ignore
    services.settings.calls.length = 0;
    const bulk = ['d', 'c', 'e', 'f', 'a'].map((name) => ({ name, value: '2' }));
    const { body } = await api.put('/settings/bulk').send({ bulk }).expect(201);

    expect((body as { name: string }[]).map(({ name }) => name).join()).toBe('d,c,e,f,a');
    expect(services.settings.calls.filter((call) => call.startsWith('after'))).toEqual([
      ...['after create d 2 null', 'after replace c 2 null'],
      ...['after create e 2 null', 'after create f 2 null', 'after replace a 2 null'],
    ]);
  });

  test('PATCH and DELETE by condition', async () => {
    await api
      .patch('/notes/bulk?filter=title||$in||a,b')
      .send({ set: { title: 'B' } })
      .expect(200, { affected: 2 });
    const updated = [
      ['update', 'a', 'B'],
      ['update', 'b', 'B'],
    ];
    expect([told('before'), told('after'), told('commit')]).toEqual([updated, updated, updated]);

    services.notes.reset(true);
    await api.delete('/notes/bulk?filter=title||$eq||c').expect(200, { affected: 1 });
    const deleted = [['delete', 'c', 'c']];
    expect([told('before'), told('after'), told('commit')]).toEqual([deleted, deleted, deleted]);
  });

  test('an upsert that inserts is a create, one that updates an update', async () => {
    await api.post('/upserted').send({ slug: 's', title: 'd' }).expect(201);
    await api.post('/upserted').send({ slug: 's', title: 'e' }).expect(200);
    await api
      .post('/upserted/bulk')
      .send({
        bulk: [
          { slug: 's', title: 'f' },
          { slug: 't', title: 'g' },
        ],
      })
      .expect(201);

    const all = [
      ['create', undefined, 'd'],
      ['update', 'd', 'e'],
      ['update', 'e', 'f'],
      ['create', undefined, 'g'],
    ];
    expect([told('before'), told('after'), told('commit')]).toEqual([all, all, all]);
  });

  test('a bulk upsert calls them in the order of the body', async () => {
    await api
      .post('/upserted/bulk')
      .send({ bulk: ['a', 'b'].map((slug) => ({ slug, title: slug })) })
      .expect(201);
    services.notes.reset(true);
    await api
      .post('/upserted/bulk')
      .send({ bulk: ['x', 'a', 'y', 'b', 'z'].map((slug) => ({ slug, title: slug.toUpperCase() })) })
      .expect(201);

    const all = [
      ['create', undefined, 'X'],
      ['update', 'a', 'A'],
      ['create', undefined, 'Y'],
      ['update', 'b', 'B'],
      ['create', undefined, 'Z'],
    ];
    expect([told('before'), told('after'), told('commit')]).toEqual([all, all, all]);
  });

  test('a hook that refuses one item undoes all', async () => {
    const { notes } = services;
    notes.onBefore = ({ record }) => {
      if (record.title === 'C' || record.title === 'c') throw new ConflictException();
    };
    await api
      .patch('/notes/bulk')
      .send({ bulk: list.map(({ id, title }) => ({ id, title: title.toUpperCase() })) })
      .expect(409);
    await api.delete('/notes/bulk').send({ bulk: ids() }).expect(409);
    await api
      .post('/notes/bulk')
      .send({ bulk: [{ title: 'd' }, { title: 'c' }] })
      .expect(409);

    expect((await source.manager.find(Note, { order: { id: 1 } })).map(({ title }) => title)).toEqual(['a', 'b', 'c']);
    expect(told('commit')).toEqual([]);
  });

  test('the state before is read by one statement for all', async () => {
    const bulk = list.map(({ id, title }) => ({ id, title: `${title}!` }));
    const sql = await log.of(() => api.patch('/notes/bulk').send({ bulk }).expect(200));
    const whole = sql.filter(
      (text) => /^SELECT .*secret.* FROM .change_notes. /s.test(text) && / IN \([^)]*,/.test(text),
    );
    expect(whole).toHaveLength(1);
  });

  test.each(['onBefore', 'onAfter'] as const)(
    'what a hook (%s) of one row writes to the next is what that is found with',
    async (hook) => {
      const [a, b, c] = ids();
      services.notes[hook] = async ({ record, kind }, { manager }) => {
        if (record['id' as never] === a!.id && kind === 'update')
          await manager.update(Note, [b!.id, c!.id], { title: 'hook' });
      };
      const bulk = [
        { ...a, title: 'A' },
        { ...b, title: 'b' },
        { ...c, price: '2.00' },
      ];
      await api.patch('/notes/bulk').send({ bulk }).expect(200);

      expect(told('commit')).toEqual([
        ['update', 'a', 'A'],
        ['update', 'hook', 'b'],
        ['update', 'hook', 'hook'],
      ]);
      expect((await source.manager.find(Note, { order: { id: 1 } })).map(({ title }) => title)).toEqual([
        'A',
        'b',
        'hook',
      ]);
    },
  );

  test('what hooks read, and rows that they add elsewhere, cost no further reading', async () => {
    services.notes.onAfter = async (_, { manager }) => {
      await manager.insert(Label, { name: 'audit' });
      await manager.count(Note);
    };
    const bulk = list.map(({ id, title }) => ({ id, title: `${title}!` }));
    const sql = await log.of(() => api.patch('/notes/bulk').send({ bulk }).expect(200));

    expect(sql.filter((text) => /^SELECT .*secret.* FROM .change_notes. .* IN \([^)]*,/s.test(text))).toHaveLength(1);
  });

  test('a service without hooks runs the same statements as ever, and fewer than one with them', async () => {
    const statements = async (path: string) => {
      const [note] = await source.manager.save(Note, [{ title: 'x' }]);
      const { length: created } = await log.of(() => api.post(path).send({ title: 'new' }).expect(201));
      const { length: changed } = await log.of(() => api.patch(`${path}/${note!.id}`).send({ title: 'y' }).expect(200));

      return { created, changed };
    };
    const plain = await statements('/plain');
    const hooked = await statements('/notes');

    expect(plain.created).toBeLessThan(hooked.created);
    expect(plain.changed).toBeLessThan(hooked.changed);
  });
});
