/** Random PATCHes, stored by the service and by TypeORM's own `save` of the same change → subscribers hear of the same columns, relations and former record, on each database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DataSource, type EntitySubscriberInterface, type UpdateEvent } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Maker, Product, requestAt, UNCHANGED_ENTITIES } from './unchanged.entities.js';
import { connect } from '../support/resources.js';

/** How many PATCHes are compared. */
const RUNS = Number(process.env['EVENT_RUNS'] ?? 40);

const NOON = new Date('2026-01-02T12:00:00.000Z');

const STORED = {
  name: 'Ada',
  notes: null,
  count: 5,
  big: '9007199254740993',
  weight: 0.5,
  sold: true,
  day: '2026-01-02',
  time: '10:00:00',
  seen: NOON,
  settings: { a: 1, b: 2 },
  tags: ['a', 'b'],
  code: 'abc',
  secret: 's',
  size: { width: 1, height: null },
  makerId: 1,
  seller: { id: 2 },
};

const maker = fc.constantFrom(1, 2, null);

/** Bodies that send what is stored as often as they send something else; null and absence come up everywhere. */
const BODIES = fc.record(
  {
    name: fc.constantFrom('Ada', 'ada', 'Bob', null),
    notes: fc.constantFrom(null, 'text'),
    count: fc.constantFrom(5, 6, null),
    big: fc.constantFrom('9007199254740993', '1', null),
    weight: fc.constantFrom(0.5, 0.25),
    sold: fc.constantFrom(true, false),
    day: fc.constantFrom('2026-01-02', '2026-01-03'),
    time: fc.constantFrom('10:00:00', '11:00:00'),
    seen: fc.constantFrom(NOON, new Date('2026-01-02T13:00:00.000Z'), null),
    settings: fc.constantFrom({ a: 1, b: 2 }, { b: 2, a: 1 }, [], null),
    tags: fc.constantFrom(['a', 'b'], ['b'], null),
    code: fc.constantFrom('abc', 'cba', null),
    size: fc.record({ width: fc.constantFrom(1, 2, null), height: fc.constantFrom(null, 3) }, { requiredKeys: [] }),
    link: fc.oneof(
      maker.map((id) => ({ makerId: id })),
      // As the service takes it: the column says the same.
      maker.map((id) => ({ makerId: id, maker: id === null ? null : { id } })),
    ),
    seller: maker.map((id) => (id === null ? null : { id })),
  },
  { requiredKeys: [] },
);

interface Heard {
  readonly event: string;
  readonly columns: readonly string[];
  readonly relations: readonly string[];
  readonly before: unknown;
}

describeDatabases('events of updates', (db) => {
  const heard: Heard[] = [];
  const hear =
    (event: string) =>
    ({ metadata, databaseEntity, updatedColumns, updatedRelations }: UpdateEvent<unknown>): void => {
      if (metadata.target !== Product) return;

      heard.push({
        event,
        columns: [...new Set(updatedColumns.map(({ propertyPath }) => propertyPath))].sort(),
        relations: [...new Set(updatedRelations.map(({ propertyPath }) => propertyPath))].sort(),
        before: readBefore(databaseEntity),
      });
    };
  /** Without what TypeORM reads wrong: sql.js makes doubles of long numbers. */
  const readBefore = (entity: unknown): unknown => {
    const { big, ...before } = JSON.parse(JSON.stringify(entity)) as { readonly big?: unknown };

    return db.kind === 'sqlite' ? before : { ...before, big };
  };
  const subscriber: EntitySubscriberInterface = { beforeUpdate: hear('before'), afterUpdate: hear('after') };
  let source: DataSource;

  beforeAll(async () => {
    source = await connect(db, UNCHANGED_ENTITIES);
    await source.getRepository(Maker).insert([
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ]);
    source.subscribers.push(subscriber);
  });

  afterAll(() => source.destroy());

  test('are those of save', async () => {
    const repository = source.getRepository(Product);
    const products = new TypeOrmCrudService(repository);

    const eventsOf = async (work: () => Promise<unknown>) => {
      await source.query('DELETE FROM products');
      await repository.insert({ id: 1, ...STORED, createdAt: NOON, updatedAt: NOON, version: 1 } as never);
      heard.length = 0;
      await work();

      const { updatedAt: _, ...record } = await repository.findOneOrFail({
        where: { id: 1 },
        relations: { maker: true, seller: true },
      });

      return { heard: [...heard], record };
    };

    await fc.assert(
      fc.asyncProperty(BODIES, async ({ link, ...rest }) => {
        const { big: _, ...others } = rest;
        // sql.js reads long numbers as doubles, and TypeORM compares those.
        const body = { ...(db.kind === 'sqlite' ? others : rest), ...link };
        const ours = await eventsOf(() => products.updateOne(requestAt(1), { ...body } as unknown as Product));
        const theirs = await eventsOf(async () => {
          const loaded = await repository.findOneByOrFail({ id: 1 });

          await repository.save(repository.merge(loaded, { ...body } as never));
        });

        expect(ours).toEqual(theirs);
      }),
      { numRuns: RUNS },
    );
  });
});
