/** Values that answers change by a `@Transform()`, and keys that they hide: found out by no condition, sort, aggregate or cursor, but for formats. */
import { expect, test } from '@jest/globals';
import type { CrudOptions } from '@nestwright/crud';
import { Exclude, Expose, Transform } from 'class-transformer';
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';

const TEXT = { type: 'varchar', length: 40 } as const;

@Entity('changed_cards')
class Card {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Transform(({ value, obj }: { value: number; obj: Card }) => (obj.showsSalary ? value : null))
  @Column({ type: 'int' })
  salary!: number;
  @Column({ type: 'boolean' }) showsSalary!: boolean;
  @Transform(({ value }: { value: string }) => Number(value))
  @Column({ type: 'decimal', precision: 10, scale: 2 })
  price!: string;
  @Transform(() => '(hidden)', { groups: ['guest'] })
  @Column(TEXT)
  owner!: string;
}

@Entity('changed_payments')
class Payment {
  @Expose({ groups: ['staff'] }) @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) owner!: string;
  @ManyToOne(() => Card) card!: Card;
}

@Exclude()
class OwnerAlone {
  @Expose() owner!: string;
}

const BY_SALARY = [{ field: 'salary', order: 'ASC' }] as const;
const BY_OWNER: CrudOptions['query'] = { cursor: true, sort: [{ field: 'owner', order: 'ASC' }], limit: 1 };
const groups = ({ headers }: { headers: Record<string, string> }) => headers['x-groups']?.split(',') ?? [];
const cards = (path: string, options: Partial<CrudOptions<Card>>) => resource(Card, path, options);
const RESOURCES = [
  cards('cards', { query: { cursor: true, conditions: ['salary'] } }),
  cards('formatted', { query: { cursor: true, formats: ['price'] } }),
  cards('named', { serialize: { get: OwnerAlone, getMany: OwnerAlone }, query: BY_OWNER as object }),
  resource(Payment, 'payments', { query: { join: { card: {} }, formats: ['card.price'] } }),
  resource(Payment, 'grouped', { auth: { groups }, query: BY_OWNER as object }),
];

describeDatabases('values that answers change', (db) => {
  const own = serving(db, [Card, Payment], RESOURCES, {
    fill: async ({ manager }) => {
      const rows = [90_001, 90_002].map((id, at) => ({ id, owner: `o${at}` }));
      const cards = rows.map((row, at) => ({ ...row, salary: row.id, price: `${at}.50`, showsSalary: at === 0 }));
      await manager.insert(Card, cards);
      const payments = rows.map((row) => ({ ...row, card: { id: row.id } }));
      await manager.insert(Payment, payments);
    },
  });

  test('are shown, in conditions and sorts where the options say so, and never in cursors', async () => {
    const found = await own.read('/cards?fields=salary,showsSalary&filter=salary||notnull&sort=salary');
    const shown = { id: 90_001, salary: 90_001, showsSalary: true };
    expect(found).toEqual([shown, { id: 90_002, salary: null, showsSalary: false }]);
    const refused = { status: 400, body: { code: 'CRUD_INVALID_QUERY', field: 'salary' } };
    expect(await own.read('/cards?cursor=&limit=1&sort=salary,ASC')).toMatchObject(refused);
  });

  test.each([
    // They count as shown if query.formats names them.
    ['/formatted?filter=price||gt||2&fields=price', 200],
    ['/formatted?cursor=&limit=1&sort=price,ASC', 200],
    ['/payments?join=card&filter=card.price||lt||2', 200],
    ['/payments?join=card&filter=card.salary||lt||2', 400],
    ['/formatted?filter=salary||notnull', 400],
    // Those that are changed for groups that a request lacks are like any other.
    ['/cards?filter=owner||starts||o&cursor=&sort=owner,ASC', 200],
  ])('%s is a %i', async (path, status) => expect(await own.statusOf('get', path)).toBe(status));

  test('a default sort by them, where there are cursors, stops the start', async () => {
    const options = { query: { cursor: true, conditions: ['salary'], sort: BY_SALARY } } as const;
    const message = 'query.cursor is true, but a cursor would show "salary"';
    await expect(serve(db, [Card, Payment], [cards('cards', options)])).rejects.toThrow(message);
  });

  test.each(['grouped', 'named'])('keys that answers do not show are in no cursor: %s', async (path) => {
    const listed = await own.send('get', `/${path}`);
    expect([listed.status, JSON.stringify(listed.body).includes('90001')]).toEqual([200, false]);
    for (const query of ['cursor=', 'cursor=&sort=owner,DESC', 'cursor=&fields=owner', 'cursor=x']) {
      const { status, body } = await own.read(`/${path}?${query}`);
      expect([query, status, body.code, body.field]).toEqual([query, 400, 'CRUD_INVALID_QUERY', 'id']);
    }
  });

  test('a client to whom answers show the key reads on by cursor', async () => {
    const get = (cursor: string, asked = 'staff') =>
      own.send('get', `/grouped?cursor=${cursor}`, undefined, { 'x-groups': asked });
    const { status, body } = await get('');
    expect([status, body.data]).toEqual([200, [{ id: 90_001, owner: 'o0' }]]);
    expect((await get(body.next)).body.data).toEqual([{ id: 90_002, owner: 'o1' }]);
    expect((await get(body.next, 'none')).status).toBe(400);
  });
});
