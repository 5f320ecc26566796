/** The same record written by several requests at once, for every write route → one winner where there can be one, and rows that are what the answers say, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CrudRequestOptions } from '@nestwright/crud';
import { outcomeOf } from '@nestwright/crud/adapter';
import { Like } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { requestOf } from '../support/requests.js';
import { Account, ACCOUNTS, Address, Profile } from './entities.js';

/** How often each race is run. */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 3);
const JOIN = { profile: {}, address: {}, items: {}, slots: {} };

const requestAt = (path: Record<string, unknown> = {}, options: CrudRequestOptions = {}, join: string[] = []) =>
  requestOf({ path, join, options: { ...options, query: { ...options.query, join: JOIN } } });

const JOINED = { profile: true, address: true, items: true, slots: true } as const;
const SOFT: CrudRequestOptions = { query: { softDelete: true } };

/** A body as a client would send it. */
const body = (properties: object) => properties as unknown as Account;

type Outcome = { readonly status: number; readonly record?: Account };

/** What became of one request. */
const outcomeFor = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    (record) => ({ status: 200, record: record as Account }),
    (error: { status?: number }) => {
      if (error.status === undefined) throw error;
      return { status: error.status };
    },
  );

const race = (works: readonly (() => Promise<unknown>)[]) => Promise.all(works.map((work) => outcomeFor(work())));
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
  });

  beforeEach(() => empty(source));

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
    accounts.updateOne(requestAt({ id }, {}, join), body(properties));
  const put = (id: string, properties: object) => accounts.replaceOne(requestAt({ id }), body(properties));

  describe.each([false, true])('while a subscriber looks on: %s', (observed) => {
    const events = ['beforeUpdate', 'beforeInsert', 'beforeRemove', 'beforeSoftRemove'];
    const subscriber = Object.fromEntries(events.map((event) => [event, () => undefined]));

    beforeAll(() => void (observed && source.subscribers.push(subscriber)));
    afterAll(() => void source.subscribers.splice(0));

    const races = (title: string, work: (id: string) => Promise<void>, stored?: object | null) =>
      test(title, () => rounds(work, stored));

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

    races(
      'one PUT of several creates the record, the others replace it; different ones do not hinder one another',
      async (id) => {
        const requests = times(5, () => requestAt({ id }));
        const replace = (n: number) => accounts.replaceOne(requests[n]!, body({ id, first: `${n}` }));
        const records = await allOf(times(5, (n) => () => replace(n)));
        const stored = (await storedAt(id))!;
        expect(requests.filter((request) => outcomeOf(request).created)).toHaveLength(1);
        expect(records.map(({ first }) => first)).toEqual(times(5, (n) => `${n}`));
        expect(records.map((record) => record.version).sort()).toEqual([1, 2, 3, 4, 5]);
        expect(records[Number(stored.first)]!.version).toBe(5);
        await allOf(times(10, (n) => () => put(`${id}.${n}`, { id: `${id}.${n}`, first: `${n}` })));
      },
      null,
    );

    test.each([
      ['soft', SOFT],
      ['hard', {}],
    ])('a %s DELETE finds the record once', (_kind, options) =>
      rounds(async (id) => {
        const outcomes = await race(times(4, () => () => accounts.deleteOne(requestAt({ id }, options))));
        expect(statuses(outcomes)).toEqual([200, 404, 404, 404]);
      }),
    );
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
        const stale = { first: 'inside', version: 1 };
        expect((await outcomeFor(inside.updateOne(requestAt({ id }), body(stale)))).status).toBe(409);
        expect((await outcomeFor(inside.replaceOne(requestAt({ id }), body({ id, ...stale })))).status).toBe(409);
        await inside.updateOne(requestAt({ id }), body({ profile: { bio: `${id} inside` } }));
        await inside.replaceOne(requestAt({ id: `${id}.new` }), body({ id: `${id}.new`, first: 'inside' }));
        await inside.replaceOne(requestAt({ id: `${id}.gone` }), body({ id: `${id}.gone`, first: 'inside' }));
      });
      expect(await storedAt(id)).toMatchObject({ first: 'outside', profile: { bio: `${id} inside` } });
      expect(await storedAt(`${id}.new`)).toMatchObject({ first: 'inside', version: 2 });
      expect(await storedAt(`${id}.gone`)).toMatchObject({ first: 'inside', version: 1 });
      expect(await source.getRepository(Profile).countBy({ bio: Like(`${id} %`) })).toBe(1);
    }));
});
