/** Rules on nested records that `persist` and the path satisfy, over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type INestApplication } from '@nestjs/common';
import { CrudValidationGroups } from '@nestwright/crud';
import { Type } from 'class-transformer';
import { IsEmpty, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import request from 'supertest';
import {
  Column,
  DataSource,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  type Relation,
  VersionColumn,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

const always = { always: true };
const cascade: ('insert' | 'update')[] = ['insert', 'update'];

@Entity('cards')
class Card {
  @IsOptional(always)
  @PrimaryGeneratedColumn()
  id!: number;

  @VersionColumn()
  version!: number;

  @IsIn(['acme'], always)
  @Column({ type: 'varchar', length: 20 })
  tenant!: string;

  @IsOptional({ groups: [CrudValidationGroups.UPDATE] })
  @IsInt(always)
  @Column({ type: 'int' })
  board!: number;

  @IsOptional({ groups: [CrudValidationGroups.UPDATE] })
  @IsString(always)
  @Column({ type: 'varchar', length: 20 })
  text!: string;

  @IsOptional(always)
  @ManyToOne(() => Card, (card) => card.children)
  parent!: Relation<Card> | null;

  @IsOptional(always)
  @ValidateNested(always)
  @Type(() => Card)
  @OneToMany(() => Card, (card) => card.parent, { cascade })
  children!: Relation<Card>[];

  @IsOptional(always)
  @ValidateNested(always)
  @Type(() => Card)
  @ManyToMany(() => Card, { cascade })
  @JoinTable({ name: 'card_links' })
  links!: Relation<Card>[];
}

/** Knows nothing of the tenant. */
class ChildWithout {
  @IsString() text!: string;
}

class CardWithout extends ChildWithout {
  @ValidateNested() @Type(() => ChildWithout) children!: ChildWithout[];
}

class ChildThatForbids {
  @IsString() text!: string;
  @IsEmpty() tenant?: string;
}

class CardThatForbids {
  @IsString() text!: string;
  @ValidateNested() @Type(() => ChildThatForbids) children!: ChildThatForbids[];
}

const params = {
  board: { field: 'board', type: 'number' },
  id: { field: 'id', type: 'number', primary: true },
} as const;
const query = { join: { children: {}, links: {} } };

const auth = { filter: () => ({ tenant: 'acme' }), persist: () => ({ tenant: 'acme' }) };
const RESOURCES = [
  resource(Card, 'boards/:board/cards', { params, query, auth }),
  resource(Card, 'boards/:board/without', {
    ...{ params, query, auth, dto: { create: CardWithout } },
    validation: { whitelist: true, forbidNonWhitelisted: true },
  }),
  resource(Card, 'boards/:board/forbidding', { params, query, auth, dto: { create: CardThatForbids } }),
];

describeDatabases('rules on nested records and what the application says of them', (db) => {
  let source: DataSource;
  let app: INestApplication;
  let url: string;
  const send = async (method: 'post' | 'patch' | 'put', path: string, body: object): Promise<[number, unknown]> => {
    const answer = await request(url)[method](path).send(body);

    return [answer.status, answer.status < 300 ? undefined : (answer.body as { message: unknown }).message];
  };

  beforeAll(async () => {
    ({ app, url, source } = await serve(db, [Card], RESOURCES, { source: { dropSchema: true } }));
  });
  afterAll(() => app?.close());
  beforeEach(async () => {
    await source.query('DELETE FROM card_links');
    await source.query('UPDATE cards SET ' + source.driver.escape('parentId') + ' = NULL');
    await source.query('DELETE FROM cards');
  });

  const stored = async () => {
    const cards = await source.getRepository(Card).find({ order: { text: 'ASC' } });

    return cards.map(({ text, tenant, board, version }) => [text, tenant, board, version]);
  };

  describe.each([
    ['POST', (card: object) => send('post', '/boards/7/cards', card)],
    ['bulk POST', (card: object) => send('post', '/boards/7/cards/bulk', { bulk: [card] })],
  ] as const)('%s', (route, post) => {
    const at = route === 'POST' ? '' : 'bulk.0.';

    test('need not be told what the application knows of new records, at any depth', async () => {
      expect(
        await post({
          text: 'a',
          children: [
            { text: 'b', links: [{ text: 'c' }] },
            { text: 'd', tenant: 'beta', board: 9 },
          ],
        }),
      ).toEqual([201, undefined]);
      expect(await stored()).toEqual(['a', 'b', 'c', 'd'].map((text) => [text, 'acme', 7, 1]));
    });

    test('are asked of what the client says', async () => {
      expect(await post({ text: 'a', children: [{ text: 'b' }, { text: 1 }] })).toEqual([
        400,
        [`${at}children.1.text must be a string`],
      ]);
      expect(await stored()).toEqual([]);
    });
  });

  test('hold for linked records, which are not changed', async () => {
    const cards = await source
      .getRepository(Card)
      .save(['a', 'b', 'c'].map((text) => ({ text, tenant: 'acme', board: 7 })));
    const [{ id }, { id: linked }, { id: changed }] = cards as unknown as [Card, Card, Card];

    await source.query(`INSERT INTO card_links VALUES (${id}, ${linked}), (${id}, ${changed})`);

    expect(
      await send('patch', `/boards/7/cards/${id}`, {
        links: [{ id: linked }, { id: changed, text: 'z', tenant: 'beta' }],
      }),
    ).toEqual([200, undefined]);
    expect(await stored()).toEqual([
      ['a', 'acme', 7, 1],
      ['b', 'acme', 7, 1],
      ['z', 'acme', 7, 2],
    ]);
  });

  test('never meet a property that a class does not know', async () => {
    expect(await send('post', '/boards/7/without', { text: 'a', children: [{ text: 'b' }] })).toEqual([201, undefined]);
    expect(await send('post', '/boards/7/without', { text: 'a', children: [{ text: 'b', tenant: 'acme' }] })).toEqual([
      400,
      ['children.0.tenant should not exist'],
    ]);
    expect(await stored()).toEqual(['a', 'b'].map((text) => [text, 'acme', 7, 1]));
  });

  test('that forbid a property forbid it to the client alone', async () => {
    expect(await send('post', '/boards/7/forbidding', { text: 'a', children: [{ text: 'b' }] })).toEqual([
      201,
      undefined,
    ]);
    expect(
      await send('post', '/boards/7/forbidding', { text: 'c', children: [{ text: 'd', tenant: 'acme' }] }),
    ).toEqual([400, ['children.0.tenant must be empty']]);
    expect(await stored()).toEqual(['a', 'b'].map((text) => [text, 'acme', 7, 1]));
  });
});
