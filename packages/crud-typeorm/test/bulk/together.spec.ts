/** Random items for entities without listeners, subscribers or hooks → the rows and answers of single writes, in a number of statements that depends on the sets of columns only. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type INestApplication } from '@nestjs/common';
import fc from 'fast-check';
import { Column, DataSource, Entity, PrimaryColumn, UpdateDateColumn, VersionColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Api } from '../../../crud/test/support/application.js';
import { Statements } from '../support/statements.js';
import { resource, serve } from '../support/resources.js';

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

const SITES = ['A', 'B'];
const NUMBERS = [1, 2, 3, 4];

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
const keys = fc.uniqueArray(fc.tuple(fc.constantFrom(...SITES), fc.integer({ min: 1, max: 5 })), {
  minLength: 1,
  maxLength: 6,
  selector: String,
});
const bulks = keys.chain((chosen) =>
  fc.tuple(...chosen.map(([site, number]) => values.map((record) => ({ site, number, ...record })))),
);

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const WITHOUT_TIME = ({ updatedAt: _, ...row }: Reading) => row;

describeDatabases('several records by one statement', (db) => {
  let api: Api;
  let app: INestApplication;
  let source: DataSource;
  const statements = new Statements();

  beforeAll(async () => {
    const entities = [Reading, Note];
    ({ api, app, source } = await serve(db, entities, [readings, notes], {
      source: { logging: true, logger: statements },
    }));
  });

  afterAll(() => app?.close());

  const rows = async () =>
    (await source.getRepository(Reading).find({ order: { site: 'ASC', number: 'ASC' } })).map(WITHOUT_TIME);

  async function fill(): Promise<void> {
    await source.getRepository(Reading).clear();
    await source.getRepository(Reading).insert(
      SITES.flatMap((site) =>
        NUMBERS.map((number) => ({
          site,
          number,
          label: number === 1 ? `label ${site}` : null,
          price: '1.50',
          tags: ['x'],
          tenant: site === 'B' && number === 4 ? 2 : 1,
        })),
      ),
    );
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
    const refused = answers.filter(({ status }) => status >= 400);
    if (refused.length === 0)
      return { status: Math.max(...answers.map(({ status }) => status)), body: plain(answers.map(({ body }) => body)) };

    await source.getRepository(Reading).clear();
    await source.getRepository(Reading).insert(before as never[]);

    return { status: Math.max(...refused.map(({ status }) => status)), body: undefined };
  }

  test.each([
    ['PATCH', 'patch'],
    ['PUT', 'put'],
  ] as const)('%s leaves and answers what one by one leaves and answers', async (_, method) => {
    await fc.assert(
      fc.asyncProperty(bulks, async (bulk) => {
        await fill();
        const { status, body } = await api[method]('/readings/bulk', { bulk });
        const together = { status, body: status < 400 ? plain(body) : undefined };
        const left = await rows();
        await fill();
        const single = await oneByOne((path, sent) => api[method](path, sent), bulk);

        // Of several mistakes a bulk tells another one first.
        expect(together.body).toEqual(single.body);
        expect(together.status < 400).toBe(single.status < 400);
        if (together.status < 400) expect(together.status).toBe(single.status);
        expect(left).toEqual(await rows());
      }),
      { numRuns: Number(process.env['BULK_RUNS'] ?? 25), seed: 12, endOnFailure: true },
    );
  });

  test('an item whose value another record has is named, and nothing is changed', async () => {
    await fill();
    const before = await rows();
    const bulk = [
      { site: 'A', number: 2, label: 'new' },
      { site: 'A', number: 3, label: 'label B' },
      { site: 'A', number: 4, label: 'newer' },
    ];
    const { body } = await api.patch('/readings/bulk', { bulk }).expect(409);

    expect(body).toMatchObject({ field: 'bulk.1.label', message: ['bulk.1.label already exists'] });
    expect(await rows()).toEqual(before);
  });

  describe('statements', () => {
    const ALL = Array.from({ length: 1000 }, (_, index) => index + 1);

    beforeEach(async () => {
      await source.getRepository(Note).clear();
      for (const start of [0, 500])
        await source.getRepository(Note).insert(ALL.slice(start, start + 500).map((id) => ({ id, rank: id })));
    });

    const versions = async () =>
      (await source.getRepository(Note).find({ order: { id: 'ASC' } })).map(({ version }) => version);

    test.each([
      ['PATCH', 'patch', 1, () => ({ text: 'new' })],
      ['PATCH', 'patch', 3, (id: number) => [{ text: `t${id}` }, { rank: -id }, { text: 'both', rank: null }][id % 3]!],
      ['PUT', 'put', 1, (id: number) => ({ text: `t${id}`, rank: id % 2 })],
    ] as const)('%s of 1000 items with %3$i sets of columns takes at most 3·s + 2', async (_, method, sets, change) => {
      const bulk = ALL.map((id) => ({ id, ...change(id) }));
      const sent = await statements.of(() => api[method]('/notes/bulk', { bulk }).expect(200));

      expect(sent.length).toBeLessThanOrEqual(3 * sets + 2);
      expect(new Set(await versions())).toEqual(new Set([2]));
      expect((await source.getRepository(Note).findOneBy({ id: 700 }))!).toMatchObject(change(700));
    });

    test('a PATCH that changes half of the records advances the versions of these', async () => {
      await api.patch('/notes/bulk', { bulk: ALL.map((id) => ({ id, rank: id % 2 ? id : 0 })) }).expect(200);

      expect(await versions()).toEqual(ALL.map((id) => (id % 2 ? 1 : 2)));
    });

    test('PUT of 1000 new records takes as few', async () => {
      await source.getRepository(Note).clear();
      const bulk = ALL.map((id) => ({ id, text: `t${id}` }));
      const sent = await statements.of(() => api.put('/notes/bulk', { bulk }).expect(201));

      expect(sent.length).toBeLessThanOrEqual(5);
      expect(await versions()).toHaveLength(1000);
    });

    test('by condition, 1000 records take as few', async () => {
      const sent = await statements.of(() =>
        api.patch('/notes/bulk?filter=rank||gt||0', { set: { text: 'all' } }).expect(200, { affected: 1000 }),
      );
      expect(sent.length).toBeLessThanOrEqual(6);

      const removed = await statements.of(() =>
        api.delete('/notes/bulk?filter=text||eq||all').expect(200, { affected: 1000 }),
      );
      expect(removed.length).toBeLessThanOrEqual(3);
      expect(await versions()).toEqual([]);
    });
  });
});
