/** Entities drawn from existing tables, whose `@Column()` leaves type and length to TypeORM, while the table has DECIMAL, BIGINT and TEXT. */
import { beforeEach, expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { CrudOptions } from '@nestwright/crud';
import { Column, type DataSource, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
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

const wares = (path: string, validation: CrudOptions<Ware>['validation']) =>
  resource(Ware, path, {
    query: { join: { maker: {} }, aggregate: { functions: { price: ['sum', 'avg', 'max'] } } },
    validation,
  });

const RESOURCES = [
  wares('wares', { columns: 'declared', whitelist: false }),
  wares('assumed', {}),
  // Without the library's validation by rules, which has nothing to do with columns.
  wares('unruled', false),
];

const KEY = { sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT', postgres: 'SERIAL PRIMARY KEY' };
const LONG = 'é'.repeat(300);
const HINT = "(assumed, since @Column() does not declare it; validation: { columns: 'declared' } leaves it out)";

describeDatabases('columns whose types were only assumed', (db) => {
  const fill = async (source: DataSource) => {
    const id = { ...KEY, mysql: 'INT PRIMARY KEY AUTO_INCREMENT' }[db.kind];
    await source.query(`CREATE TABLE maker (id ${id}, rating DECIMAL(12, 2) NOT NULL)`);
    await source.query(
      `CREATE TABLE ware (id ${id}, label TEXT NOT NULL, price DECIMAL(12, 2) NOT NULL, visits BIGINT, makerid INT,
        stock INT DEFAULT 0 NOT NULL, code VARCHAR(5) DEFAULT 'x' NOT NULL, weight DECIMAL(6, 3) DEFAULT 0 NOT NULL)`,
    );
  };
  const source = { synchronize: false };
  const own = serving(db, [Ware, Maker], RESOURCES, { nest: { logger: false }, source, fill });
  const { send, statusOf } = own;
  beforeEach(async () => {
    for (const name of ['ware', 'maker']) await own.source.query(`DELETE FROM ${name}`);
  });
  const pricesOf = (list: readonly { price: unknown }[]) => list.map(({ price }) => Number(price));
  const listed = async (search: string) => pricesOf(await own.read(`/wares?${search}`));

  test('bodies store what the table can, in nested records, too', async () => {
    const ware = { label: LONG, price: 12.5, visits: 5e9, maker: { rating: 4.5 } };
    const { status, body } = await send('post', '/wares?join=maker', ware);
    expect([status, body]).toMatchObject([201, { label: LONG, price: 12.5, visits: 5e9 }]);
    const path = `/wares/${body.id}`;
    for (const price of ['13.25', 13.5, -0.5]) {
      const change = { price, weight: 1.25, maker: { id: body.maker.id, rating: 3.25 } };
      const { status: answered, body: changed } = await send('patch', path, change);
      expect([answered, Number(changed.price), Number(changed.weight)]).toEqual([200, Number(price), 1.3]);
    }
    expect(await listed('filter=price||between||-0.75,-0.5&sort=price')).toEqual([-0.5]);
    const found = ['maker.rating||gte||3.25', 'maker.rating||gt||3.25', `makerid||eq||${body.maker.id}`];
    expect(await Promise.all(found.map((one) => listed(`join=maker&filter=${one}`)))).toEqual([[-0.5], [], [-0.5]]);
    const put = { label: 'put', price: 0.25 };
    expect(await send('put', path, put)).toMatchObject({ status: 200, body: put });
  });

  test.each([
    ['wares', 'price', [1], 'must be a number'],
    ['wares', 'label', 'a\0', 'must not contain NUL characters'],
    ['wares', 'makerid', 1.5, 'must be an integer'],
    // What is declared is checked.
    ['wares', 'stock', 3e9, 'must be between -2147483648 and 2147483647'],
    ['wares', 'code', 'abcdef', 'must be at most 5 characters long'],
    ['wares', 'weight', 1000, 'must have at most 3 digits before the decimal point'],
    ['assumed', 'price', 1.5, `must be an integer ${HINT}`],
    ['unruled', 'price', 3e9, `must be between -2147483648 and 2147483647 ${HINT}`],
    ...(db.kind === 'mysql'
      ? [['assumed', 'label', LONG, `must be at most 255 characters long ${HINT}`] as const]
      : []),
    // The hint stands only where it would help.
    ['assumed', 'price', 'abc', 'must be an integer'],
    ['assumed', 'stock', 1.5, 'must be an integer'],
  ])('/%s refuses: %s %j', async (path, field, value, text) => {
    const code = expect.stringMatching(/^CRUD_(INVALID_VALUE|VALUE_OUT_OF_RANGE)$/);
    const answer = await send('post', `/${path}`, { label: 'a', price: 1, [field]: value });
    expect(answer).toMatchObject({ status: 400, body: { code, field, message: [`${field} ${text}`] } });
    expect(await own.source.query('SELECT id FROM ware')).toEqual([]);
  });

  test.each(['wares', 'assumed'])('totals are of what is stored: %s', async (path) => {
    for (const price of [12.5, 0.25]) await send('post', '/wares', { label: 'a', price });
    const [row] = await own.read(`/${path}/aggregate?aggregate=sum||price&aggregate=avg||price&aggregate=max||price`);
    expect(Object.values(row as object).map(Number)).toEqual([12.75, 6.375, 12.5]);
  });

  test('the document says what is checked', () => {
    const { components } = SwaggerModule.createDocument(own.app, new DocumentBuilder().build());
    expect(JSON.stringify(components!.schemas)).toContain('"label":{"type":"string"},"price":{"type":"number"}');
  });

  test('without the option a filter is refused with the hint, and what fits is stored', async () => {
    const refused = { code: 'CRUD_INVALID_VALUE', field: 'price', message: `price must be an integer ${HINT}` };
    expect(await own.read('/assumed?filter=price||eq||1.5')).toMatchObject({ status: 400, body: refused });
    expect(await statusOf('post', '/assumed', { label: 'a', price: 5 })).toBe(201);
    expect(pricesOf(await own.read('/assumed?filter=price||eq||5'))).toEqual([5]);
  });
});
