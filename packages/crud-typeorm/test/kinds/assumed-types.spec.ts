/** Entities drawn from existing tables, whose `@Column()` leaves type and length to TypeORM, while the table has DECIMAL, BIGINT and TEXT. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, type INestApplication, Inject, type Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, CrudConfigService, type CrudOptions } from '@nestwright/crud';
import {
  Column,
  type DataSource,
  type DataSourceOptions,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { type Resource, resource } from '../support/resources.js';

@Entity()
class Maker {
  @PrimaryGeneratedColumn() id!: number;
  @Column() rating!: number;
}

@Entity()
class Ware {
  @PrimaryGeneratedColumn() id!: number;
  @Column() label!: string;
  @Column() price!: number;
  @Column({ nullable: true, type: Number }) visits!: number | null;
  @Column({ nullable: true }) makerid!: number;
  @ManyToOne(() => Maker, { cascade: true }) @JoinColumn({ name: 'makerid' }) maker!: Maker | null;
  @Column({ type: 'int', default: 0 }) stock!: number;
  @Column({ length: 5, default: 'x' }) code!: string;
  @Column({ precision: 4, scale: 1, default: 0 }) weight!: number;
}

/** A key that only `design:type` says to be a number. */
@Entity()
class Rate {
  @PrimaryColumn() id!: number;
  @Column() label!: string;
}

const options: Omit<CrudOptions<Ware>, 'model'> = {
  params: { id: { field: 'id', type: 'number', primary: true } },
  query: { cursor: true, join: { maker: {} }, aggregate: { functions: { price: ['sum', 'avg'] } } },
  routes: { updateOneBase: { returnShallow: true }, aggregateBase: true },
};
const wares = resource(Ware, 'wares', { ...options, validation: { columns: 'declared', whitelist: false } });
const rates = resource(Rate, 'rates', { validation: { columns: 'declared' } });

/** The same service without the option. */
@Crud({ model: { type: Ware }, ...options })
@Controller('assumed')
class AssumedController {
  constructor(@Inject(wares.provider) readonly service: never) {}
}

/** Without the library's validation by rules, which has nothing to do with columns. */
@Crud({ model: { type: Ware }, ...options, validation: false })
@Controller('unruled')
class UnruledController {
  constructor(@Inject(wares.provider) readonly service: never) {}
}

@Crud({ model: { type: Ware }, ...options, validation: { columns: 'all' } })
@Controller('strict')
class StrictController {
  constructor(@Inject(wares.provider) readonly service: never) {}
}

const COUNTED = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'SERIAL PRIMARY KEY',
  mysql: 'INT PRIMARY KEY AUTO_INCREMENT',
};
const LONG = 'é'.repeat(300);
const HINT = "(assumed, since @Column() does not declare it; validation: { columns: 'declared' } leaves it out)";

interface Answer {
  readonly status: number;
  // Each request answers with something else.
  readonly body: Record<string, any>;
}

describeDatabases('columns whose types were only assumed', (db) => {
  let app: INestApplication;
  let url: string;
  let source: DataSource;

  async function start(resources: readonly Resource[], controllers: readonly Type<unknown>[] = []): Promise<void> {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, entities: [Ware, Maker, Rate] } as DataSourceOptions),
        TypeOrmModule.forFeature([Ware, Maker, Rate]),
      ],
      controllers: [...resources.map(({ controller }) => controller), ...controllers],
      providers: resources.map(({ provider }) => provider),
    }).compile();
    ({ app, url } = await listen(module, 'express', { logger: false }));
    source = app.get<DataSource>(getDataSourceToken());

    const id = COUNTED[db.kind];
    for (const name of ['ware', 'maker', 'rate']) await source.query(`DROP TABLE IF EXISTS ${name}`);
    await source.query(`CREATE TABLE maker (id ${id}, rating DECIMAL(12, 2) NOT NULL)`);
    await source.query('CREATE TABLE rate (id DECIMAL(12, 2) PRIMARY KEY, label TEXT NOT NULL)');
    await source.query(
      `CREATE TABLE ware (id ${id}, label TEXT NOT NULL, price DECIMAL(12, 2) NOT NULL, visits BIGINT, makerid INT,
        stock INT DEFAULT 0 NOT NULL, code VARCHAR(5) DEFAULT 'x' NOT NULL, weight DECIMAL(6, 3) DEFAULT 0 NOT NULL)`,
    );
  }

  beforeAll(() => start([wares, rates], [AssumedController, UnruledController, StrictController]));

  beforeEach(async () => {
    for (const name of ['ware', 'maker', 'rate']) await source.query(`DELETE FROM ${name}`);
  });

  afterAll(() => app.close());

  async function send(method: string, path: string, sent?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, ...(sent && { headers, body: JSON.stringify(sent) }) });

    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  const prices = async () =>
    ((await source.query('SELECT price FROM ware ORDER BY id')) as { price: unknown }[]).map((row) =>
      Number(row.price),
    );

  const stocked = async (...list: readonly number[]) => {
    await send('POST', '/wares/bulk', { bulk: list.map((value) => ({ label: `at ${value}`, price: value })) });
  };

  const listed = async (query: string, path = '/wares') => {
    const { status, body } = await send('GET', `${path}?${query}`);

    return status === 200 ? (body as unknown as { price: unknown }[]).map((one) => Number(one.price)) : body;
  };

  describe('with columns: declared', () => {
    test('bodies store what the table can', async () => {
      const created = await send('POST', '/wares', { label: LONG, price: 12.5, visits: 5e9 });
      expect(created).toMatchObject({ status: 201, body: { label: LONG, price: 12.5, visits: 5e9 } });

      const { id } = created.body;
      for (const changed of [12.7, 12, 12.75, '13.25', 13.25, 1e3, -0.5]) {
        const { status, body } = await send('PATCH', `/wares/${id}`, { price: changed });
        expect([changed, status, Number(body['price'])]).toEqual([changed, 200, Number(changed)]);
        expect(await prices()).toEqual([Number(changed)]);
      }
      expect(await send('PUT', `/wares/${id}`, { label: 'put', price: 0.25, visits: null })).toMatchObject({
        status: 200,
        body: { label: 'put', price: 0.25, visits: null },
      });
      expect(await send('GET', `/wares/${id}`)).toMatchObject({ status: 200, body: { price: 0.25 } });
    });

    test('nested records, too', async () => {
      const { body } = await send('POST', '/wares', { label: 'a', price: 1, maker: { rating: 4.5 } });
      const { id } = (await send('GET', `/wares/${body['id']}?join=maker`)).body['maker'] as { id: number };
      expect(Number.isInteger(id)).toBe(true);

      const changed = await send('PATCH', `/wares/${body['id']}`, { maker: { id, rating: 3.25 } });
      expect(changed.status).toBe(200);
      const [stored] = (await source.query('SELECT rating FROM maker')) as { rating: unknown }[];
      expect(Number(stored!.rating)).toBe(3.25);

      expect(await listed('join=maker&filter=maker.rating||gte||3.25')).toEqual([1]);
      expect(await listed('join=maker&filter=maker.rating||gt||3.25')).toEqual([]);
      expect(await listed(`filter=makerid||eq||${id}`)).toEqual([1]);
      expect(await send('POST', '/wares', { label: 'b', price: 1, makerid: 1.5 })).toMatchObject({
        status: 400,
        body: { code: 'CRUD_INVALID_VALUE', field: 'makerid', message: ['makerid must be an integer'] },
      });
    });

    test('filters, sorts and cursors read decimals', async () => {
      await stocked(10.25, 9.5, 10, 10.75, 100);

      expect(await listed('filter=price||eq||10.25')).toEqual([10.25]);
      expect(await listed('filter=price||ne||10.25&sort=price,ASC')).toEqual([9.5, 10, 10.75, 100]);
      expect(await listed('filter=price||gt||10&sort=price,ASC')).toEqual([10.25, 10.75, 100]);
      expect(await listed('filter=price||between||9.5,10.25&sort=price,DESC')).toEqual([10.25, 10, 9.5]);
      expect(await listed('filter=price||in||9.50,10.75&sort=price,ASC')).toEqual([9.5, 10.75]);
      const search = JSON.stringify({ price: { $notin: [9.5, 100] }, label: { $ne: LONG } });
      expect(await listed(`s=${encodeURIComponent(search)}&sort=price,ASC`)).toEqual([10, 10.25, 10.75]);

      const seen: unknown[] = [];
      for (let cursor: unknown = ''; typeof cursor === 'string';) {
        const { body } = await send('GET', `/wares?sort=price,ASC&limit=2&cursor=${cursor}`);
        seen.push(...(body['data'] as { price: unknown }[]).map((one) => Number(one.price)));
        cursor = body['next'];
      }
      expect(seen).toEqual([9.5, 10, 10.25, 10.75, 100]);

      const totals = (await send('GET', '/wares/aggregate?aggregate=sum||price&aggregate=avg||price')).body;
      expect(Object.values(totals[0] as object).map(Number)).toEqual([140.5, 28.1]);
    });

    test('a key that is only assumed to be an integer is a decimal', async () => {
      expect((await send('POST', '/rates', { id: 7.5, label: LONG })).status).toBe(201);
      expect((await send('POST', '/rates', { id: 7.5, label: 'again' })).status).toBe(409);
      expect(await send('PATCH', '/rates/7.5', { label: 'x' })).toMatchObject({ status: 200, body: { label: 'x' } });
      expect(await send('GET', '/rates/7.5')).toMatchObject({ status: 200, body: { id: 7.5, label: 'x' } });
      expect((await send('GET', '/rates/7')).status).toBe(404);
      expect((await fetch(`${url}/rates/7.5`, { method: 'DELETE' })).status).toBe(200);
      expect(await source.query('SELECT id FROM rate')).toEqual([]);
    });

    test.each([
      ['price', 'abc', 'must be a number'],
      ['price', true, 'must be a number'],
      ['price', [1], 'must be a number'],
      ['price', { a: 1 }, 'must be a number'],
      ['label', 'a\0', 'must not contain NUL characters'],
      ['label', ['a'], 'must be a string'],
      ['label', { a: 1 }, 'must be a string'],
    ])('%s is no %j', async (field, value, text) => {
      expect(await send('POST', '/wares', { label: 'a', price: 1, [field]: value })).toMatchObject({
        status: 400,
        body: { code: 'CRUD_INVALID_VALUE', field, message: [`${field} ${text}`] },
      });
      expect(await prices()).toEqual([]);
    });

    test.each([
      ['stock', 1.5, 'must be an integer'],
      ['stock', 3e9, 'must be between -2147483648 and 2147483647'],
      ['code', 'abcdef', 'must be at most 5 characters long'],
      ['weight', 1000, 'must have at most 3 digits before the decimal point'],
    ])('what %s declares is checked', async (field, value, text) => {
      expect(await send('POST', '/wares', { label: 'a', price: 1, [field]: value })).toMatchObject({
        status: 400,
        body: { field, message: [`${field} ${text}`] },
      });
    });

    test('a key beyond what the table counts is no server error', async () => {
      expect([400, 404]).toContain((await send('GET', '/wares/3000000000')).status);
      expect([400, 404]).toContain((await send('PATCH', '/wares/3000000000', { price: 1 })).status);
      expect([200, 400]).toContain((await send('GET', '/wares?filter=id||eq||3000000000')).status);
      expect([200, 400]).toContain((await send('GET', '/wares?filter=stock||eq||1&or=price||eq||1e70')).status);
    });

    test('a declared scale rounds', async () => {
      const { body } = await send('POST', '/wares', { label: 'a', price: 1, weight: 1.25 });

      expect(Number(body['weight'])).toBe(1.3);
    });
  });

  describe('without it', () => {
    test.each([
      ['price', 1.5, 'CRUD_INVALID_VALUE', 'must be an integer'],
      ['price', 3e9, 'CRUD_VALUE_OUT_OF_RANGE', 'must be between -2147483648 and 2147483647'],
      ...(db.kind === 'mysql'
        ? [['label', LONG, 'CRUD_VALUE_OUT_OF_RANGE', 'must be at most 255 characters long'] as const]
        : []),
    ])('the 400 of %s names the option', async (field, value, code, text) => {
      for (const path of ['/assumed', '/strict', '/unruled']) {
        expect(await send('POST', path, { label: 'a', price: 1, [field]: value })).toMatchObject({
          status: 400,
          body: { code, field, message: [`${field} ${text} ${HINT}`] },
        });
      }
      if (typeof value === 'number') {
        expect(await listed(`filter=${field}||eq||${value}`, '/assumed')).toMatchObject({
          code: 'CRUD_INVALID_VALUE',
          field,
          message: `${field} ${text} ${HINT}`,
        });
      }
    });

    test('only where it would help', async () => {
      expect((await send('POST', '/assumed', { label: 'a', price: 'abc' })).body['message']).toEqual([
        'price must be an integer',
      ]);
      expect((await send('POST', '/assumed', { label: 'a', price: 1, stock: 1.5 })).body['message']).toEqual([
        'stock must be an integer',
      ]);
    });

    test('what fits is stored as ever', async () => {
      expect((await send('POST', '/assumed', { label: 'a', price: 5 })).status).toBe(201);
      expect(await listed('filter=price||eq||5', '/assumed')).toEqual([5]);
      expect(await listed('filter=price||eq||5')).toEqual([5]);
    });
  });

  test('the document says what is checked', () => {
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const at = (node: unknown, ...path: readonly string[]) =>
      path.reduce((inner, name) => (inner as Record<string, unknown>)[name], node);
    const bodyOf = (path: string) => {
      const $ref = at(
        document.paths[path]!.post,
        'requestBody',
        'content',
        'application/json',
        'schema',
        '$ref',
      ) as string;

      return at(document.components!.schemas, $ref.split('/').at(-1)!, 'properties') as Record<string, unknown>;
    };

    const declared = bodyOf('/wares');
    expect(declared['price']).toEqual({ type: 'number' });
    expect(declared['label']).toEqual({ type: 'string' });
    expect(declared['stock']).toMatchObject({ type: 'integer', format: 'int32' });
    expect(declared['code']).toMatchObject({ type: 'string', maxLength: 5 });
    expect(bodyOf('/assumed')['price']).toEqual({ type: 'integer', format: 'int32' });
    expect(bodyOf('/assumed')['label']).toEqual({ type: 'string', ...(db.kind === 'mysql' && { maxLength: 255 }) });
  });

  test('the application sets it for all resources, and a resource for itself', async () => {
    await app.close();
    CrudConfigService.load({ validation: { columns: 'declared' } });
    try {
      await start([
        resource(Ware, 'global', options),
        resource(Ware, 'unvalidated', { ...options, validation: false }),
        resource(Ware, 'all', { ...options, validation: { columns: 'all' } }),
      ]);
    } finally {
      CrudConfigService.load({ validation: { columns: 'all' } });
    }

    const statuses = [];
    for (const path of ['/global', '/unvalidated', '/all'])
      statuses.push((await send('POST', path, { label: LONG, price: 12.5 })).status);
    expect(statuses).toEqual([201, 201, 400]);
    expect(await prices()).toEqual([12.5, 12.5]);
  });
});
