/** `GET /count` over HTTP, on each database and platform: it counts what the list lists (an oracle in plain JS says what that is), wins over `/:id`, and is there only where options name it. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import {
  CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Header,
  type INestApplication,
  Logger,
  Param,
  type Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import {
  Crud,
  CrudAuth,
  type CrudController,
  type CrudOptions,
  type CrudRequest,
  getAction,
  Override,
  ParsedRequest,
} from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import request from 'supertest';
import {
  Column,
  DataSource,
  type DataSourceOptions,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { describeDatabases, describePlatforms, listen } from '../../../../integration/test-support/index.js';

@Entity('count_makers')
class Maker {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Entity('count_parts')
class Part {
  @PrimaryColumn({ type: 'varchar', length: 20 }) code!: string;
  @Column({ type: 'varchar', length: 20 }) tenant!: string;
  @Column({ type: 'int', nullable: true }) price!: number | null;
  @Column({ type: 'varchar', length: 20 }) secret!: string;
  @Column({ type: 'int', nullable: true }) makerId!: number | null;
  @ManyToOne(() => Maker)
  @JoinColumn({ name: 'makerId' })
  maker!: Relation<Maker> | null;
  @OneToMany(() => Sale, (sale) => sale.part) sales!: Relation<Sale>[];
  @DeleteDateColumn() deletedAt!: Date | null;
}

@Entity('count_sales')
class Sale {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'int' }) amount!: number;
  @ManyToOne(() => Part, (part) => part.sales)
  part!: Relation<Part>;
}

const MAKERS = [
  { id: 1, name: 'Acme' },
  { id: 2, name: 'Bolt' },
];
const PARTS = Array.from({ length: 30 }, (_, index) => ({
  code: `p${index}`,
  tenant: index % 3 === 0 ? 'red' : 'blue',
  price: index % 5 === 0 ? null : index,
  secret: `s${index}`,
  makerId: [1, 2, null][index % 3] as number | null,
  deletedAt: index % 10 === 9 ? new Date('2026-01-05T00:00:00Z') : null,
}));
const SALES = PARTS.flatMap(({ code }, index) =>
  Array.from({ length: index % 4 }, (_, sale) => ({ id: index * 10 + sale, amount: sale, part: { code } })),
);

type Row = (typeof PARTS)[number];
const alive = ({ deletedAt }: Row) => deletedAt === null;
const soldFor = ({ code }: Row, amount: number) =>
  SALES.some((sale) => sale.part.code === code && sale.amount > amount);

class Parts extends TypeOrmCrudService<Part> {}

const OPTIONS: CrudOptions<Part> = {
  model: { type: Part },
  params: { code: { field: 'code', type: 'string', primary: true } },
  query: {
    softDelete: true,
    exclude: ['secret'],
    limit: 3,
    alwaysPaginate: true,
    join: { maker: { required: true }, sales: {} },
  },
  routes: { countBase: true },
};

function controllerOf(path: string, options: Partial<CrudOptions<Part>> = {}, tenant?: string): Type<unknown> {
  @Crud({ ...OPTIONS, ...options })
  @CrudAuth(tenant === undefined ? {} : { filter: () => ({ tenant }) })
  @Controller(path)
  class PartsController {
    constructor(readonly service: Parts) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Parts], PartsController);

  return PartsController;
}

@Crud({
  ...OPTIONS,
  routes: { only: ['countBase', 'getOneBase'], countBase: { decorators: [Header('x-count', 'yes')] } },
})
@Controller('overridden')
class Overridden implements CrudController<Part> {
  constructor(readonly service: Parts) {}
  get base(): CrudController<Part> {
    return this;
  }
  @Override('getOneBase') one(@ParsedRequest() req: CrudRequest) {
    return this.base.getOneBase!(req);
  }
  @Override('countBase') async number(@ParsedRequest() req: CrudRequest) {
    const { count } = await this.base.countBase!(req);
    return { count, own: true };
  }
}
Reflect.defineMetadata('design:paramtypes', [Parts], Overridden);
Reflect.defineMetadata('design:paramtypes', [Object], Overridden.prototype, 'one');
Reflect.defineMetadata('design:paramtypes', [Object], Overridden.prototype, 'number');

@Crud({ ...OPTIONS, routes: { only: ['countBase'] } })
@Controller('slugs')
class WithSlugs {
  constructor(readonly service: Parts) {}
  @Get(':slug') bySlug(@Param('slug') slug: string) {
    return { slug };
  }
}
Reflect.defineMetadata('design:paramtypes', [Parts], WithSlugs);
Reflect.defineMetadata('design:paramtypes', [String], WithSlugs.prototype, 'bySlug');

const ACTIONS: string[] = [];
class NotesActions implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    ACTIONS.push(String(getAction(context.getHandler())));
    return true;
  }
}

const CONTROLLERS = [
  controllerOf('parts'),
  controllerOf('red', {}, 'red'),
  controllerOf('tenants/:tenant/parts', {
    params: { ...OPTIONS.params, tenant: { field: 'tenant', type: 'string' } },
  }),
  controllerOf('priced', { query: { ...OPTIONS.query, filter: { price: { $notnull: true } } } }),
  controllerOf('plain', { routes: {} }),
  controllerOf('excluded', { routes: { countBase: {}, exclude: ['countBase'] } }),
  Overridden,
  WithSlugs,
];

describePlatforms('GET /count', (platform) =>
  describeDatabases(platform, (db) => {
    let source: DataSource;
    let app: INestApplication;
    let url: string;
    const statements: string[] = [];

    beforeAll(async () => {
      source = await new DataSource({
        ...db.connection,
        entities: [Maker, Part, Sale],
        synchronize: true,
        logging: true,
        logger: new Proxy(
          {},
          { get: (_, name) => (name === 'logQuery' ? (text: string) => statements.push(text) : () => undefined) },
        ),
      } as unknown as DataSourceOptions).initialize();
      await source.getRepository(Maker).insert(MAKERS.map((row) => ({ ...row })));
      await source.getRepository(Part).insert(PARTS.map((row) => ({ ...row })));
      await source.getRepository(Sale).insert(SALES.map((row) => ({ ...row })));
      jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      const module = await Test.createTestingModule({
        controllers: CONTROLLERS,
        providers: [
          { provide: Parts, useFactory: () => new Parts(source.getRepository(Part)) },
          { provide: APP_GUARD, useClass: NotesActions },
        ],
      }).compile();
      ({ app, url } = await listen(module, platform));
    });

    afterAll(async () => {
      await app.close();
      await source.destroy();
      jest.restoreAllMocks();
    });

    const get = async (path: string) => {
      const { status, body } = await request(url).get(path);
      return { status, body: body as Record<string, unknown> };
    };

    const COUNTS: [path: string, query: string, oracle: (row: Row) => boolean][] = [
      ['parts', '', alive],
      ['parts', 'includeDeleted=1', () => true],
      ['parts', 'filter=price||$gt||10', (row) => alive(row) && (row.price ?? 0) > 10],
      ['parts', 'filter=price||$isnull&or=price||$lt||4', (row) => alive(row) && (row.price === null || row.price < 4)],
      [
        'parts',
        's={"$or":[{"price":{"$gte":20}},{"tenant":"red"}]}',
        (row) => alive(row) && ((row.price ?? 0) >= 20 || row.tenant === 'red'),
      ],
      ['parts', 'filter=maker.name||$eq||Acme', (row) => alive(row) && row.makerId === 1],
      ['parts', 'filter=sales.amount||$gt||0', (row) => alive(row) && soldFor(row, 0)],
      ['parts', 'join=maker', (row) => alive(row) && row.makerId !== null],
      ['parts', 'filter=price||$gt||1000', () => false],
      ['parts', 'sort=price,DESC&limit=2&page=3&fields=code', alive],
      ['red', '', (row) => alive(row) && row.tenant === 'red'],
      ['red', 'filter=tenant||$eq||blue', () => false],
      ['red', 'includeDeleted=1&or=tenant||$eq||blue&filter=tenant||$eq||red', (row) => row.tenant === 'red'],
      [
        'tenants/blue/parts',
        'filter=price||$gt||10',
        (row) => alive(row) && row.tenant === 'blue' && (row.price ?? 0) > 10,
      ],
      ['priced', '', (row) => alive(row) && row.price !== null],
    ];

    test.each(COUNTS)('%s/count?%s is the number of records in the list', async (path, query, oracle) => {
      const count = PARTS.filter(oracle).length;

      expect(await get(`/${path}/count?${query}`)).toEqual({ status: 200, body: { count } });
      expect((await get(`/${path}?${query}`)).body['total']).toBe(count);
    });

    test('a count is one statement', async () => {
      statements.length = 0;
      await get('/red/count?filter=price||$gt||1&sort=price,DESC&limit=2');

      expect(statements).toHaveLength(1);
      expect(statements[0]).toMatch(/^SELECT COUNT\(/i);
    });

    test('what a client may not name it may not count by', async () => {
      expect((await get('/parts/count?filter=secret||$starts||s')).body['code']).toBe('CRUD_UNKNOWN_FIELD');
      expect((await get('/parts/count?filter=nope||$eq||1')).status).toBe(400);
      expect((await get('/parts/count?filter=price||$eq||x')).body['code']).toBe('CRUD_INVALID_VALUE');
    });

    test('without the option, and where it is excluded, the path is that of a record', async () => {
      for (const path of ['/plain/count', '/excluded/count']) expect((await get(path)).status).toBe(404);
    });

    test('the static path wins over handlers that were declared before it, which serve all others', async () => {
      expect(await get('/overridden/count')).toEqual({
        status: 200,
        body: { count: PARTS.filter(alive).length, own: true },
      });
      expect((await request(url).get('/overridden/count')).headers['x-count']).toBe('yes');
      expect((await get('/overridden/p1')).body['code']).toBe('p1');
      expect((await get('/slugs/count')).body).toEqual({ count: PARTS.filter(alive).length });
      expect((await get('/slugs/other')).body).toEqual({ slug: 'other' });
    });

    test('guards see the action Count-All', async () => {
      ACTIONS.length = 0;
      await get('/parts/count');
      await get('/overridden/count');

      expect(ACTIONS).toEqual(['Count-All', 'Count-All']);
    });

    test('a key that is the path of the count is refused in bodies and in the path of PUT', async () => {
      const part = { code: 'Count', tenant: 'red', secret: 'x' };
      const told = (field: string) => `${field} must not be Count, which is the path of another route`;
      const post = await request(url).post('/parts').send(part);
      const bulk = await request(url)
        .post('/parts/bulk')
        .send({ bulk: [{ ...part, code: 'n1' }, part] });
      const put = await request(url).put('/parts/Count').send({ tenant: 'red', secret: 'x' });
      const patch = await request(url).patch('/parts/p1').send({ code: 'count' });

      expect([post.status, post.body]).toEqual([
        400,
        expect.objectContaining({ code: 'CRUD_INVALID_BODY', field: 'code', message: [told('code')] }),
      ]);
      expect(bulk.body).toMatchObject({
        code: 'CRUD_INVALID_BODY',
        field: 'bulk.1.code',
        message: [told('bulk.1.code')],
      });
      expect([put.status, put.body]).toEqual([
        400,
        expect.objectContaining({ code: 'CRUD_INVALID_PARAM', field: 'code', message: told('code') }),
      ]);
      expect(patch.status).toBe(400);
      expect(await source.getRepository(Part).count({ withDeleted: true })).toBe(PARTS.length);
    });

    test('where there is no such route, the key is like any other', async () => {
      const { status } = await request(url).post('/plain').send({ code: 'count', tenant: 'none', secret: 'x' });
      const found = await get('/plain/count');
      await source.getRepository(Part).delete({ code: 'count' });

      expect([status, found.status, found.body['code']]).toEqual([201, 200, 'count']);
    });

    test('OpenAPI describes the route where it is', () => {
      const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
      const { get: operation } = paths['/parts/count']!;
      const names = operation?.parameters?.map((parameter) => (parameter as { name: string }).name);

      expect(paths['/plain/count']).toBeUndefined();
      expect(names).toEqual(['s', 'filter', 'or', 'includeDeleted']);
      expect(paths['/overridden/count']?.get?.operationId).toBe('countBaseOverriddenPart');
      expect(operation?.responses['200']).toMatchObject({
        content: {
          'application/json': {
            schema: { type: 'object', properties: { count: { type: 'integer', minimum: 0 } }, required: ['count'] },
          },
        },
      });
    });

    test.each(['count', '/Count/'])('a handler of the application on %p stops the start', async (path) => {
      @Crud(OPTIONS)
      @Controller('parts')
      class PartsController {
        constructor(readonly service: Parts) {}
        number() {
          return { count: 1 };
        }
      }
      Reflect.defineMetadata('design:paramtypes', [Parts], PartsController);
      Get(path)(
        PartsController.prototype,
        'number',
        Object.getOwnPropertyDescriptor(PartsController.prototype, 'number')!,
      );
      const module = await Test.createTestingModule({
        controllers: [PartsController],
        providers: [{ provide: Parts, useFactory: () => new Parts(source.getRepository(Part)) }],
      }).compile();

      await expect(listen(module, platform, { logger: false })).rejects.toThrow(
        // Fastify itself refuses a second handler of one spelling, and before the checks of the start.
        /routes has countBase, which is GET \/count, and so is the method number|Method 'GET' already declared for route '\/parts\/count'/,
      );
      await module.close();
    });
  }),
);
