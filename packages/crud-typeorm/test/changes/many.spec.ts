/** The hooks around changes of writes of many records, on each database: each row once, in order, all or none, and their state before in one statement. */
import { beforeEach, expect, test } from '@jest/globals';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Statements } from '../support/statements.js';
import { Label, Note } from './application.js';
import { servingChanges } from './serving.js';

describeDatabases('hooks around changes of many', (db) => {
  const log = new Statements();
  const { source, write, notes, settings } = servingChanges(db, { source: { logger: log, logging: true } });
  let list: Note[];

  const ids = () => list.map(({ id }) => ({ id }));
  const titles = async () => (await source.manager.find(Note, { order: { id: 1 } })).map(({ title }) => title);

  beforeEach(async () => {
    notes.reset(true);
    list = await source.manager.save(
      Note,
      ['a', 'b', 'c'].map((title) => ({ title, price: '1.50' })),
    );
  });

  /** What a hook was told, as `update a → A`. */
  const told = (hook: string) =>
    notes.told
      .filter((one) => one.hook === hook)
      .flatMap(({ changes }) =>
        changes.map(({ kind, record, before }) => `${kind} ${before?.title ?? 'none'} → ${record.title}`),
      );
  const expectTold = (...all: string[]) =>
    expect([told('before'), told('after'), told('commit')]).toEqual([all, all, all]);

  test('POST', async () => {
    notes.onBefore = ({ record }) => void (record.slug = record.title);
    const body = await write('post', '/notes/bulk', { bulk: [{ title: 'd' }, { title: 'e' }] }, 201);

    expect(body).toMatchObject([{ slug: 'd' }, { slug: 'e' }]);
    expectTold('create none → d', 'create none → e');
    expect(notes.told.at(-1)!.context.route).toBe('createManyBase');
    expect(notes.told.filter(({ hook }) => hook === 'commit')).toHaveLength(1);
  });

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

  test('PATCH, but for items that change nothing', async () => {
    const changes = [{ title: 'A' }, { title: 'b', price: 1.5 }, { price: '2.00' }];
    const bulk = changes.map((change, index) => ({ ...ids()[index], ...change }));
    await write('patch', '/notes/bulk', { bulk });

    expectTold('update a → A', 'update c → c');
    expect((await source.manager.find(Note, { order: { id: 1 } })).map(({ version }) => version)).toEqual([2, 1, 2]);
  });

  test('PUT, DELETE and recover', async () => {
    await write('put', '/notes/bulk', { bulk: list.map(({ id, title }) => ({ id, title: title.toUpperCase() })) });
    expectTold('replace a → A', 'replace b → B', 'replace c → C');

    notes.reset(true);
    await write('delete', '/notes/bulk', { bulk: ids().slice(1) });
    expectTold('delete B → B', 'delete C → C');

    notes.reset(true);
    await write('patch', '/notes/bulk/recover', { bulk: ids() });
    expectTold('recover B → B', 'recover C → C');
    expect(notes.told.at(-1)!.changes.map(({ record }) => record.deletedAt)).toEqual([null, null]);
  });

  test('a bulk PUT that creates and replaces calls them in the order of the body', async () => {
    await write('put', '/settings/bulk', { bulk: ['a', 'c'].map((name) => ({ name, value: '1' })) }, 201);
    settings.calls.length = 0;
    const bulk = ['d', 'c', 'e', 'f', 'a'].map((name) => ({ name, value: '2' }));
    const body = await write('put', '/settings/bulk', { bulk }, 201);

    expect((body as { name: string }[]).map(({ name }) => name).join()).toBe('d,c,e,f,a');
    expect(settings.calls.filter((call) => call.startsWith('after'))).toEqual([
      ...['after create d 2 null', 'after replace c 2 null'],
      ...['after create e 2 null', 'after create f 2 null', 'after replace a 2 null'],
    ]);
  });

  test('PATCH and DELETE by condition', async () => {
    const changed = await write('patch', '/notes/bulk?filter=title||$in||a,b', { set: { title: 'B' } });
    expect(changed).toEqual({ affected: 2 });
    expectTold('update a → B', 'update b → B');

    notes.reset(true);
    expect(await write('delete', '/notes/bulk?filter=title||$eq||c')).toEqual({ affected: 1 });
    expectTold('delete c → c');
  });

  test('a bulk upsert calls them in the order of the body', async () => {
    await write('post', '/upserted/bulk', { bulk: ['a', 'b'].map((slug) => ({ slug, title: slug })) }, 201);
    notes.reset(true);
    const bulk = ['x', 'a', 'y', 'b', 'z'].map((slug) => ({ slug, title: slug.toUpperCase() }));
    await write('post', '/upserted/bulk', { bulk }, 201);

    expectTold('create none → X', 'update a → A', 'create none → Y', 'update b → B', 'create none → Z');
  });

  test.each(['onBefore', 'onAfter'] as const)(
    'what a hook (%s) of one row writes to the next is what that is found with',
    async (hook) => {
      const [a, b, c] = ids();
      notes[hook] = async ({ record, kind }, { manager }) => {
        if (record['id' as never] === a!.id && kind === 'update')
          await manager.update(Note, [b!.id, c!.id], { title: 'hook' });
      };
      const bulk = [
        { ...a, title: 'A' },
        { ...b, title: 'b' },
        { ...c, price: '2.00' },
      ];
      await write('patch', '/notes/bulk', { bulk });

      expect(told('commit')).toEqual(['update a → A', 'update hook → b', 'update hook → hook']);
      expect(await titles()).toEqual(['A', 'b', 'hook']);
    },
  );

  test('what hooks read, and rows that they add elsewhere, cost no further reading', async () => {
    notes.onAfter = async (_, { manager }) => {
      await manager.insert(Label, { name: 'audit' });
      await manager.count(Note);
    };
    const bulk = list.map(({ id, title }) => ({ id, title: `${title}!` }));
    const sql = await log.of(() => write('patch', '/notes/bulk', { bulk }));

    expect(sql.filter((text) => /^SELECT .*secret.* FROM .change_notes. .* IN \([^)]*,/s.test(text))).toHaveLength(1);
  });
});
