/** Random items for entities without listeners, subscribers or hooks → the rows and answers of single writes, in a number of statements that depends on the sets of columns only. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Column, Entity, PrimaryColumn, UpdateDateColumn, VersionColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Statements } from '../support/statements.js';
import { type Answer, resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('together_readings')
class Reading {
  @PrimaryColumn({ type: 'varchar', length: 10 }) site!: string;
  @PrimaryColumn({ type: 'int' }) number!: number;
  @Column({ type: 'varchar', length: 20, nullable: true, unique: true }) label!: string | null;
  @Column({ type: 'int', default: 5 }) level!: number;
  @Column({ type: 'decimal', precision: 10, scale: 2, nullable: true }) price!: string | null;
  @Column({ type: 'boolean', default: false }) checked!: boolean;
  @Column({ type: 'simple-array', nullable: true }) tags!: string[] | null;
  @Column({ type: 'simple-json', nullable: true }) extra!: unknown;
  @Column({ type: 'int', default: 1 }) tenant!: number;
  @VersionColumn() version!: number;
  @UpdateDateColumn() updatedAt!: Date;
}

@Entity('together_notes')
class Note {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) text!: string | null;
  @Column({ type: 'int', nullable: true }) rank!: number | null;
  @VersionColumn() version!: number;
}

const readings = resource(Reading, 'readings', {
  params: {
    site: { field: 'site', type: 'string', primary: true },
    number: { field: 'number', type: 'number', primary: true },
  },
  routes: { updateManyBase: true, replaceManyBase: true, deleteManyBase: true },
  auth: { filter: () => ({ tenant: 1 }) },
});

const notes = resource(Note, 'notes', {
  routes: { updateManyBase: { byCondition: true }, replaceManyBase: true, deleteManyBase: { byCondition: true } },
});

const values = fc.record(
  {
    label: fc.constantFrom('a', 'A', 'b', ' b', null),
    level: fc.constantFrom(5, 0, -7),
    price: fc.constantFrom('1.50', '1.5', 0, null),
    checked: fc.boolean(),
    tags: fc.constantFrom(['x'], ['x', 'y'], [], null),
    extra: fc.constantFrom({ a: 1 }, [1], 'text', null),
    tenant: fc.constantFrom(1, 1, 1, 1, 2),
    version: fc.constantFrom(1, 1, 2),
  },
  { requiredKeys: [] },
);
const keys = fc.uniqueArray(fc.tuple(fc.constantFrom('A', 'B'), fc.integer({ min: 1, max: 5 })), {
  minLength: 1,
  maxLength: 6,
  selector: String,
});
const bulks = keys.chain((chosen) =>
  fc.tuple(...chosen.map(([site, number]) => values.map((record) => ({ site, number, ...record })))),
);

describeDatabases('several records by one statement', (db) => {
  const statements = new Statements();
  const app = serving(db, [Reading, Note], [readings, notes], { source: { logging: true, logger: statements } });

  const rows = async () =>
    (await app.source.getRepository(Reading).find({ order: { site: 'ASC', number: 'ASC' } })).map(
      ({ updatedAt: _, ...row }) => row,
    );

  async function fill(): Promise<void> {
    await app.source.getRepository(Reading).clear();
    const readingsOf = (site: string) =>
      [1, 2, 3, 4].map((number) => {
        const label = number === 1 ? `label ${site}` : null;

        return { site, number, label, price: '1.50', tags: ['x'], tenant: site === 'B' && number === 4 ? 2 : 1 };
      });
    await app.source.getRepository(Reading).insert(['A', 'B'].flatMap(readingsOf));
  }

  const plain = (body: unknown) =>
    JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'updatedAt' ? undefined : value)) as unknown;

  /** One by one until one is refused, as a bulk is refused whole. */
  async function oneByOne(
    send: (path: string, body: object) => PromiseLike<Answer>,
    bulk: readonly { site: string; number: number }[],
  ): Promise<Answer> {
    const before = await rows();
    const answers: Answer[] = [];
    for (const { site, number, ...body } of bulk) answers.push(await send(`/readings/${site}/${number}`, body));
    if (answers.some(({ status }) => status >= 400)) {
      await app.source.getRepository(Reading).clear();
      await app.source.getRepository(Reading).insert(before as never[]);
    }

    return { status: Math.max(...answers.map(({ status }) => status)), body: plain(answers.map(({ body }) => body)) };
  }

  test.each([
    ['PATCH', 'patch'],
    ['PUT', 'put'],
  ] as const)('%s leaves and answers what one by one leaves and answers', async (_, method) => {
    await fc.assert(
      fc.asyncProperty(bulks, async (bulk) => {
        await fill();
        const together = await app.api[method]('/readings/bulk', { bulk });
        const left = await rows();
        await fill();
        const single = await oneByOne((path, sent) => app.api[method](path, sent), bulk);

        // Of several mistakes a bulk tells another one first.
        if (single.status < 400) expect([together.status, plain(together.body)]).toEqual([single.status, single.body]);
        else expect(together.status).toBeGreaterThanOrEqual(400);
        expect(left).toEqual(await rows());
      }),
      { numRuns: Number(process.env['BULK_RUNS'] ?? 25), seed: 12, endOnFailure: true },
    );
  });

  test('an item whose value another record has is named, and nothing is changed', async () => {
    await fill();
    const before = await rows();
    const bulk = ['new', 'label B', 'newer'].map((label, index) => ({ site: 'A', number: index + 2, label }));
    const { body } = await app.api.patch('/readings/bulk', { bulk }).expect(409);

    expect(body).toMatchObject({ field: 'bulk.1.label', message: ['bulk.1.label already exists'] });
    expect(await rows()).toEqual(before);
  });

  describe('statements', () => {
    const ALL = Array.from({ length: 1000 }, (_, index) => index + 1);

    beforeEach(async () => {
      await app.source.getRepository(Note).clear();
      for (const start of [0, 500])
        await app.source.getRepository(Note).insert(ALL.slice(start, start + 500).map((id) => ({ id, rank: id })));
    });

    const versions = async () =>
      (await app.source.getRepository(Note).find({ order: { id: 'ASC' } })).map(({ version }) => version);

    test.each([
      ['PATCH', 'patch', 1, () => ({ text: 'new' })],
      ['PATCH', 'patch', 3, (id: number) => [{ text: `t${id}` }, { rank: -id }, { text: 'both', rank: null }][id % 3]!],
      ['PUT', 'put', 1, (id: number) => ({ text: `t${id}`, rank: id % 2 })],
    ] as const)('%s of 1000 items with %3$i sets of columns takes at most 3·s + 2', async (_, method, sets, change) => {
      const bulk = ALL.map((id) => ({ id, ...change(id) }));
      const sent = await statements.of(() => app.api[method]('/notes/bulk', { bulk }).expect(200));

      expect(sent.length).toBeLessThanOrEqual(3 * sets + 2);
      expect(new Set(await versions())).toEqual(new Set([2]));
      expect((await app.source.getRepository(Note).findOneBy({ id: 700 }))!).toMatchObject(change(700));
    });

    test('a PATCH that changes half of the records advances the versions of these', async () => {
      await app.api.patch('/notes/bulk', { bulk: ALL.map((id) => ({ id, rank: id % 2 ? id : 0 })) }).expect(200);

      expect(await versions()).toEqual(ALL.map((id) => (id % 2 ? 1 : 2)));
    });

    test('by condition, 1000 records take as few', async () => {
      const all = { affected: 1000 };
      const change = () => app.api.patch('/notes/bulk?filter=rank||gt||0', { set: { text: 'all' } }).expect(200, all);
      const remove = () => app.api.delete('/notes/bulk?filter=text||eq||all').expect(200, all);

      expect((await statements.of(async () => await change())).length).toBeLessThanOrEqual(6);
      expect((await statements.of(async () => await remove())).length).toBeLessThanOrEqual(3);
      expect(await versions()).toEqual([]);
    });
  });
});
