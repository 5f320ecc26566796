/** `GET /count` over HTTP, on each database: it counts what the list lists (an oracle in plain JS says what that is), and wins over `/:id`. */
import { beforeAll, expect, jest, test } from '@jest/globals';
import { Controller, Get, Inject, Logger, Param } from '@nestjs/common';
import { Crud, type CrudController, type CrudRequest, Override, ParsedRequest } from '@nestwright/crud';
import type { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Column, DeleteDateColumn, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { type Relation } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { resource, type ResourceOptions } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Statements } from '../support/statements.js';

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
  @ManyToOne(() => Maker) @JoinColumn({ name: 'makerId' }) maker!: Relation<Maker> | null;
  @OneToMany(() => Sale, (sale) => sale.part) sales!: Relation<Sale>[];
  @DeleteDateColumn() deletedAt!: Date | null;
}

@Entity('count_sales')
class Sale {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'int' }) amount!: number;
  @ManyToOne(() => Part, (part) => part.sales) part!: Relation<Part>;
}

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
const isRed = ({ tenant }: Row) => tenant === 'red';
const isSold = ({ code }: Row) => SALES.some(({ part, amount }) => part.code === code && amount > 0);
const COUNT = PARTS.filter(alive).length;
const params = { code: { field: 'code', type: 'string', primary: true } } as const;
const join = { maker: { required: true }, sales: {} };
const query = { softDelete: true, exclude: ['secret' as const], limit: 3, alwaysPaginate: true, join };
const parts = (path: string, options: ResourceOptions<Part> = {}) =>
  resource(Part, path, { params, query, routes: { countBase: true }, ...options });
const PARTS_RESOURCE = parts('parts');
const OPTIONS = { model: { type: Part }, params, query };

@Crud({ ...OPTIONS, routes: { only: ['countBase', 'getOneBase'] } })
@Controller('overridden')
class Overridden implements CrudController<Part> {
  constructor(@Inject(PARTS_RESOURCE.provider) readonly service: TypeOrmCrudService<Part>) {}
  get base(): CrudController<Part> {
    return this;
  }
  @Override('getOneBase') one(@ParsedRequest() req: CrudRequest) {
    return this.base.getOneBase!(req);
  }
  @Override('countBase') async number(@ParsedRequest() req: CrudRequest) {
    return { ...(await this.base.countBase!(req)), own: true };
  }
}

@Crud({ ...OPTIONS, routes: { only: ['countBase'] } })
@Controller('slugs')
class WithSlugs {
  constructor(@Inject(PARTS_RESOURCE.provider) readonly service: TypeOrmCrudService<Part>) {}
  @Get(':slug') bySlug(@Param('slug') slug: string) {
    return { slug };
  }
}

const RESOURCES = [
  PARTS_RESOURCE,
  parts('red', { auth: { filter: () => ({ tenant: 'red' }) } }),
  parts('tenants/:tenant/parts', { params: { ...params, tenant: { field: 'tenant', type: 'string' } } }),
  { controller: Overridden },
  { controller: WithSlugs },
];

describePlatforms('GET /count', (platform) =>
  describeDatabases(platform, (db) => {
    const logger = new Statements();
    const own = serving(db, [Maker, Part, Sale], RESOURCES, {
      platform,
      source: { logging: ['query'], logger },
      fill: async ({ manager }) => {
        for (const [index, name] of ['Acme', 'Bolt'].entries()) await manager.insert(Maker, { id: index + 1, name });
        for (const row of PARTS) await manager.insert(Part, { ...row });
        for (const row of SALES) await manager.insert(Sale, { ...row });
      },
    });
    const { read, send, statusOf } = own;
    beforeAll(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined));

    test.each<[path: string, query: string, oracle: (row: Row) => boolean]>([
      ['parts', '', alive],
      ['parts', 'includeDeleted=1', () => true],
      ['parts', 'filter=price||$isnull&or=price||$lt||4', (row) => alive(row) && (row.price ?? 0) < 4],
      ['parts', 'filter=maker.name||$eq||Acme', (row) => alive(row) && row.makerId === 1],
      ['parts', 'filter=sales.amount||$gt||0', (row) => alive(row) && isSold(row)],
      ['parts', 'join=maker', (row) => alive(row) && row.makerId !== null],
      ['parts', 'sort=price,DESC&limit=2&page=3&fields=code', alive],
      ['red', 'filter=tenant||$eq||blue', () => false],
      ['red', 'includeDeleted=1&or=tenant||$eq||blue&filter=tenant||$eq||red', isRed],
      ['tenants/blue/parts', '', (row) => alive(row) && !isRed(row)],
    ])('%s/count?%s is the number of records in the list', async (path, search, oracle) => {
      const count = PARTS.filter(oracle).length;
      expect(await read(`/${path}/count?${search}`)).toEqual({ count });
      expect((await read(`/${path}?${search}`)).total).toBe(count);
    });

    test('a count is one statement, by nothing that a client may not name', async () => {
      const statements = await logger.of(() => read('/red/count?filter=price||$gt||1&sort=price,DESC&limit=2'));
      expect(statements).toEqual([expect.stringMatching(/^SELECT COUNT\(/i)]);
      const refused = { status: 400, body: { code: 'CRUD_UNKNOWN_FIELD' } };
      expect(await read('/parts/count?filter=secret||$starts||s')).toMatchObject(refused);
    });

    test('the static path wins over handlers that were declared before it, which serve all others', async () => {
      expect(await read('/overridden/count')).toEqual({ count: COUNT, own: true });
      expect(await read('/overridden/p1')).toMatchObject({ code: 'p1' });
      expect(await read('/slugs/count')).toEqual({ count: COUNT });
      expect(await read('/slugs/other')).toEqual({ slug: 'other' });
    });

    test('a key that is the path of the count is refused in bodies and in the path of PUT', async () => {
      const part = { code: 'Count', tenant: 'red', secret: 'x' };
      for (const [method, path, body, code, field] of [
        ['post', '/parts', part, 'CRUD_INVALID_BODY', 'code'],
        ['post', '/parts/bulk', { bulk: [{ ...part, code: 'n1' }, part] }, 'CRUD_INVALID_BODY', 'bulk.1.code'],
        ['put', '/parts/Count', { tenant: 'red', secret: 'x' }, 'CRUD_INVALID_PARAM', 'code'],
      ] as const) {
        const told = `${field} must not be Count, which is the path of another route`;
        const message = code === 'CRUD_INVALID_BODY' ? [told] : told;
        expect(await send(method, path, body)).toMatchObject({ status: 400, body: { code, field, message } });
      }
      expect(await statusOf('patch', '/parts/p1', { code: 'count' })).toBe(400);
      expect(await own.source.getRepository(Part).count({ withDeleted: true })).toBe(PARTS.length);
    });
  }),
);
