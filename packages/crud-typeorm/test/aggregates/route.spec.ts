/** The route of aggregates beside others, on both platforms: where it is there, who may answer it in its place, what it is called, and which mistakes stop the start. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { CanActivate, Controller, type ExecutionContext, type INestApplication, Inject, Logger } from '@nestjs/common';
import { UseGuards } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { getDataSourceToken } from '@nestjs/typeorm';
import { type AggregateResponseRow, Crud, type CrudController, type CrudOptions } from '@nestwright/crud';
import { type CrudRequest, getAction, Override, ParsedRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Exclude, Expose, Transform } from 'class-transformer';
import { Column, type DataSource, Entity, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
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
  @Transform(({ value }) => Math.round(Number(value) / 10)) @Column({ type: 'int', default: 1 }) size!: number;
  @Expose({ groups: ['admin'] }) @Column({ type: 'int', default: 2 }) margin!: number;
  @ManyToOne(() => Maker) maker!: Relation<Maker> | null;
}

const ENTITIES = [Maker, Part];

class OwnParts extends TypeOrmCrudService<Part> {
  override async aggregateMany(req: CrudRequest): Promise<AggregateResponseRow[]> {
    const rows = (await super.aggregateMany(req)) as AggregateResponseRow[];
    return rows.map((row) => ({ ...row, own: true }));
  }
  override createBuilder: TypeOrmCrudService<Part>['createBuilder'] = (...given) => super.createBuilder(...given);
}

class BuiltParts extends TypeOrmCrudService<Part> {
  override createBuilder: TypeOrmCrudService<Part>['createBuilder'] = (...given) => super.createBuilder(...given);
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
  partsAt('only', { routes: { only: ['getOneBase'] } }),
  partsAt('alone', { routes: { only: ['aggregateBase'] } }),
  partsAt('own', { service: OwnParts }),
  partsAt('grouped', {
    query: { aggregate: { groupBy: ['margin'], functions: { margin: ['max'] } } },
    auth: { groups: (req: { headers: Record<string, string> }) => (req.headers['x-admin'] ? ['admin'] : []) },
  }),
];

@Crud({ model: { type: Part }, ...OPTIONS } as CrudOptions<Part>)
@Controller('overridden')
class Overridden implements CrudController<Part> {
  constructor(@Inject(parts.provider) readonly service: TypeOrmCrudService<Part>) {}
  get base(): CrudController<Part> {
    return this;
  }
  @Override('aggregateBase') async report(@ParsedRequest() req: CrudRequest) {
    req.parsed.groupBy = [{ field: 'price', name: 'own' }];
    const rows = await this.base.aggregateBase!(req);
    return { rows, asked: req.parsed.aggregate };
  }
}

const ACTIONS: string[] = [];

class NotesActions implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    ACTIONS.push(String(getAction(context.getHandler())));
    return true;
  }
}

for (const controller of [parts.controller, Overridden]) UseGuards(NotesActions)(controller);

describePlatforms('the route of aggregates', (platform) =>
  describeDatabases(platform, (db) => {
    const app = serving(db, ENTITIES, [...RESOURCES, { controller: Overridden }], {
      platform,
      fill: ({ manager }) =>
        manager.insert(
          Part,
          ['ax1', 'bx2', 'cy2'].map(([code, kind, price]) => ({ code: code!, kind: kind!, price: Number(price) })),
        ),
    });
    beforeAll(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined));
    afterAll(() => void jest.restoreAllMocks());
    const get = (path: string, headers?: Record<string, string>) => app.send('get', path, undefined, headers);
    const COUNTS = 'groupBy=kind&aggregate=count||*&aggregate=sum||price||total';
    const ROWS = [3, 2].map((total, index) => ({ kind: 'xy'[index], count: 2 - index, total }));

    test.each(['parts', 'alone'])('%s has it', async (path) => {
      expect(await get(`/${path}/aggregate?${COUNTS}`)).toEqual({ status: 200, body: ROWS });
    });

    test.each(['excluded', 'only'])('%s has none, and the path is that of a record', async (path) => {
      const missing = { status: 404, body: { code: 'CRUD_NOT_FOUND' } };
      expect(await get(`/${path}/aggregate?${COUNTS}`)).toMatchObject(missing);
    });

    test('a service and an overriding handler may answer in their own way, and guards see the action Aggregate-All', async () => {
      expect((await get(`/own/aggregate?${COUNTS}`)).body).toEqual(ROWS.map((row) => ({ ...row, own: true })));
      const rows = [1, 2].map((own) => ({ own, count: own }));
      const asked = [{ function: 'count', field: '*', name: 'count' }];
      expect((await get('/overridden/aggregate?aggregate=count||*')).body).toEqual({ rows, asked });
      ACTIONS.length = 0;
      await get(`/parts/aggregate?${COUNTS}`);
      await get('/overridden/aggregate?aggregate=count||*');
      expect(ACTIONS).toEqual(['Aggregate-All', 'Aggregate-All']);
    });

    test('a field that only some see is judged by request', async () => {
      const shown = { status: 200, body: [{ margin: 2 }] };
      expect(await get('/grouped/aggregate?groupBy=margin', { 'x-admin': '1' })).toEqual(shown);
      const refused = { status: 400, body: { code: 'CRUD_UNKNOWN_FIELD', field: 'margin' } };
      for (const search of ['groupBy=margin', 'aggregate=max||margin'])
        expect(await get(`/grouped/aggregate?${search}`)).toMatchObject(refused);
    });

    test('OpenAPI describes it', () => {
      const { paths } = SwaggerModule.createDocument(app.app, new DocumentBuilder().build());
      const operation = paths['/parts/aggregate']?.get;
      const parameters = (operation?.parameters ?? []) as { name: string; schema: { items?: { pattern?: string } } }[];
      const names = ['groupBy', 'aggregate', 'having', 's', 'filter', 'or', 'sort', 'limit', 'offset', 'page'];
      expect(paths['/excluded/aggregate']).toBeUndefined();
      expect(operation?.operationId).toMatch(/^aggregateBaseResourceControllerPart/);
      expect(parameters.map(({ name }) => name)).toEqual(names);
      expect(parameters[0]!.schema.items?.pattern).toContain('(kind)');
      const pattern = new RegExp(parameters[1]!.schema.items!.pattern!);
      expect(['sum||price', 'sum||price||total', 'avg||price'].filter((text) => !pattern.test(text))).toEqual([
        'avg||price',
      ]);
      const schema = { oneOf: [{ type: 'array' }, { type: 'object' }] };
      expect(operation?.responses['200']).toMatchObject({ content: { 'application/json': { schema } } });
    });

    const grouped = (field: string) => ({ aggregate: { groupBy: [field as never] } });
    const summed = (functions: object) => ({ aggregate: { functions } }) as CrudOptions<Part>['query'];
    const MISTAKES: Record<string, CrudOptions<Part>['query']> = {
      'groupBy names "nope", but Part has no such field': grouped('nope'),
      'groupBy names "cost", but responses hide or change cost': grouped('cost'),
      'functions.maker.name names "max", but responses hide or change maker.name': {
        join: { maker: { select: false } },
        ...summed({ 'maker.name': ['max'] }),
      },
      'responses hide or change price': { exclude: ['price'], ...summed({ price: ['sum'] }) },
      'query.aggregate.functions.price is ["median"], but must be a list of functions': summed({ price: ['median'] }),
      'query.aggregate.having is [], but there is no such option': { aggregate: { having: [] } as never },
    };

    const settings = { platform, nest: { logger: false } } as const;
    const start = (options: ResourceOptions<Part>) =>
      serve({ connection: { type: 'sqljs' } }, ENTITIES, [partsAt('parts', options)], settings);

    test.each(Object.entries(MISTAKES))('the start stops: %s', async (text, query) => {
      await expect(start({ query: query as never })).rejects.toThrow(text);
    });

    test('the route without its option, and a service with a way of its own, stop the start', async () => {
      await expect(start({ query: {}, routes: { aggregateBase: true } })).rejects.toThrow(
        /routes has aggregateBase, but no field may be grouped or computed: list in query\.aggregate/,
      );
      await expect(start({ service: BuiltParts })).rejects.toThrow(
        /the service overrides createBuilder or doGetMany, which groups would pass by: override aggregateMany, too/,
      );
    });
  }),
);

describeDatabases('moments whose time zone is not known', (db) => {
  test('stop the start, with what is to be done', async () => {
    if (db.kind === 'sqlite') return;
    @Entity('agg_moments')
    class Moment {
      @PrimaryColumn({ type: 'int' }) id!: number;
      @Column({ type: db.kind === 'postgres' ? 'timestamp' : 'datetime' }) at!: Date;
      @Column({ type: 'date' }) day!: string;
    }
    const { timezone: _, ...connection } = db.connection as unknown as Record<string, unknown>;
    const moments = resource(Moment, 'moments', {
      query: { aggregate: { groupBy: ['at', 'day'], functions: { at: ['max'] } } },
    });
    let source: DataSource | undefined;
    const prepare = (app: INestApplication) => void (source = app.get<DataSource>(getDataSourceToken()));
    await expect(
      serve({ connection: connection as never }, [Moment], [moments], { nest: { logger: false }, prepare }),
    ).rejects.toThrow(
      db.kind === 'postgres'
        ? /groupBy names "at", whose values are stored without an offset.*timestamptz/
        : /groupBy names "at", whose values are stored in the time zone of the connection.*timezone: 'Z'/,
    );
    await source!.destroy();
  });
});
