/** Values that answers hide, or that a `@Transform()` changes for them: found out by no condition, sort, aggregate or cursor. */
import { expect, test } from '@jest/globals';
import type { CrudOptions } from '@nestwright/crud';
import { Exclude, Expose, Transform } from 'class-transformer';
import request from 'supertest';
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource, resource, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';

const TEXT = { type: 'varchar', length: 40 } as const;

@Entity('changed_cards')
class Card {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Transform(({ value }: { value: string }) => value.replace(/\d(?=\d{4})/g, '*'))
  @Column(TEXT)
  number!: string;
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
  @PrimaryColumn({ type: 'int' }) id!: number;
  @ManyToOne(() => Card) card!: Card;
}

const AGGREGATE = {
  routes: { aggregateBase: true },
  query: { aggregate: { groupBy: ['number'], functions: { salary: ['max'] } } },
} as const;
const BY_SALARY = [{ field: 'salary', order: 'ASC' }] as const;
const SORT = { query: { cursor: true, conditions: ['salary'], sort: BY_SALARY } } as const;
const cards = (path: string, options: Partial<CrudOptions<Card>>) => resource(Card, path, options);
const RESOURCES = [
  cards('cards', { query: { cursor: true } }),
  cards('freed', { query: { cursor: true, conditions: ['number', 'salary'] } }),
  cards('formatted', {
    query: { cursor: true, formats: ['price'], aggregate: { groupBy: ['price'], functions: { price: ['max'] } } },
  }),
  resource(Payment, 'payments', { query: { join: { card: {} }, formats: ['card.price'] } }),
];

describeDatabases('values that answers change', (db) => {
  const own = serving(db, [Card, Payment], RESOURCES, {
    fill: async ({ manager }) => {
      const number = '411122223333000';
      await manager.insert(Card, [
        { id: 1, number: `${number}1`, salary: 1000, showsSalary: true, price: '1.50', owner: 'one' },
        { id: 2, number: `${number}2`, salary: 2000, showsSalary: false, price: '2.50', owner: 'two' },
      ]);
      await manager.insert(Payment, { id: 1, card: { id: 1 } });
    },
  });
  const statusOf = (path: string) => own.statusOf('get', path);

  test('are shown and may be selected', async () => {
    expect(await own.read('/cards?fields=number,salary,showsSalary&sort=id')).toEqual([
      { id: 1, number: '************0001', salary: 1000, showsSalary: true },
      { id: 2, number: '************0002', salary: null, showsSalary: false },
    ]);
  });

  test.each(['number', 'salary'])('%s is as unknown to clients as a name of nothing', async (name) => {
    for (const way of ['filter=NAME||starts||4', 'or=NAME||notnull', 's={"NAME":{"$gt":1}}', 'sort=NAME,ASC']) {
      const get = (field: string) => request(own.url).get(`/cards?${way.replace('NAME', field)}`);
      const [known, unknown] = [await get(name), await get('nothing')];
      expect([known.status, known.text]).toEqual([400, unknown.text.replace('nothing', name)]);
      expect(await statusOf(`/payments?join=card&${way.replace('NAME', `card.${name}`)}`)).toBe(400);
    }
    // Freed by query.conditions, they are in conditions and sorts, never in cursors.
    expect(await statusOf(`/freed?filter=${name}||notnull&sort=${name}`)).toBe(200);
    const refused = { status: 400, body: { code: 'CRUD_INVALID_QUERY', field: name } };
    expect(await own.read(`/freed?cursor=&limit=1&sort=${name},ASC`)).toMatchObject(refused);
  });

  test.each([
    // They count as shown if query.formats names them.
    ['/formatted?filter=price||gt||2&fields=price', 200],
    ['/formatted?cursor=&limit=1&sort=price,ASC', 200],
    ['/formatted/aggregate?groupBy=price&aggregate=max||price', 200],
    ['/payments?join=card&filter=card.price||lt||2', 200],
    ['/formatted?filter=number||notnull', 400],
    // Those that are changed for groups that a request lacks are like any other.
    ['/cards?filter=owner||starts||o&cursor=&sort=owner,ASC', 200],
  ])('%s is a %i', async (path, status) => expect(await statusOf(path)).toBe(status));

  test.each<[string, Partial<CrudOptions<Card>>, RegExp]>([
    ['an aggregate of them', AGGREGATE, /groupBy.+number[\s\S]+functions.+salary/],
    ['a default sort by them where there are cursors', SORT, /query\.cursor is true, but a cursor would show "salary"/],
    ['a format that no @Transform() makes', { query: { formats: ['showsSalary'] } }, /query\.formats.+"showsSalary"/],
  ])('%s stops the start', async (_, options, message) => {
    await expect(serve(db, [Card, Payment], [cards('cards', options)])).rejects.toThrow(message);
  });
});

/** The key decides between equal values of a sort. */
@Entity('grouped_keys')
class Grouped {
  @Expose({ groups: ['staff'] }) @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) name!: string;
}

@Entity('plain_keys')
class Plain {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) name!: string;
}

@Exclude()
class NameAlone {
  @Expose() name!: string;
}

const LIST: CrudOptions['query'] = { cursor: true, sort: [{ field: 'name', order: 'ASC' }], limit: 1 };
const groups = ({ headers }: { headers: Record<string, string> }) => headers['x-groups']?.split(',') ?? [];
const LISTS = [
  looseResource(Grouped, 'grouped', { auth: { groups }, query: LIST }),
  looseResource(Plain, 'plain', { serialize: { get: NameAlone, getMany: NameAlone }, query: LIST }),
];

describeDatabases(
  'keys that answers do not show',
  (db) => {
    const [first, second] = [90_001, 90_002].map((id, index) => ({ id, name: 'ab'[index]! }));
    const { send } = serving(db, [Grouped, Plain], LISTS, {
      fill: async ({ manager }) => {
        for (const entity of [Grouped, Plain]) await manager.insert(entity, [first!, second!]);
      },
    });
    const get = (path: string, asked = 'none') => send('get', path, undefined, { 'x-groups': asked });

    test.each(['grouped', 'plain'])('are in no cursor: %s', async (path) => {
      const listed = await get(`/${path}`);
      expect([listed.status, JSON.stringify(listed.body).includes('90001')]).toEqual([200, false]);
      for (const query of ['cursor=', 'cursor=&sort=name,DESC', 'cursor=&fields=name', 'cursor=x']) {
        const { status, body } = await get(`/${path}?${query}`);
        expect([query, status, body.code, body.field]).toEqual([query, 400, 'CRUD_INVALID_QUERY', 'id']);
      }
    });

    test('are in those of clients to whom answers show them', async () => {
      const { status, body } = await get('/grouped?cursor=', 'staff');
      expect([status, body.data]).toEqual([200, [first]]);
      expect((await get(`/grouped?cursor=${body.next}`, 'staff')).body.data).toEqual([second]);
      expect((await get(`/grouped?cursor=${body.next}`)).status).toBe(400);
    });
  },
  ['sqlite'],
);
