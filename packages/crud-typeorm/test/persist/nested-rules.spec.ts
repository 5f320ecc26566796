/** Rules on nested records that `persist` and the path satisfy, over HTTP. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { CrudValidationGroups } from '@nestwright/crud';
import { Type } from 'class-transformer';
import { IsEmpty, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import {
  Column,
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
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const always = { always: true };
const update = { groups: [CrudValidationGroups.UPDATE] };
const cascade: ('insert' | 'update')[] = ['insert', 'update'];

@Entity('cards')
class Card {
  @IsOptional(always) @PrimaryGeneratedColumn() id!: number;
  @VersionColumn() version!: number;
  @IsIn(['acme'], always) @Column({ type: 'varchar', length: 20 }) tenant!: string;
  @IsOptional(update) @IsInt(always) @Column({ type: 'int' }) board!: number;
  @IsOptional(update) @IsString(always) @Column({ type: 'varchar', length: 20 }) text!: string;
  @IsOptional(always) @ManyToOne(() => Card, (card) => card.children) parent!: Relation<Card> | null;

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
  const served = serving(db, [Card], RESOURCES, { source: { dropSchema: true } });
  beforeEach(async () => {
    const { source } = served;
    await source.query('DELETE FROM card_links');
    await source.query(`UPDATE cards SET ${source.driver.escape('parentId')} = NULL`);
    await source.query('DELETE FROM cards');
  });

  const send = async (method: 'post' | 'patch', path: string, sent: object): Promise<[number, unknown]> => {
    const { status, body } = await served.send(method, `/boards/7/${path}`, sent);

    return [status, status < 300 ? undefined : body.message];
  };
  const CREATED = [201, undefined];
  const stored = async () => {
    const cards = await served.source.getRepository(Card).find({ order: { text: 'ASC' } });

    return cards.map(({ text, tenant, board, version }) => [text, tenant, board, version]);
  };

  describe.each([
    ['POST', '', (card: object) => send('post', 'cards', card)],
    ['bulk POST', 'bulk.0.', (card: object) => send('post', 'cards/bulk', { bulk: [card] })],
  ] as const)('%s', (_, at, post) => {
    test('need not be told what the application knows of new records, at any depth', async () => {
      const children = [
        { text: 'b', links: [{ text: 'c' }] },
        { text: 'd', tenant: 'beta', board: 9 },
      ];
      expect(await post({ text: 'a', children })).toEqual(CREATED);
      expect(await stored()).toEqual(['a', 'b', 'c', 'd'].map((text) => [text, 'acme', 7, 1]));
    });

    test('are asked of what the client says', async () => {
      const message = [`${at}children.1.text must be a string`];
      expect(await post({ text: 'a', children: [{ text: 'b' }, { text: 1 }] })).toEqual([400, message]);
      expect(await stored()).toEqual([]);
    });
  });

  test('hold for linked records, which are not changed', async () => {
    const cards = served.source.getRepository(Card);
    const made = await cards.save(['a', 'b', 'c'].map((text) => ({ text, tenant: 'acme', board: 7 })));
    const [id, linked, changed] = made.map((card) => card.id);
    await served.source.query(`INSERT INTO card_links VALUES (${id}, ${linked}), (${id}, ${changed})`);

    const links = [{ id: linked }, { id: changed, text: 'z', tenant: 'beta' }];
    expect(await send('patch', `cards/${id}`, { links })).toEqual([200, undefined]);
    expect(await stored()).toEqual([
      ['a', 'acme', 7, 1],
      ['b', 'acme', 7, 1],
      ['z', 'acme', 7, 2],
    ]);
  });

  test.each([
    ['never meet a property that a class does not know', 'without', 'children.0.tenant should not exist'],
    ['that forbid a property forbid it to the client alone', 'forbidding', 'children.0.tenant must be empty'],
  ])('%s', async (_, path, message) => {
    expect(await send('post', path, { text: 'a', children: [{ text: 'b' }] })).toEqual(CREATED);
    const told = { text: 'a', children: [{ text: 'b', tenant: 'acme' }] };
    expect(await send('post', path, told)).toEqual([400, [message]]);
    expect(await stored()).toEqual(['a', 'b'].map((text) => [text, 'acme', 7, 1]));
  });
});
