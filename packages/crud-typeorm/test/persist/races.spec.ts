/** The same record written by several requests at once, for every write route → one winner where there can be one, and rows that are what the answers say, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CrudRequestOptions } from '@nestwright/crud';
import { outcomeOf } from '@nestwright/crud/adapter';
import { DataSource, Like } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Account, Address, Profile, RACE_ENTITIES, Tag } from './race-entities.js';
import { connect } from '../support/resources.js';
import { requestOf } from '../support/requests.js';

/** How often each race is run. */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 3);

const JOIN = { profile: {}, address: {}, items: {}, slots: {}, tags: {} };

const requestAt = (path: Record<string, unknown> = {}, options: CrudRequestOptions = {}, join: string[] = []) =>
  requestOf({ path, join, options: { ...options, query: { ...options.query, join: JOIN } } });

const JOINED = { profile: true, address: true, items: true, slots: true, tags: true } as const;

const SOFT: CrudRequestOptions = { query: { softDelete: true } };
const RETURNED: CrudRequestOptions = { routes: { deleteOneBase: { returnDeleted: true } } };

/** A body as a client would send it. */
const body = (properties: object) => properties as unknown as Account;

type Outcome = { readonly status: number; readonly record?: Account };

/** What became of one request. */
async function outcomeFor(work: Promise<unknown>): Promise<Outcome> {
  try {
    return { status: 200, record: (await work) as Account };
  } catch (error) {
    const { status } = error as { status?: number };

    if (status === undefined) throw error;

    return { status };
  }
}

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
  let source: DataSource;
  let accounts: TypeOrmCrudService<Account>;

  beforeAll(async () => {
    source = await connect(db, RACE_ENTITIES, { poolSize: 12 });
    accounts = new TypeOrmCrudService(source.getRepository(Account));

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

  afterAll(() => source.destroy());

  beforeEach(async () => {
    for (const table of ['accounts_tags', 'addresses', 'items', 'slots', 'accounts', 'profiles'])
      await source.query(`DELETE FROM ${table}`);
  });

  /** Runs a race several times, each with a record of its own. */
  async function rounds(work: (id: string) => Promise<void>, stored: object | null = {}): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = `round ${round}`;

      if (stored) {
        await source.getRepository(Account).insert([
          { id, ...stored },
          { id: `${id}.gone`, ...stored },
        ]);
      }

      await work(id);
    }
  }

  const storedAt = (id: string) =>
    source.getRepository(Account).findOne({ where: { id }, withDeleted: true, relations: JOINED });
  const patch = (id: string, properties: object, join: string[] = []) =>
    accounts.updateOne(requestAt({ id }, {}, join), body(properties));
  const put = (id: string, properties: object) => accounts.replaceOne(requestAt({ id }), body(properties));

  describe.each([
    ['nobody looks on', false],
    ['a subscriber looks on', true],
  ])('while %s', (_, observed) => {
    const events = ['beforeUpdate', 'beforeInsert', 'beforeRemove', 'beforeSoftRemove', 'beforeRecover'];
    const subscriber = Object.fromEntries(events.map((event) => [event, () => undefined]));

    beforeAll(() => {
      if (observed) source.subscribers.push(subscriber);
    });
    afterAll(() => {
      source.subscribers.splice(0);
    });

    test('one POST of several with one key is stored', () =>
      rounds(async (id) => {
        const { winner } = await oneOf(5, (n) => accounts.createOne(requestAt(), body({ id, first: `${n}` })));

        expect(await storedAt(id)).toMatchObject({ first: winner, version: 1 });
      }, null));

    test('one POST of several with one unique value is stored, the others leave nothing behind', () =>
      rounds(async (id) => {
        await oneOf(5, (n) =>
          accounts.createOne(requestAt(), body({ id: `${id}.${n}`, name: id, profile: { bio: id } })),
        );

        expect(await source.getRepository(Account).countBy({ name: id })).toBe(1);
        expect(await source.getRepository(Profile).countBy({ bio: id })).toBe(1);
      }, null));

    test('a bulk is stored whole or not at all', () =>
      rounds(async (id) => {
        const { winner } = await oneOf(4, (n) =>
          accounts.createMany(requestAt(), {
            bulk: [`${id}.${n}`, id, `${id}+${n}`].map((one) => ({ id: one, first: `${n}` })),
          }),
        );
        const stored = await source.getRepository(Account).find();

        expect(stored.filter((account) => account.id.startsWith(id)).map(({ first }) => first)).toEqual(
          times(3, () => winner),
        );
      }, null));

    test.each([
      ['PATCH', (id: string, n: number) => patch(id, { first: `${n}`, version: 1 })],
      ['PUT', (id: string, n: number) => put(id, { id, first: `${n}`, version: 1 })],
    ])('one %s of several with one version is stored', (_verb, send) =>
      rounds(async (id) => {
        const { winner, record } = await oneOf(5, (n) => send(id, n));

        expect(record).toMatchObject({ first: winner, version: 2 });
        expect(await storedAt(id)).toMatchObject({ first: winner, version: 2 });
      }),
    );

    test('one PATCH of several with one version and a related record is stored', () =>
      rounds(async (id) => {
        const { winner } = await oneOf(5, (n) => patch(id, { first: `${n}`, version: 1, slots: [{ what: `${n}` }] }));

        expect(await storedAt(id)).toMatchObject({ first: winner, version: 2, slots: [{ what: winner }] });
      }));

    test('each PATCH without a version is stored', () =>
      rounds(async (id) => {
        const columns = ['first', 'second', 'third', 'fourth'];
        const records = await allOf(columns.map((column, n) => () => patch(id, { [column]: `${n}` })));

        records.forEach((record, n) => expect(record).toMatchObject({ [columns[n]!]: `${n}` }));
        expect(records.map(({ version }) => version).sort()).toEqual([2, 3, 4, 5]);
        expect(await storedAt(id)).toMatchObject({ first: '0', second: '1', third: '2', fourth: '3', version: 5 });
      }));

    test('equal PATCHes are stored once', () =>
      rounds(async (id) => {
        const records = await allOf(times(4, () => () => patch(id, { first: 'same' })));

        expect(records.map(({ first }) => first)).toEqual(times(4, () => 'same'));
        expect(await storedAt(id)).toMatchObject({ first: 'same', version: 2 });
      }));

    test('a nested record that the account refers to is made once', () =>
      rounds(async (id) => {
        const records = await allOf(times(4, (n) => () => patch(id, { profile: { bio: `${id} ${n}` } }, ['profile'])));
        const { profile } = (await storedAt(id))!;

        records.forEach((record, n) => expect(record.profile).toMatchObject({ id: profile!.id, bio: `${id} ${n}` }));
        expect(await source.getRepository(Profile).find()).toHaveLength(Number(id.slice(6)) + 1);
      }));

    test('a nested record that refers to the account is made once', () =>
      rounds(async (id) => {
        const records = await allOf(
          times(4, (n) => () => patch(id, { address: { street: `${id} ${n}` } }, ['address'])),
        );

        records.forEach((record, n) => expect(record.address!.street).toBe(`${id} ${n}`));
        expect(await source.getRepository(Address).countBy({ account: { id } })).toBe(1);
      }));

    test('children of all PATCHes are stored, once each', () =>
      rounds(async (id) => {
        const records = await allOf(times(4, (n) => () => patch(id, { slots: [{ what: `${n}` }] }, ['slots'])));
        const { slots } = (await storedAt(id))!;

        expect(slots.map(({ what }) => what).sort()).toEqual(['0', '1', '2', '3']);
        expect(records.map((record) => record.slots.length).sort()).toEqual([1, 2, 3, 4]);
      }));

    test('children of one list stay where lists delete what they leave out', () =>
      rounds(async (id) => {
        const records = await allOf(
          times(4, (n) => () => patch(id, { items: [{ what: `${n}` }, { what: `${n}` }] }, ['items'])),
        );
        const { items } = (await storedAt(id))!;

        records.forEach((record, n) => expect(record.items.map(({ what }) => what)).toEqual([`${n}`, `${n}`]));
        expect(items).toHaveLength(2);
        expect(items[0]!.what).toBe(items[1]!.what);
      }));

    test('links are those of one list', () =>
      rounds(async (id) => {
        const lists = [[0, 1], [1, 2], [3, 4, 5], []];
        const records = await allOf(lists.map((tags) => () => patch(id, { tags }, ['tags'])));
        const ids = (account: Account) => account.tags.map((tag) => tag.id).sort();

        records.forEach((record, n) => expect(ids(record)).toEqual(lists[n]));
        expect(lists).toContainEqual(ids((await storedAt(id))!));
      }));

    test('one PUT of several creates the record, the others replace it', () =>
      rounds(async (id) => {
        const requests = times(5, () => requestAt({ id }));
        const records = await allOf(
          requests.map((request, n) => () => accounts.replaceOne(request, body({ id, first: `${n}` }))),
        );
        const stored = (await storedAt(id))!;

        expect(requests.filter((request) => outcomeOf(request).created)).toHaveLength(1);
        records.forEach((record, n) => expect(record.first).toBe(`${n}`));
        expect(records.map((record) => record.version).sort()).toEqual([1, 2, 3, 4, 5]);
        expect(records[Number(stored.first)]!.version).toBe(5);
      }, null));

    test('PUTs of different new records do not hinder one another', () =>
      rounds(async (id) => {
        await allOf(times(10, (n) => () => put(`${id}.${n}`, { id: `${id}.${n}`, first: `${n}` })));
      }, null));

    test.each([
      ['soft', SOFT],
      ['hard', {}],
    ])('one %s DELETE of several finds the record', (_kind, options) =>
      rounds(async (id) => {
        const outcomes = await race(times(4, () => () => accounts.deleteOne(requestAt({ id }, options))));

        expect(statuses(outcomes)).toEqual([200, 404, 404, 404]);
      }),
    );

    test.each([
      ['soft', SOFT],
      ['hard', {}],
    ])('a %s DELETE returns what the PATCHes before it have stored', (_kind, options) =>
      rounds(async (id) => {
        const [deleted, ...patched] = await race([
          () => accounts.deleteOne(requestAt({ id }, { ...options, ...RETURNED })),
          () => patch(id, { first: '1' }),
          () => patch(id, { second: '2', slots: [{ what: id }] }),
          () => put(id, { id, third: '3', fourth: '4' }),
        ]);

        expect(deleted!.status).toBe(200);
        if (patched[0]!.status === 200 && patched[2]!.status === 404) expect(deleted!.record!.first).toBe('1');
        if (patched[1]!.status === 200 && patched[2]!.status === 404) expect(deleted!.record!.second).toBe('2');
        if (options === SOFT) {
          const stored = (await storedAt(id))!;

          expect(stored.deletedAt).not.toBeNull();
          expect(stored).toMatchObject({ first: deleted!.record!.first, second: deleted!.record!.second });
          expect(stored.slots).toHaveLength(patched[1]!.status === 200 ? 1 : 0);
        }
      }),
    );

    test('a PUT beside a DELETE replaces the record or creates it', () =>
      rounds(async (id) => {
        const request = requestAt({ id });
        await allOf([
          () => accounts.deleteOne(requestAt({ id })),
          () => accounts.replaceOne(request, body({ id, first: 'put' })),
        ]);
        const stored = await storedAt(id);

        if (outcomeOf(request).created) expect(stored).toMatchObject({ first: 'put', version: 1 });
        else expect(stored).toBeNull();
      }));

    test('several recover a record at once', () =>
      rounds(
        async (id) => {
          await allOf(times(4, () => () => accounts.recoverOne(requestAt({ id }, SOFT))));

          expect(await storedAt(id)).toMatchObject({ deletedAt: null, version: 2 });
        },
        { deletedAt: new Date() },
      ));

    test('a PATCH beside a recovery is stored where it is a 200', () =>
      rounds(
        async (id) => {
          const [recovered, patched, replaced] = await race([
            () => accounts.recoverOne(requestAt({ id }, SOFT)),
            () => patch(id, { first: 'patch' }),
            () => patch(id, { second: 'patch', slots: [{ what: id }] }),
          ]);
          const stored = (await storedAt(id))!;

          expect(recovered!.status).toBe(200);
          expect(stored.deletedAt).toBeNull();
          expect(stored.first).toBe(patched!.status === 200 ? 'patch' : '');
          expect(stored.second).toBe(replaced!.status === 200 ? 'patch' : '');
          expect(stored.slots).toHaveLength(replaced!.status === 200 ? 1 : 0);
        },
        { deletedAt: new Date() },
      ));

    test('a recovery beside a DELETE comes before or after it', () =>
      rounds(async (id) => {
        const [deleted, recovered] = await race([
          () => accounts.deleteOne(requestAt({ id }, SOFT)),
          () => accounts.recoverOne(requestAt({ id }, SOFT)),
        ]);
        const { version } = (await storedAt(id))!;

        expect(deleted!.status).toBe(200);
        expect([200, 404]).toContain(recovered!.status);
        expect([2, 3]).toContain(version);
      }));
  });

  if (db.kind === 'sqlite') return;

  test("a transaction of the application's that has read the record before sees what was stored since", () =>
    rounds(async (id) => {
      const runner = source.createQueryRunner();

      await runner.startTransaction(db.kind === 'mysql' ? 'REPEATABLE READ' : 'READ COMMITTED');

      try {
        const inside = new TypeOrmCrudService(runner.manager.getRepository(Account));

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
        await runner.commitTransaction();
      } finally {
        await runner.release();
      }

      expect(await storedAt(id)).toMatchObject({ first: 'outside', profile: { bio: `${id} inside` } });
      expect(await storedAt(`${id}.new`)).toMatchObject({ first: 'inside', version: 2 });
      expect(await storedAt(`${id}.gone`)).toMatchObject({ first: 'inside', version: 1 });
      expect(await source.getRepository(Profile).countBy({ bio: Like(`${id} %`) })).toBe(1);
    }));
});
