/** Values that a `@Transform()` changes for answers: shown in their changed form, but found out by no condition, sort, cursor or aggregate. */
import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { CrudOptions } from '@nestwright/crud';
import { Exclude, Expose, Transform } from 'class-transformer';
import request from 'supertest';
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';

const TEXT = { type: 'varchar', length: 40 } as const;
const hash = (value: string) => createHash('sha256').update(`salt ${value}`).digest('hex');

@Entity('changed_cards')
class Card {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Transform(({ value }: { value: string }) => value.replace(/\d(?=\d{4})/g, '*'))
  @Column(TEXT)
  number!: string;
  @Transform(({ value }: { value: string }) => value.replace(/^(.).*@/, '$1***@'))
  @Column(TEXT)
  email!: string;
  @Transform(({ value, obj }: { value: number; obj: Card }) => (obj.showsSalary ? value : null))
  @Column({ type: 'int' })
  salary!: number;
  @Column({ type: 'boolean' }) showsSalary!: boolean;
  @Transform(({ value }: { value: string }) => hash(value))
  @Column(TEXT)
  secret!: string;
  @Transform(({ value }: { value: string }) => Number(value))
  @Column({ type: 'decimal', precision: 10, scale: 2 })
  price!: string;
  @Transform(({ value }: { value: string }) => value.trim(), { toClassOnly: true })
  @Column(TEXT)
  name!: string;
  @Transform(() => '(hidden)', { groups: ['guest'] })
  @Column(TEXT)
  owner!: string;
}

@Entity('changed_payments')
class Payment {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @ManyToOne(() => Card) card!: Card;
}

@Exclude()
class CardPrice {
  @Expose() id!: number;
  @Expose() price!: string;
}

const CHANGED = ['number', 'email', 'salary', 'secret'];
const functions = { number: ['max'], salary: ['max'] } as const;
const AGGREGATE = {
  routes: { aggregateBase: true },
  query: { aggregate: { groupBy: ['number'], functions } },
} as const;

const BY_SALARY = [{ field: 'salary', order: 'ASC' }] as const;
const SORT = { query: { cursor: true, conditions: ['salary'], sort: BY_SALARY } } as const;
const cards = (path: string, options: Partial<CrudOptions<Card>>) => resource(Card, path, options);
const RESOURCES = [
  cards('cards', { query: { cursor: true } }),
  cards('freed', { query: { cursor: true, conditions: [...CHANGED, 'price'] } }),
  cards('formatted', {
    query: { cursor: true, formats: ['price'], aggregate: { groupBy: ['price'], functions: { price: ['max'] } } },
  }),
  cards('narrow', { query: { formats: ['price', 'number'] }, serialize: { get: CardPrice } }),
  resource(Payment, 'payments', { query: { join: { card: {} }, formats: ['card.price'] } }),
];

describeDatabases('values that answers change', (db) => {
  const own = serving(db, [Card, Payment], RESOURCES, {
    fill: async ({ manager }) => {
      const other = (id: number) => ({ secret: `s${id}`, price: `${id}.50`, name: `name ${id}`, owner: `owner ${id}` });
      const number = '411122223333000';
      await manager.insert(Card, [
        { id: 1, number: `${number}1`, email: 'person1@example.com', salary: 1000, showsSalary: true, ...other(1) },
        { id: 2, number: `${number}2`, email: 'person2@example.com', salary: 2000, showsSalary: false, ...other(2) },
      ]);
      await manager.insert(Payment, { id: 1, card: { id: 1 } });
    },
  });
  const statusOf = (path: string) => own.statusOf('get', path);

  test('are shown and may be selected', async () => {
    const email = 'p***@example.com';
    expect(await own.read('/cards?fields=number,email,salary,showsSalary,secret&sort=id')).toEqual([
      { id: 1, number: '************0001', email, salary: 1000, showsSalary: true, secret: hash('s1') },
      { id: 2, number: '************0002', email, salary: null, showsSalary: false, secret: hash('s2') },
    ]);
  });

  test.each(CHANGED)('%s is as unknown to conditions, sorts and cursors as a name of nothing', async (name) => {
    for (const way of ['filter=NAME||starts||4', 'or=NAME||notnull', 's={"NAME":{"$gt":1}}', 'sort=NAME,ASC']) {
      const get = (field: string) => request(own.url).get(`/cards?${way.replace('NAME', field)}`);
      const [known, unknown] = [await get(name), await get('nothing')];
      expect([known.status, known.text]).toEqual([400, unknown.text.replace('nothing', name)]);
      expect(await statusOf(`/payments?join=card&${way.replace('NAME', `card.${name}`)}`)).toBe(400);
    }
    expect(await statusOf(`/cards?cursor=&limit=1&sort=${name},ASC`)).toBe(400);
  });

  test('are freed by query.conditions for conditions and sorts, never for cursors', async () => {
    expect(await own.read('/freed?filter=number||ends||0002&fields=id')).toEqual([{ id: 2 }]);
    expect(await statusOf('/freed?sort=salary,DESC')).toBe(200);
    for (const name of CHANGED) {
      const refused = { status: 400, body: { code: 'CRUD_INVALID_QUERY', field: name } };
      expect(await own.read(`/freed?cursor=&limit=1&sort=${name},ASC`)).toMatchObject(refused);
    }
  });

  test.each([
    // They count as shown if query.formats names them.
    ['/formatted?filter=price||gt||2&fields=price', 200],
    ['/formatted?cursor=&limit=1&sort=price,ASC', 200],
    ['/formatted/aggregate?groupBy=price&aggregate=max||price', 200],
    ['/payments?join=card&filter=card.price||lt||2', 200],
    ['/formatted?filter=number||notnull', 400],
    // In spite of query.formats, a class in serialize hides them.
    ['/narrow?filter=price||gt||2', 200],
    ['/narrow?filter=number||notnull', 400],
    // Those that are changed in bodies, or for groups that a request lacks, are like any other.
    ['/cards?filter=name||starts||n&filter=owner||starts||o&cursor=&sort=owner,ASC', 200],
  ])('%s is a %i', async (path, status) => {
    const answer = await own.send('get', path);
    expect(answer.status).toBe(status);
    if (path.endsWith('fields=price')) expect(answer.body).toEqual([{ id: 2, price: 2.5 }]);
  });

  test('are documented, with a type that is open, but not among the names for conditions', () => {
    const { components, paths } = SwaggerModule.createDocument(own.app, new DocumentBuilder().build());
    const answer = JSON.stringify(paths['/cards/{id}']!.get!.responses['200']);
    const [, name] = /schemas\/(\w+)/.exec(answer)!;
    const { properties } = components!.schemas![name!] as { properties: Record<string, unknown> };
    const parameters = paths['/cards']!.get!.parameters as { name: string; description: string }[];
    const { description } = parameters.find(({ name }) => name === 'filter')!;
    const shown = ['number', 'price', 'name'].map((name) => properties[name]);
    expect(shown).toMatchObject([{ anyOf: [{}] }, { anyOf: [{}] }, { type: 'string', maxLength: 40 }]);
    expect(CHANGED.filter((name) => description.includes(name))).toEqual([]);
    expect(description).toContain('showsSalary');
  });

  test.each<[string, Partial<CrudOptions<Card>>, RegExp]>([
    ['an aggregate of them', AGGREGATE, /groupBy.+number[\s\S]+functions.+salary/],
    ['a default sort by them where there are cursors', SORT, /query\.cursor is true, but a cursor would show "salary"/],
    ['a format that no @Transform() makes', { query: { formats: ['showsSalary'] } }, /query\.formats.+"showsSalary"/],
    ['a format that is no field', { query: { formats: ['nothing' as never] } }, /query\.formats.+"nothing"/],
    ['a format for bodies alone', { query: { formats: ['name'] } }, /query\.formats.+"name"/],
  ])('%s stops the start', async (_, options, message) => {
    await expect(serve(db, [Card, Payment], [cards('cards', options)])).rejects.toThrow(message);
  });
});
