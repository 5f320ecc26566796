/** The same record written by several requests at once, for every write route → one winner where there can be one, and rows that are what the answers say, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CrudRequestOptions } from '@nestwright/crud';
import { outcomeOf } from '@nestwright/crud/adapter';
import { Like } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { refusal, requestOf } from '../support/requests.js';
import { Account, ACCOUNTS, Address, Profile, Tag } from './entities.js';

const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 3);
const JOIN = { profile: {}, address: {}, items: {}, slots: {}, tags: {} };

const requestAt = (path: Record<string, unknown> = {}, options: CrudRequestOptions = {}, join: string[] = []) =>
  requestOf({ path, join, options: { ...options, query: { ...options.query, join: JOIN } } });

const JOINED = { profile: true, address: true, items: true, slots: true, tags: true } as const;
const SOFT: CrudRequestOptions = { query: { softDelete: true } };
const RETURNED: CrudRequestOptions = { routes: { deleteOneBase: { returnDeleted: true } } };

type Outcome = { readonly status: number; readonly record?: Account };

/** Sends requests at once; what became of each. */
async function race(works: readonly (() => Promise<unknown>)[]): Promise<Outcome[]> {
  const settled = await Promise.allSettled(works.map((work) => work()));
  return settled.map((one) => {
    if (one.status === 'fulfilled') return { status: 200, record: one.value as Account };
    if (one.reason.status === undefined) throw one.reason;
    return { status: one.reason.status };
  });
}

const statuses = (outcomes: readonly Outcome[]) => outcomes.map(({ status }) => status).sort((a, b) => a - b);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Runs requests all of which succeed; what they are answered with. */
async function allOf(works: readonly (() => Promise<unknown>)[]): Promise<Account[]> {
  const outcomes = await race(works);
  expect(statuses(outcomes)).toEqual(works.map(() => 200));
  return outcomes.map(({ record }) => record!);
}

/** Runs requests one of which succeeds, and the others are a 409; which it was, and what it is answered with. */
async function oneOf(count: number, make: (index: number) => Promise<unknown>) {
  const outcomes = await race(times(count, (n) => () => make(n)));
  const winner = outcomes.findIndex(({ status }) => status === 200);
  expect(statuses(outcomes)).toEqual([200, ...times(count - 1, () => 409)]);
  return { winner: `${winner}`, record: outcomes[winner]!.record };
}

describeDatabases('races', (db) => {
  const source = connecting(db, ACCOUNTS, { poolSize: 12 });
  const accounts = new TypeOrmCrudService(source.getRepository(Account));
  beforeAll(async () => {
    // A database without the relation's own unique key, as one that was not made by TypeORM may be.
    const { uniques, indices } = source.getMetadata(Address);
    if (db.kind === 'postgres') {
      await source.query(`ALTER TABLE addresses DROP CONSTRAINT "${uniques[0]!.name}"`);
    } else if (db.kind === 'mysql') {
      await source.query('CREATE INDEX account_of_address ON addresses (accountId)');
      await source.query(`DROP INDEX ${indices.find(({ isUnique }) => isUnique)!.name} ON addresses`);
    }
    await source.getRepository(Tag).insert(times(6, (id) => ({ id })));
  });

  beforeEach(() => empty(source, 'tags'));

  /** Runs a race several times, each with a record of its own. */
  async function rounds(work: (id: string) => Promise<void>, stored: object | null = {}): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = `round ${round}`;
      const rows = [id, `${id}.gone`].map((one) => ({ id: one, ...stored }));
      if (stored) await source.getRepository(Account).insert(rows);
      await work(id);
    }
  }

  const storedAt = (id: string) =>
    source.getRepository(Account).findOne({ where: { id }, withDeleted: true, relations: JOINED });
  const patch = (id: string, properties: object, join: string[] = []) =>
    accounts.updateOne(requestAt({ id }, {}, join), properties);
  const put = (id: string, properties: object) => accounts.replaceOne(requestAt({ id }), properties);

  describe.each([false, true])('while a subscriber looks on: %s', (observed) => {
    const events = ['beforeUpdate', 'beforeInsert', 'beforeRemove', 'beforeSoftRemove', 'beforeRecover'];
    const subscriber = Object.fromEntries(events.map((event) => [event, () => undefined]));

    beforeAll(() => void (observed && source.subscribers.push(subscriber)));
    afterAll(() => void source.subscribers.splice(0));

    type Work = (id: string) => Promise<void>;
    const racesOn = (stored: object | null) => (title: string, work: Work) => test(title, () => rounds(work, stored));
    const races = racesOn({});

    test.each([
      ['PATCH', (id: string, n: number) => patch(id, { first: `${n}`, version: 1, slots: [{ what: `${n}` }] })],
      ['PUT', (id: string, n: number) => put(id, { id, first: `${n}`, version: 1, slots: [{ what: `${n}` }] })],
    ])('one %s of several with one version is stored, with its related record', (_verb, send) =>
      rounds(async (id) => {
        const { winner, record } = await oneOf(5, (n) => send(id, n));
        expect(record).toMatchObject({ first: winner, version: 2 });
        expect(await storedAt(id)).toMatchObject({ first: winner, version: 2, slots: [{ what: winner }] });
      }),
    );

    races('each PATCH without a version is stored, equal ones once', async (id) => {
      const columns = ['first', 'second', 'third', 'fourth'];
      const records = await allOf(columns.map((column, n) => () => patch(id, { [column]: `${n}` })));
      records.forEach((record, n) => expect(record).toMatchObject({ [columns[n]!]: `${n}` }));
      expect(records.map(({ version }) => version).sort()).toEqual([2, 3, 4, 5]);
      await allOf(times(4, () => () => patch(id, { first: 'same' })));
      expect(await storedAt(id)).toMatchObject({ first: 'same', second: '1', third: '2', fourth: '3', version: 6 });
    });

    races('a nested record that either side refers to is made once', async (id) => {
      const sent = times(4, (n) => ({ profile: { bio: `${id} ${n}` }, address: { street: `${id} ${n}` } }));
      const records = await allOf(sent.map((one) => () => patch(id, one, ['profile', 'address'])));
      records.forEach((record, n) => expect(record).toMatchObject(sent[n]!));
      expect(new Set(records.map(({ profile }) => profile!.id)).size).toBe(1);
      expect(await source.getRepository(Profile).countBy({ bio: Like(`${id} %`) })).toBe(1);
      expect(await source.getRepository(Address).countBy({ account: { id } })).toBe(1);
    });

    races('children are stored, those of one list alone where lists delete what they leave out', async (id) => {
      const lists = times(4, (n) => ({ slots: [{ what: `${n}` }], items: [{ what: `${n}` }, { what: `${n}` }] }));
      const records = await allOf(lists.map((list) => () => patch(id, list, ['slots', 'items'])));
      const { slots, items } = (await storedAt(id))!;
      expect(slots.map(({ what }) => what).sort()).toEqual(['0', '1', '2', '3']);
      expect(records.map((record) => record.slots.length).sort()).toEqual([1, 2, 3, 4]);
      records.forEach((record, n) => expect(record.items).toMatchObject(lists[n]!.items));
      expect(items).toMatchObject(times(2, () => ({ what: items[0]!.what })));
    });

    races('links are those of one list', async (id) => {
      const lists = [[0, 1], [1, 2], [3, 4, 5], []];
      const records = await allOf(lists.map((tags) => () => patch(id, { tags }, ['tags'])));
      const ids = (account: Account) => account.tags.map((tag) => tag.id).sort();
      expect(records.map(ids)).toEqual(lists);
      expect(lists).toContainEqual(ids((await storedAt(id))!));
    });

    racesOn(null)('one PUT of several creates the record, the others replace it, none hinders another', async (id) => {
      const requests = times(5, () => requestAt({ id }));
      const replace = (n: number) => accounts.replaceOne(requests[n]!, { id, first: `${n}` });
      const records = await allOf(times(5, (n) => () => replace(n)));
      const stored = (await storedAt(id))!;
      expect(requests.filter((request) => outcomeOf(request).created)).toHaveLength(1);
      expect(records.map(({ first }) => first)).toEqual(times(5, (n) => `${n}`));
      expect(records.map((record) => record.version).sort()).toEqual([1, 2, 3, 4, 5]);
      expect(records[Number(stored.first)]!.version).toBe(5);
      await allOf(times(10, (n) => () => put(`${id}.${n}`, { id: `${id}.${n}`, first: `${n}` })));
    });

    describe.each(Object.entries({ soft: SOFT, hard: {} }))('a %s DELETE', (_kind, options) => {
      races('finds the record once', async (id) => {
        const outcomes = await race(times(4, () => () => accounts.deleteOne(requestAt({ id }, options))));
        expect(statuses(outcomes)).toEqual([200, 404, 404, 404]);
      });

      races('returns what the PATCHes before it have stored', async (id) => {
        const [deleted, ...patched] = await race([
          () => accounts.deleteOne(requestAt({ id }, { ...options, ...RETURNED })),
          () => patch(id, { first: '1' }),
          () => patch(id, { second: '2', slots: [{ what: id }] }),
          () => put(id, { id, third: '3', fourth: '4' }),
        ]);
        expect(deleted!.status).toBe(200);
        if (patched[0]!.status === 200 && patched[2]!.status === 404) expect(deleted!.record!.first).toBe('1');
        if (patched[1]!.status === 200 && patched[2]!.status === 404) expect(deleted!.record!.second).toBe('2');
        if (options === SOFT) expect(await storedAt(id)).toMatchObject({ first: deleted!.record!.first });
      });
    });
  });

  if (db.kind === 'sqlite') return;

  test("a transaction of the application's that has read the record before sees what was stored since", () =>
    rounds(async (id) => {
      await source.transaction(db.kind === 'mysql' ? 'REPEATABLE READ' : 'READ COMMITTED', async (manager) => {
        const inside = new TypeOrmCrudService(manager.getRepository(Account));
        expect(await inside.getOne(requestAt({ id }))).toMatchObject({ version: 1 });
        await patch(id, { first: 'outside', profile: { bio: `${id} outside` } });
        await put(`${id}.new`, { id: `${id}.new`, first: 'outside' });
        await accounts.deleteOne(requestAt({ id: `${id}.gone` }));
        const stale = { id, first: 'inside', version: 1 };
        for (const verb of ['updateOne', 'replaceOne'] as const)
          expect(await refusal(inside[verb](requestAt({ id }), stale))).toMatchObject({ statusCode: 409 });
        await inside.updateOne(requestAt({ id }), { profile: { bio: `${id} inside` } as Profile });
        for (const key of [`${id}.new`, `${id}.gone`])
          await inside.replaceOne(requestAt({ id: key }), { id: key, first: 'inside' });
      });
      expect(await storedAt(id)).toMatchObject({ first: 'outside', profile: { bio: `${id} inside` } });
      expect(await storedAt(`${id}.new`)).toMatchObject({ first: 'inside', version: 2 });
      expect(await storedAt(`${id}.gone`)).toMatchObject({ first: 'inside', version: 1 });
      expect(await source.getRepository(Profile).countBy({ bio: Like(`${id} %`) })).toBe(1);
    }));
});
