/** Random items for entities with and without listeners → the rows and answers of single writes, or nothing at all; without listeners in a number of statements that depends on the sets of columns only. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Statements } from '../support/statements.js';
import { type Answer, resource, type ResourceOptions } from '../support/resources.js';
import { serving } from '../support/serving.js';

abstract class Measured {
  @orm.PrimaryColumn({ type: 'varchar', length: 10 }) site!: string;
  @orm.PrimaryColumn({ type: 'int' }) number!: number;
  @orm.Column({ type: 'varchar', length: 20, nullable: true, unique: true }) label!: string | null;
  @orm.Column({ type: 'int', default: 5 }) level!: number;
  @orm.Column({ type: 'decimal', precision: 10, scale: 2, nullable: true }) price!: string | null;
  @orm.Column({ type: 'boolean', default: false }) checked!: boolean;
  @orm.Column({ type: 'simple-array', nullable: true }) tags!: string[] | null;
  @orm.Column({ type: 'simple-json', nullable: true }) extra!: unknown;
  @orm.Column({ type: 'int', default: 1 }) tenant!: number;
  @orm.VersionColumn() version!: number;
  @orm.UpdateDateColumn() updatedAt!: Date;
}

@orm.Entity('together_readings')
class Reading extends Measured {}

@orm.Entity('together_heard')
class Heard extends Measured {
  @orm.Column({ type: 'int', default: 0 }) heard!: number;
  @orm.DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @orm.BeforeUpdate() hear(): void {
    // Not known while a PUT resets it.
    this.heard = ((this.heard as number | undefined) ?? 0) + 1;
  }
}

@orm.Entity('together_notes')
class Note {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) text!: string | null;
  @orm.Column({ type: 'int', nullable: true }) rank!: number | null;
  @orm.VersionColumn() version!: number;
}

const routes = { deleteOneBase: { returnDeleted: true }, updateManyBase: {}, replaceManyBase: {}, deleteManyBase: {} };
const options: ResourceOptions<Measured> = {
  params: {
    site: { field: 'site', type: 'string', primary: true },
    number: { field: 'number', type: 'number', primary: true },
  },
  routes,
  auth: { filter: () => ({ tenant: 1 }) },
};

const matching = { byCondition: true };
const RESOURCES = [
  resource(Reading, 'Reading', options),
  resource(Heard, 'Heard', { ...options, query: { softDelete: true } }),
  resource(Note, 'notes', { routes: { updateManyBase: matching, replaceManyBase: true, deleteManyBase: matching } }),
];

/** Mostly what is accepted: a bulk is refused whole by one item. */
const mostly = <T>(usual: fc.Arbitrary<T>, refused: T) =>
  fc.oneof({ weight: 19, arbitrary: usual }, { weight: 1, arbitrary: fc.constant(refused) });

const values = fc.record(
  {
    label: fc.constantFrom('a', 'A', 'b', ' b', null),
    level: fc.constantFrom(5, 0, -7),
    price: fc.constantFrom('1.50', '1.5', 0, null),
    checked: fc.boolean(),
    tags: fc.constantFrom(['x'], ['x', 'y'], [], null),
    extra: fc.constantFrom({ a: 1 }, [1], 'text', null),
    tenant: mostly(fc.constant(1), 2),
    version: mostly(fc.constant(1), 2),
  },
  { requiredKeys: ['tenant'] },
);

const keys = fc.uniqueArray(fc.tuple(fc.constantFrom('A', 'B'), mostly(fc.integer({ min: 1, max: 3 }), 5)), {
  minLength: 1,
  maxLength: 6,
  selector: String,
});

const bulks = keys.chain((chosen) =>
  fc.tuple(...chosen.map(([site, number]) => values.map((record) => ({ site, number, ...record })))),
);

describeDatabases('several records by one statement', (db) => {
  const statements = new Statements();
  const app = serving(db, [Reading, Heard, Note], RESOURCES, { source: { logging: true, logger: statements } });

  describe.each([Reading, Heard])('of %p', (entity) => {
    const path = `/${entity.name}`;
    const repository = () => app.source.getRepository<Measured & { deletedAt?: Date | null }>(entity);
    const rows = async () =>
      (await repository().find({ order: { site: 'ASC', number: 'ASC' }, withDeleted: true })).map(
        ({ updatedAt: _, deletedAt, ...row }) => ({ ...row, isDeleted: Boolean(deletedAt) }),
      );

    async function fill(): Promise<void> {
      await repository().clear();
      const readingsOf = (site: string) =>
        [1, 2, 3, 4].map((number) => {
          const label = number === 1 ? `label ${site}` : null;
          return { site, number, label, price: '1.50', tags: ['x'], tenant: site === 'B' && number === 4 ? 2 : 1 };
        });
      await repository().insert(['A', 'B'].flatMap(readingsOf));
    }

    beforeEach(fill);

    const timeless = (key: string, value: unknown) => (/^(updated|deleted)At$/.test(key) ? undefined : value);
    const plain = (body: unknown) => JSON.parse(JSON.stringify(body), timeless) as unknown;
    const keyed = fc.sample(bulks, { seed: 12, numRuns: Number(process.env['BULK_RUNS'] ?? 25) });

    const METHODS = ['patch', 'put', 'delete'] as const;
    test.each(METHODS)('%s in bulk does and answers what it does one by one', async (method) => {
      const send = (to: string, body: object) => app.send(method, to, body);
      let accepted = 0;
      for (const bulk of keyed) {
        await fill();
        const together = await send(`${path}/bulk`, { bulk });
        const left = await rows();
        await fill();
        const answers: Answer[] = [];
        for (const { site, number, ...body } of bulk) answers.push(await send(`${path}/${site}/${number}`, body));
        const status = Math.max(...answers.map((answer) => answer.status));
        // A bulk is refused whole; of several mistakes it tells another one first.
        if (status >= 400) await fill();
        else accepted += 1;
        const expected = method === 'delete' ? expect.anything() : plain(answers.map(({ body }) => body));
        if (status >= 400) expect(together.status).toBeGreaterThanOrEqual(400);
        else expect([together.status, plain(together.body)]).toEqual([status, expected]);
        expect(left).toEqual(await rows());
      }
      expect(accepted).toBeGreaterThan(keyed.length / 4);
    });

    test('a value that others have refuses the whole bulk, and is named', async () => {
      const before = await rows();
      const bulk = [{ label: 'new' }, { label: 'label B' }, { label: 'newer' }];
      const sent = { bulk: bulk.map((change, index) => ({ site: 'A', number: index + 2, ...change })) };
      const told = { status: 409, body: { message: ['bulk.1.label already exists'] } };
      expect(await app.send('patch', `${path}/bulk`, sent)).toMatchObject(told);
      expect(await rows()).toEqual(before);
      // One gives it up before another takes it.
      const passed = { bulk: [{ site: 'B', number: 1, label: null }, sent.bulk[1]] };
      expect(await app.send('patch', `${path}/bulk`, passed)).toMatchObject({ status: 200 });
    });
  });

  describe('statements', () => {
    const ALL = Array.from({ length: 1000 }, (_, index) => index + 1);
    const THREE = (id: number) => [{ text: `t${id}` }, { rank: -id }, { text: 'both', rank: null }];

    beforeEach(async () => {
      const stored = app.source.getRepository(Note);
      await stored.clear();
      for (const start of [0, 500]) await stored.insert(ALL.slice(start, start + 500).map((id) => ({ id, rank: id })));
    });

    const versions = async () =>
      (await app.source.getRepository(Note).find({ order: { id: 'ASC' } })).map(({ version }) => version);

    test.each([
      ['PATCH of 1000 items', 'patch', () => ({ text: 'new' })],
      ['PATCH of other columns of each', 'patch', (id: number) => THREE(id)[id % 3]!],
      ['PUT of 1000 items', 'put', (id: number) => ({ text: `t${id}`, rank: id % 2 })],
    ] as const)('%s takes three UPDATEs', async (_, method, change) => {
      const bulk = ALL.map((id) => ({ id, ...change(id) }));
      const sent = await statements.of(() => app.api[method]('/notes/bulk', { bulk }).expect(200));
      expect(sent.filter((sql) => sql.startsWith('UPDATE'))).toHaveLength(3);
      expect(sent.length).toBeLessThanOrEqual(6);
      await app.api[method]('/notes/bulk', { bulk }).expect(200);
      expect(new Set(await versions())).toEqual(new Set([method === 'put' ? 3 : 2]));
      expect((await app.source.getRepository(Note).findOneBy({ id: 700 }))!).toMatchObject(change(700));
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
