/** The route of aggregates beside others: who may answer it in its place, whom it shows what, and which mistakes stop the start. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Controller, Get, Inject, Logger, Param } from '@nestjs/common';
import { type AggregateResponseRow, Crud, type CrudOptions, type CrudRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Exclude, Expose } from 'class-transformer';
import { Column, Entity, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { resource, type ResourceOptions, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('agg_makers')
class Maker {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Entity('agg_parts')
class Part {
  @PrimaryColumn({ type: 'varchar', length: 20 }) code!: string;
  @Column({ type: 'varchar', length: 20 }) kind!: string;
  @Column({ type: 'int' }) price!: number;
  @Exclude() @Column({ type: 'int', default: 1 }) cost!: number;
  @Expose({ groups: ['admin'] }) @Column({ type: 'int', default: 2 }) margin!: number;
  @ManyToOne(() => Maker) maker!: Relation<Maker> | null;
}

const ENTITIES = [Maker, Part];

const STORED = [...'xxy'].map((kind, at) => ({ code: `a${at}`, kind, price: [1, 2, 2][at]! }));

class OwnParts extends TypeOrmCrudService<Part> {
  override async aggregateMany(req: CrudRequest): Promise<AggregateResponseRow[]> {
    const rows = (await super.aggregateMany(req)) as AggregateResponseRow[];
    return rows.map((row) => ({ ...row, own: true }));
  }
}

const OPTIONS: ResourceOptions<Part> = {
  params: { code: { field: 'code', type: 'string', primary: true } },
  query: { aggregate: { groupBy: ['kind'], functions: { '*': ['count'], price: ['sum'] } } },
};

const partsAt = (path: string, options: ResourceOptions<Part> = {}) => resource(Part, path, { ...OPTIONS, ...options });
const parts = partsAt('parts');
const RESOURCES = [
  parts,
  partsAt('excluded', { routes: { exclude: ['aggregateBase'] } }),
  partsAt('own', { service: OwnParts }),
  partsAt('grouped', {
    query: { aggregate: { groupBy: ['margin'], functions: { margin: ['max'] } } },
    auth: { groups: (req: { headers: Record<string, string> }) => (req.headers['x-admin'] ? ['admin'] : []) },
  }),
];

@Crud({ model: { type: Part }, ...OPTIONS, routes: { only: ['aggregateBase'] } } as CrudOptions<Part>)
@Controller('slugs')
class WithSlugs {
  constructor(@Inject(parts.provider) readonly service: TypeOrmCrudService<Part>) {}
  @Get(':slug') bySlug(@Param('slug') slug: string) {
    return { slug };
  }
}

describePlatforms('the route of aggregates', (platform) =>
  describeDatabases(platform, (db) => {
    const app = serving(db, ENTITIES, [...RESOURCES, { controller: WithSlugs }], {
      platform,
      fill: ({ manager }) => manager.insert(Part, STORED),
    });
    beforeAll(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined));
    afterAll(() => void jest.restoreAllMocks());
    const COUNTS = 'groupBy=kind&aggregate=count||*&aggregate=sum||price||total';
    const ROWS = [3, 2].map((total, index) => ({ kind: 'xy'[index], count: 2 - index, total }));

    test('is there unless it is excluded, then its path is that of a record; a service may answer it', async () => {
      expect(await app.read(`/parts/aggregate?${COUNTS}`)).toEqual(ROWS);
      const missing = { status: 404, body: { code: 'CRUD_NOT_FOUND' } };
      expect(await app.read(`/excluded/aggregate?${COUNTS}`)).toMatchObject(missing);
      expect(await app.read(`/own/aggregate?${COUNTS}`)).toEqual(ROWS.map((row) => ({ ...row, own: true })));
    });

    test('its path wins over handlers that were declared before it, and is no key of a record', async () => {
      expect(await app.read(`/slugs/aggregate?${COUNTS}`)).toEqual(ROWS);
      expect(await app.read('/slugs/other')).toEqual({ slug: 'other' });
      const values = { kind: 'x', price: 1 };
      const part = { code: 'Aggregate', ...values };
      const told = 'must not be Aggregate, which is the path of another route';
      for (const [method, path, body, field] of [
        ['post', '/parts', part, 'code'],
        ['post', '/parts/bulk', { bulk: [{ ...part, code: 'n1' }, part] }, 'bulk.1.code'],
        ['patch', '/parts/a0', { code: 'Aggregate' }, 'code'],
      ] as const) {
        const refused = { code: 'CRUD_INVALID_BODY', field, message: [`${field} ${told}`] };
        expect(await app.send(method, path, body)).toMatchObject({ status: 400, body: refused });
      }
      const body = { code: 'CRUD_INVALID_PARAM', field: 'code', message: `code ${told}` };
      expect(await app.send('put', '/parts/Aggregate', values)).toMatchObject({ status: 400, body });
      expect(await app.source.getRepository(Part).count()).toBe(3);
    });

    test('a field that only some see is judged by request', async () => {
      const path = '/grouped/aggregate?groupBy=margin';
      expect((await app.send('get', path, undefined, { 'x-admin': '1' })).body).toEqual([{ margin: 2 }]);
      const refused = { status: 400, body: { code: 'CRUD_UNKNOWN_FIELD', field: 'margin' } };
      for (const search of ['groupBy=margin', 'aggregate=max||margin'])
        expect(await app.read(`/grouped/aggregate?${search}`)).toMatchObject(refused);
    });
  }),
);

const functions = { 'maker.name': ['max'], price: ['sum'] } as never;

test.each<[mistake: string, options: CrudOptions<Part>['query']]>([
  ['groupBy names "cost", but responses hide or change cost', { aggregate: { groupBy: ['cost'] } }],
  [
    'functions.maker.name names "max", but responses hide or change maker.name',
    { join: { maker: { select: false } }, aggregate: { functions } },
  ],
  ['responses hide or change price', { exclude: ['price'], join: { maker: {} }, aggregate: { functions } }],
])('the start stops: %s', async (mistake, query) => {
  const connection = { type: 'sqljs' } as const;
  const start = serve({ connection }, ENTITIES, [partsAt('parts', { query })], { nest: { logger: false } });
  await expect(start).rejects.toThrow(mistake);
});
