/** Entities drawn from existing tables, whose `@Column()` leaves type and length to TypeORM, while the table has DECIMAL, BIGINT and TEXT. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { CrudConfigService, type CrudOptions } from '@nestwright/crud';
import { Column, type DataSource, Entity, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';

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
  query: { cursor: true, join: { maker: {} }, aggregate: { functions: { price: ['sum', 'avg'] } } },
  routes: { updateOneBase: { returnShallow: true }, aggregateBase: true },
};

const wares = (path: string, validation?: CrudOptions<Ware>['validation']) =>
  resource(Ware, path, { ...options, ...(validation !== undefined && { validation }) });

const RESOURCES = [
  wares('wares', { columns: 'declared', whitelist: false }),
  resource(Rate, 'rates', { validation: { columns: 'declared' } }),
  wares('assumed'),
  // Without the library's validation by rules, which has nothing to do with columns.
  wares('unruled', false),
  wares('strict', { columns: 'all' }),
];

const KEY = { sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT', postgres: 'SERIAL PRIMARY KEY' };
const LONG = 'é'.repeat(300);
const HINT = "(assumed, since @Column() does not declare it; validation: { columns: 'declared' } leaves it out)";

describeDatabases('columns whose types were only assumed', (db) => {
  const fill = async (source: DataSource) => {
    const id = { ...KEY, mysql: 'INT PRIMARY KEY AUTO_INCREMENT' }[db.kind];
    for (const name of ['ware', 'maker', 'rate']) await source.query(`DROP TABLE IF EXISTS ${name}`);
    await source.query(`CREATE TABLE maker (id ${id}, rating DECIMAL(12, 2) NOT NULL)`);
    await source.query('CREATE TABLE rate (id DECIMAL(12, 2) PRIMARY KEY, label TEXT NOT NULL)');
    await source.query(
      `CREATE TABLE ware (id ${id}, label TEXT NOT NULL, price DECIMAL(12, 2) NOT NULL, visits BIGINT, makerid INT,
        stock INT DEFAULT 0 NOT NULL, code VARCHAR(5) DEFAULT 'x' NOT NULL, weight DECIMAL(6, 3) DEFAULT 0 NOT NULL)`,
    );
  };
  const settings = { nest: { logger: false }, source: { synchronize: false } } as const;
  const own = serving(db, [Ware, Maker, Rate], RESOURCES, { ...settings, fill });
  const { send, statusOf } = own;
  beforeEach(async () => {
    for (const name of ['ware', 'maker', 'rate']) await own.source.query(`DELETE FROM ${name}`);
  });
  const pricesOf = (list: readonly { price: unknown }[]) => list.map(({ price }) => Number(price));
  const stored = async () => pricesOf(await own.source.query('SELECT price FROM ware ORDER BY id'));
  const listed = async (query: string, path = '/wares') => pricesOf(await own.read(`${path}?${query}`));

  describe('with columns: declared', () => {
    test('bodies store what the table can', async () => {
      const ware = { label: LONG, price: 12.5, visits: 5e9 };
      const { status, body } = await send('post', '/wares', ware);
      expect([status, body]).toMatchObject([201, ware]);
      const path = `/wares/${body.id}`;
      for (const price of [12.7, 12, 12.75, '13.25', 13.25, 1e3, -0.5]) {
        const changed = await send('patch', path, { price });
        expect([price, changed.status, Number(changed.body.price)]).toEqual([price, 200, Number(price)]);
        expect(await stored()).toEqual([Number(price)]);
      }
      const put = { label: 'put', price: 0.25, visits: null };
      expect(await send('put', path, put)).toMatchObject({ status: 200, body: put });
      expect(await own.read(path)).toMatchObject({ price: 0.25 });
    });

    test('nested records, too', async () => {
      const { body } = await send('post', '/wares?join=maker', { label: 'a', price: 1, maker: { rating: 4.5 } });
      const { id } = body.maker as Maker;
      expect(await statusOf('patch', `/wares/${body.id}`, { maker: { id, rating: 3.25 } })).toBe(200);
      expect(await own.source.getRepository(Maker).find()).toMatchObject([{ id }]);
      for (const [query, found] of [
        ['join=maker&filter=maker.rating||gte||3.25', [1]],
        ['join=maker&filter=maker.rating||gt||3.25', []],
        [`filter=makerid||eq||${id}`, [1]],
      ] as const)
        expect([query, await listed(query)]).toEqual([query, found]);
      const refused = { code: 'CRUD_INVALID_VALUE', field: 'makerid', message: ['makerid must be an integer'] };
      const answer = await send('post', '/wares', { label: 'b', price: 1, makerid: 1.5 });
      expect(answer).toMatchObject({ status: 400, body: refused });
    });

    test('filters, sorts, cursors and aggregates read decimals', async () => {
      await send('post', '/wares/bulk', { bulk: [10.25, 9.5, 10, 10.75, 100].map((price) => ({ label: 'a', price })) });
      for (const [query, found] of [
        ['filter=price||eq||10.25', [10.25]],
        ['filter=price||ne||10.25', [9.5, 10, 10.75, 100]],
        ['filter=price||gt||10', [10.25, 10.75, 100]],
        ['filter=price||between||9.5,10.25', [9.5, 10, 10.25]],
        ['filter=price||in||9.50,10.75', [9.5, 10.75]],
        [`s=${encodeURIComponent('{"price":{"$notin":[9.5,100]}}')}`, [10, 10.25, 10.75]],
      ] as const)
        expect([query, await listed(`${query}&sort=price,ASC`)]).toEqual([query, found]);
      const seen: number[] = [];
      for (let cursor: unknown = ''; typeof cursor === 'string';) {
        const { data, next } = await own.read(`/wares?sort=price,ASC&limit=2&cursor=${cursor}`);
        seen.push(...pricesOf(data));
        cursor = next;
      }
      expect(seen).toEqual([9.5, 10, 10.25, 10.75, 100]);
      const [totals] = await own.read('/wares/aggregate?aggregate=sum||price&aggregate=avg||price');
      expect(Object.values(totals as object).map(Number)).toEqual([140.5, 28.1]);
    });

    test('a key that is only assumed to be an integer is a decimal', async () => {
      expect(await statusOf('post', '/rates', { id: 7.5, label: LONG })).toBe(201);
      expect(await statusOf('post', '/rates', { id: 7.5, label: 'again' })).toBe(409);
      expect(await statusOf('patch', '/rates/7.5', { label: 'x' })).toBe(200);
      expect(await own.read('/rates/7.5')).toMatchObject({ id: 7.5, label: 'x' });
      expect(await statusOf('get', '/rates/7')).toBe(404);
      expect(await statusOf('delete', '/rates/7.5')).toBe(200);
      expect(await own.source.query('SELECT id FROM rate')).toEqual([]);
    });

    test.each([
      ['price', 'abc', 'must be a number'],
      ['price', true, 'must be a number'],
      ['price', [1], 'must be a number'],
      ['label', 'a\0', 'must not contain NUL characters'],
      ['label', { a: 1 }, 'must be a string'],
      // What is declared is checked.
      ['stock', 1.5, 'must be an integer'],
      ['stock', 3e9, 'must be between -2147483648 and 2147483647'],
      ['code', 'abcdef', 'must be at most 5 characters long'],
      ['weight', 1000, 'must have at most 3 digits before the decimal point'],
    ])('%s is no %j', async (field, value, text) => {
      const code = expect.stringMatching(/^CRUD_(INVALID_VALUE|VALUE_OUT_OF_RANGE)$/);
      const answer = await send('post', '/wares', { label: 'a', price: 1, [field]: value });
      expect(answer).toMatchObject({ status: 400, body: { code, field, message: [`${field} ${text}`] } });
      expect(await stored()).toEqual([]);
    });

    test('a key beyond what the table counts is no server error, and a declared scale rounds', async () => {
      const at = '/wares/3000000000';
      expect([400, 404]).toContain(await statusOf('get', at));
      expect([400, 404]).toContain(await statusOf('patch', at, { price: 1 }));
      for (const query of ['filter=id||eq||3000000000', 'filter=stock||eq||1&or=price||eq||1e70'])
        expect([200, 400]).toContain(await statusOf('get', `/wares?${query}`));
      const { body } = await send('post', '/wares', { label: 'a', price: 1, weight: 1.25 });
      expect(Number(body.weight)).toBe(1.3);
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
      const message = `${field} ${text} ${HINT}`;
      for (const path of ['/assumed', '/strict', '/unruled']) {
        const answer = await send('post', path, { label: 'a', price: 1, [field]: value });
        expect(answer).toMatchObject({ status: 400, body: { code, field, message: [message] } });
      }
      const refused = { body: { code: 'CRUD_INVALID_VALUE', field, message } };
      if (typeof value === 'number')
        expect(await own.read(`/assumed?filter=${field}||eq||${value}`)).toMatchObject(refused);
    });

    test.each([{ price: 'abc' }, { price: 1, stock: 1.5 }])('only where it would help, not of %j', async (body) => {
      const { message } = (await send('post', '/assumed', { label: 'a', ...body })).body;
      expect(message).toEqual([`${Object.keys(body).at(-1)} must be an integer`]);
    });

    test('what fits is stored as ever', async () => {
      expect(await statusOf('post', '/assumed', { label: 'a', price: 5 })).toBe(201);
      expect(await listed('filter=price||eq||5', '/assumed')).toEqual([5]);
      expect(await listed('filter=price||eq||5')).toEqual([5]);
    });
  });

  test('the document says what is checked', () => {
    const { components, paths } = SwaggerModule.createDocument(own.app, new DocumentBuilder().build());
    const propertiesOf = (path: string) => {
      const [, name = ''] = /schemas\/(\w+)/.exec(JSON.stringify(paths[path]!.post!.requestBody))!;
      return (components!.schemas![name] as { properties: Record<string, unknown> }).properties;
    };
    const { price, label, ...declared } = propertiesOf('/wares');
    expect([price, label]).toEqual([{ type: 'number' }, { type: 'string' }]);
    expect(declared).toMatchObject({ stock: { type: 'integer', format: 'int32' }, code: { maxLength: 5 } });
    expect(propertiesOf('/assumed')).toMatchObject({
      price: { type: 'integer', format: 'int32' },
      label: { type: 'string', ...(db.kind === 'mysql' && { maxLength: 255 }) },
    });
  });

  test('the application sets it for all resources, and a resource for itself', async () => {
    CrudConfigService.load({ validation: { columns: 'declared' } });
    const resources = [wares('global'), wares('unvalidated', false), wares('all', { columns: 'all' })];
    const { app, source, send } = await serve(db, [Ware, Maker, Rate], resources, settings).finally(() =>
      CrudConfigService.load({ validation: { columns: 'all' } }),
    );
    await fill(source);
    const statuses = [];
    for (const path of ['/global', '/unvalidated', '/all'])
      statuses.push((await send('post', path, { label: LONG, price: 12.5 })).status);
    expect(statuses).toEqual([201, 201, 400]);
    expect(pricesOf(await source.query('SELECT price FROM ware'))).toEqual([12.5, 12.5]);
    await app.close();
  });
});
