/** PATCHes that send what is stored, in one spelling or another, and others that differ by little → rows, versions and dates that move with a change alone, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Column, Entity, PrimaryColumn, type UpdateEvent, VersionColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting } from '../support/connecting.js';
import { requestOf } from '../support/requests.js';
import { Label, Maker, Product } from './entities.js';

const requestAt = (id: number) => requestOf({ path: { id } });

const TEXTS = { name: 'Ada', notes: 'one\ntwo', code: 'abc', secret: 's', tags: ['a', 'b'] };
const NUMBERS = { count: 5, big: '9007199254740993', price: '1.50', weight: 0.1, sold: true };
const DATES = { day: '2026-01-02', time: '10:00:00', seen: new Date('2026-01-02T03:04:05.000Z') };
const PARTS = { settings: { a: 1, b: [1, 2] }, size: { width: 3, height: null } };
const STORED = { ...TEXTS, ...NUMBERS, ...DATES, ...PARTS, makerId: 1, seller: { id: 2 } };

/** What means the same as what is stored, and what does not. */
const eachOf = (name: string, ...values: unknown[]) => values.map((value) => ({ [name]: value }));
const ALONE: readonly object[] = Object.entries(STORED).flatMap(([name, value]) => eachOf(name, value));
const SAME: readonly object[] = [
  ...[{}, { nothing: 1, version: 1, createdAt: new Date(0), updatedAt: new Date(0) }, STORED, ...ALONE],
  ...[...eachOf('price', 1.5, '1.5'), { seen: new Date('2026-01-02T04:04:05.000+01:00') }, { seller: 2 }],
  ...[...eachOf('size', { width: 3 }, {}), ...eachOf('maker', { id: 1 }, 1)],
];

const OTHER: readonly object[] = [
  ...eachOf('name', 'ada', 'Ada ', 'Adä', null, ''),
  ...[...eachOf('count', 6, 0), { big: '9007199254740992' }, { price: '1.51', weight: 0.2 }],
  ...[...eachOf('sold', false, null), { day: '2026-01-03' }, { time: '10:00:01' }],
  { seen: new Date('2026-01-02T03:04:06.000Z') },
  ...[...eachOf('settings', { b: [1, 2], a: 1 }, null), { tags: ['b', 'a'] }, { code: 'cba' }, { secret: 'S' }],
  ...[...eachOf('size', { height: 1 }, { width: null }), { makerId: 2 }, { maker: null }, { seller: { id: 1 } }],
  { ...STORED, count: 6 },
];

/** Types that one database alone has: what is stored, what does not mean the same, what does. */
type Kind = readonly [type: string, options: object, stored: unknown, other: unknown[], same?: unknown[]];

const at = (milliseconds: number) => new Date(`2026-01-01T00:00:00.${milliseconds}Z`);
const collated = (charset: string, name: string) => ({ length: 20, charset, collation: `${charset}_${name}` });
const DIGITS = '1234567890123456789012345';

const KINDS: Readonly<Record<'sqlite' | 'postgres' | 'mysql', readonly Kind[]>> = {
  sqlite: [
    ['varchar', { collation: 'NOCASE' }, 'a', ['A', 'b']],
    ['decimal', { precision: 10, scale: 2 }, 1.5, [1.25], ['1.50']],
  ],
  postgres: [
    ['json', {}, { a: 1, b: 2 }, [{ b: 2, a: 1 }, {}, [], 'text', null]],
    ['jsonb', {}, { a: 1, b: 2 }, [{ a: 1 }, null], [{ b: 2, a: 1 }]],
    ['numeric', {}, '1.5', ['1.50', '1.6']],
    ['numeric', { precision: 6, scale: 3 }, '1.5', ['1.501'], [1.5, '1.5004']],
    ['char', { length: 5 }, 'ab', ['aB'], ['ab ']],
    ['timestamptz', {}, at(123), [at(124)]],
    // Boxes of one size are equal there.
    ['box', {}, '(1,1),(0,0)', ['(2,1),(1,0)']],
  ],
  mysql: [
    ['json', {}, { a: 1, b: [1, 2] }, [{ a: 1 }, {}, [], null]],
    ['char', { length: 5 }, 'ab', ['aB', 'abc'], ['ab ']],
    ['varchar', collated('utf8mb4', 'general_ci'), 'Ä', ['A', 'ä', 'Ä ']],
    ['varchar', collated('latin1', 'swedish_ci'), 'é', ['e', 'É']],
    ['float', {}, 1 / 3, [0.3332]],
    ['decimal', { precision: 30, scale: 2 }, `${DIGITS}.10`, [`${DIGITS}.11`], [`${DIGITS}.1`]],
    ['datetime', { precision: 6 }, at(123), [at(124)]],
  ],
};

describeDatabases('changes that change nothing', (db) => {
  const kinds = KINDS[db.kind].map(([type, options, stored, other, same = []], index) => {
    @Entity(`kinds_${index}`)
    class Typed {
      @PrimaryColumn({ type: 'int' }) id!: number;
      @Column({ type, nullable: true, ...options } as never) value!: unknown;
      @VersionColumn() version!: number;
    }
    return { title: `${type} ${JSON.stringify(options)}`, type, stored, other, same, entity: Typed };
  });
  const heard: string[] = [];
  const hear = ({ metadata }: UpdateEvent<object>) => void heard.push(metadata.name);
  const entities = [Maker, Label, Product, ...kinds.map(({ entity }) => entity)];
  const source = connecting(db, entities);
  const [stored, makers] = [source.getRepository(Product), source.getRepository(Maker)];
  const products = new TypeOrmCrudService(stored);

  beforeAll(() => makers.insert(['one', 'two'].map((name, index) => ({ id: index + 1, name }))));

  beforeEach(async () => {
    heard.length = 0;
    await source.query('DELETE FROM products');
    await stored.insert({ id: 1, ...STORED } as never);
    await source.query(`UPDATE products SET ${source.driver.escape('updatedAt')} = '2020-01-01 00:00:00'`);
  });

  const rows = () => source.query('SELECT * FROM products');
  const patch = (sent: object) => products.updateOne(requestAt(1), sent as Product);

  describe.each([false, true])('while a subscriber looks on: %s', (observed) => {
    beforeAll(() => void (observed && source.subscribers.push({ beforeUpdate: hear, afterUpdate: hear })));
    afterAll(() => void source.subscribers.splice(0));

    test.each(SAME)('%j writes nothing', async (sent) => {
      const before = await rows();
      const answer = await patch(sent);
      expect(answer).toEqual(await products.getOne(requestAt(1)));
      expect(await rows()).toEqual(before);
      expect(heard).toEqual([]);
    });

    test.each(OTHER)('%j is a change', async (sent) => {
      const answer = await patch(sent);
      const changed = await stored.findOneByOrFail({ id: 1 });
      expect(answer).toEqual(await products.getOne(requestAt(1)));
      expect(changed.version).toBe(2);
      expect(changed.updatedAt.getFullYear()).toBeGreaterThan(2025);
      expect(heard).toEqual(observed ? ['Product', 'Product'] : []);
      await patch(sent);
      expect(await stored.findOneByOrFail({ id: 1 })).toEqual(changed);
    });

    test('a stale version is judged first', async () => {
      await patch({ count: 6 });
      const stale = { statusCode: 409, code: 'CRUD_STALE_VERSION', message: [expect.stringMatching('Product')] };
      for (const sent of [{}, { count: 6 }, { labels: [] }]) {
        await expect(patch({ ...sent, version: 1 })).rejects.toMatchObject({ response: stale });
        const put = { id: 1, ...STORED, ...sent, version: 1 } as never;
        await expect(products.replaceOne(requestAt(1), put)).rejects.toMatchObject({ response: stale });
        expect(await patch({ ...sent, version: 2 })).toMatchObject({ count: 6, version: 2 });
      }
    });

    test.each(kinds)('a column of $title changes with its stored form', async ({ entity, stored, same, other }) => {
      const repository = source.getRepository(entity);
      const service = new TypeOrmCrudService(repository);
      await repository.clear();
      await repository.insert({ id: 1 });
      const expectVersion = async (value: unknown, version: number) => {
        await service.updateOne(requestAt(1), { value });
        expect([value, (await repository.findOneByOrFail({ id: 1 })).version]).toEqual([value, version]);
      };
      await expectVersion(null, 1);
      for (const value of [stored, stored, ...same]) await expectVersion(value, 2);
      for (const [index, value] of other.entries()) {
        await expectVersion(value, 3 + 2 * index);
        await expectVersion(stored, 4 + 2 * index);
      }
    });
  });

  if (db.kind === 'postgres') {
    test('a moment that loses its microseconds is a change', async () => {
      const { entity } = kinds.find(({ type }) => type === 'timestamptz')!;
      const repository = source.getRepository(entity);
      await repository.clear();
      await repository.insert({ id: 1 });
      await source.query(`UPDATE ${repository.metadata.tableName} SET value = '2026-01-01T00:00:00.123456Z'`);
      await new TypeOrmCrudService(repository).updateOne(requestAt(1), { value: new Date('2026-01-01T00:00:00.123Z') });
      expect(await repository.findOneByOrFail({ id: 1 })).toMatchObject({ version: 2 });
    });
  }
});
