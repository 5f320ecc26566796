/** Rules on nested records that `persist` and the path satisfy, over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Inject, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Crud, CrudAuth, type CrudOptions, CrudValidationGroups } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
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
import { describeDatabases, describePlatforms, listen } from '../../../../integration/test-support/index.js';
import { connect } from '../support/resources.js';

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

const RESOURCES: readonly { readonly path: string; readonly options: Omit<CrudOptions, 'model'> }[] = [
  { path: 'boards/:board/cards', options: {} },
  {
    path: 'boards/:board/without',
    options: { dto: { create: CardWithout }, validation: { whitelist: true, forbidNonWhitelisted: true } },
  },
  { path: 'boards/:board/forbidding', options: { dto: { create: CardThatForbids } } },
];

function resourceOf({ path, options }: (typeof RESOURCES)[number], source: DataSource) {
  @Injectable()
  class Service extends TypeOrmCrudService<Card> {
    constructor() {
      super(source.getRepository(Card));
    }
  }

  @Crud({ model: { type: Card }, params, query, ...options })
  @CrudAuth({ filter: () => ({ tenant: 'acme' }), persist: () => ({ tenant: 'acme' }) })
  @Controller(path)
  class ResourceController {
    constructor(@Inject(Service) readonly service: Service) {}
  }

  return { controller: ResourceController, provider: Service };
}

describeDatabases('rules on nested records', (db) =>
  describePlatforms('and what the application says of them', (platform) => {
    let source: DataSource;
    let close: () => Promise<void>;
    let send: (method: 'post' | 'patch' | 'put', path: string, body: object) => Promise<[number, unknown]>;

    beforeAll(async () => {
      source = await connect(db, [Card], { dropSchema: true });

      const resources = RESOURCES.map((resource) => resourceOf(resource, source));
      const module = await Test.createTestingModule({
        controllers: resources.map(({ controller }) => controller),
        providers: resources.map(({ provider }) => provider),
      }).compile();
      const { app, url } = await listen(module, platform);

      close = () => app.close();
      send = async (method, path, body) => {
        const answer = await request(url)[method](path).send(body);

        return [answer.status, answer.status < 300 ? undefined : (answer.body as { message: unknown }).message];
      };
    });

    afterAll(async () => {
      await close?.();
      await source?.destroy();
    });

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
      expect(await send('post', '/boards/7/without', { text: 'a', children: [{ text: 'b' }] })).toEqual([
        201,
        undefined,
      ]);
      expect(await send('post', '/boards/7/without', { text: 'a', children: [{ text: 'b', tenant: 'acme' }] })).toEqual(
        [400, ['children.0.tenant should not exist']],
      );
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
  }),
);
