/** Which rules of a model and of classes in `dto` are asked of a body, over HTTP; and what the start says of the columns that such classes leave out. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type CrudOptions, CrudValidationGroups } from '@nestwright/crud';
import { Type as TypeOf } from 'class-transformer';
import { IsDate, IsEmpty, IsIn, IsInt, IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { IsUUID, MaxLength, MinLength, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn, VersionColumn } from 'typeorm';
import { JoinColumn, ManyToOne, OneToMany, type Relation } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource, resource, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';

const { CREATE, UPDATE } = CrudValidationGroups;
const asked: string[] = [];

/** A rule that takes note of what it is asked. */
const Asked = (groups?: string[]) => (target: object, property: string) =>
  ValidateBy(
    { name: 'asked', validator: { validate: () => (asked.push(`${target.constructor.name}.${property}`), true) } },
    groups && { groups },
  )(target, property);

class Address {
  @IsString() @Column({ type: 'varchar', default: '' }) city!: string;
  @IsString({ groups: [CREATE] }) @MaxLength(5) @Column({ type: 'varchar', default: '' }) zip!: string;
}

class Settings {
  @IsIn(['dark', 'light']) theme!: string;
  @IsOptional() @IsInt() size?: number;
}

@Entity('grouped_items')
class Item {
  // No rule is asked of what a body cannot set.
  @IsInt() @IsNotEmpty({ groups: [CREATE, UPDATE] }) @PrimaryGeneratedColumn() id!: number;
  @IsDate() @IsNotEmpty({ always: true }) @CreateDateColumn() createdAt!: Date;
  @IsDate() @UpdateDateColumn() updatedAt!: Date;
  @IsInt() @IsNotEmpty({ always: true }) @VersionColumn() version!: number;
  @IsString() @MinLength(2) @Asked() @Column({ type: 'varchar' }) plain!: string;
  // An ungrouped condition does not release rules of a group.
  @IsOptional()
  @IsString({ groups: [CREATE] })
  @MaxLength(3)
  @Column({ type: 'varchar', nullable: true })
  released!: string | null;
  // A condition of the group releases all.
  @IsOptional({ groups: [UPDATE] }) @IsString() @Column({ type: 'varchar', nullable: true }) optional!: string | null;
  @ValidateIf((item: Item) => item.plain === 'long', { always: true })
  @MinLength(3)
  @Column({ type: 'varchar', default: 'x' })
  conditional!: string;
  @IsInt({ groups: [UPDATE] }) @IsOptional({ groups: [CREATE] }) @Column({ type: 'int', default: 1 }) demanded!: number;
  @ValidateNested() @TypeOf(() => Address) @Column(() => Address) address!: Address;
  @IsOptional()
  @ValidateNested()
  @TypeOf(() => Settings)
  @Column({ type: 'simple-json', nullable: true })
  settings!: Settings | null;
  @IsOptional()
  @ValidateNested()
  @TypeOf(() => Part)
  @OneToMany(() => Part, (part) => part.item, { cascade: ['insert', 'update'] })
  parts!: Relation<Part>[];
}

@Entity('grouped_parts')
class Part {
  @IsInt() @PrimaryGeneratedColumn() id!: number;
  @IsString() @Column({ type: 'varchar', default: 'x' }) label!: string;
  @IsInt() @Column({ type: 'int', default: 1 }) size!: number;
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Column({ type: 'varchar', default: 'x' })
  kind!: string;
  @IsInt() @Column({ type: 'int', nullable: true }) itemId!: number | null;
  @IsNotEmpty() @ManyToOne(() => Item, (item) => item.parts) item!: Relation<Item>;
}

@Entity('grouped_keys')
class Keyed {
  @IsUUID() @PrimaryGeneratedColumn('uuid') id!: string;
  @IsEmpty({ groups: [UPDATE] }) @Column({ type: 'varchar', default: 'x' }) fixed!: string;
  @IsString() @Column({ type: 'varchar' }) name!: string;
}

class UpdateItem {
  @IsString({ groups: ['never asked for'] }) currentPassword!: string;
  @IsOptional() @IsString() plain?: string;
  @IsOptional() @IsInt({ groups: [CREATE] }) demanded?: number;
}

const query = { join: { parts: {} } };
const RESOURCES = [
  resource(Item, 'items', { query }),
  resource(Item, 'merged', { query, routes: { replaceOneBase: { merge: true } } }),
  resource(Item, 'whole', { query, dto: { update: UpdateItem } }),
  resource(Keyed, 'keyed', { params: { id: { field: 'id', type: 'uuid', primary: true } } }),
];

const SHORT = 'plain must be longer than or equal to 2 characters';
const TEXT = 'plain must be a string';
const ADDRESS = ['address.city must be a string', 'address.zip must be shorter than or equal to 5 characters'];
const THEME = 'settings.theme must be one of the following values: dark, light';
const CONDITIONAL = 'conditional must be longer than or equal to 3 characters';
const DEMANDED = 'demanded must be an integer number';
const PART = { label: 'a', size: 1, kind: 'k' };
const incomplete = (at: number) => [`parts.${at}.size must be an integer number`, `parts.${at}.kind must be a string`];
const GOOD = { plain: 'ab', released: 'x', optional: 'x', address: { city: 'Ulm', zip: '89073' } };

describeDatabases(
  'rules',
  (db) => {
    const app = serving(db, [Item, Part, Keyed], RESOURCES);
    const send = async (method: 'post' | 'patch' | 'put', path: string, body: object): Promise<unknown> => {
      const { status, body: answer } = await app.send(method, path, body);
      return status < 300 ? status : answer.message;
    };
    let id: number;
    beforeEach(async () => {
      for (const table of ['grouped_parts', 'grouped_items']) await app.source.query(`DELETE FROM ${table}`);
      ({ id } = await app.source.getRepository(Item).save({ ...GOOD, parts: [] }));
      asked.length = 0;
    });

    describe.each([
      ['POST', (body: object) => send('post', '/items', body), ''],
      ['bulk POST', (body: object) => send('post', '/items/bulk', { bulk: [GOOD, body] }), 'bulk.1.'],
      ['PUT', (body: object) => send('put', `/items/${id}`, body), ''],
    ] as const)('on %s, those of the group and those without one', (_route, write, at) => {
      test.each<[title: string, body: object, refused: string[]]>([
        ['hold', {}, []],
        ['are asked of what is missing', { plain: undefined }, [SHORT, TEXT]],
        ['of a group are not released by @IsOptional() without one', { released: null }, ['released must be a string']],
        ['are not released by the condition of another group', { optional: null }, ['optional must be a string']],
        ['are asked where their condition holds', { plain: 'long', conditional: 'ab' }, [CONDITIONAL]],
        ['are not asked where it does not', { conditional: 'ab' }, []],
        ['are asked of embedded objects', { address: { zip: '890731' } }, ADDRESS],
        ['are asked of JSON', { settings: { size: 'x' } }, [THEME, 'settings.size must be an integer number']],
        [
          'are asked of new nested records',
          { parts: [PART, { label: 1 }] },
          ['parts.1.label must be a string', ...incomplete(1)],
        ],
        ['are not asked of dates, versions and keys that nobody can set', { createdAt: 'x', updatedAt: 5 }, []],
      ])('%s', async (_title, change, refused) => {
        const answer = await write({ ...GOOD, ...change });
        if (refused.length === 0) expect(answer).toEqual(expect.any(Number));
        else expect((answer as string[]).toSorted()).toEqual(refused.map((text) => at + text).toSorted());
      });
    });

    describe('on PATCH', () => {
      const change = (body: object) => send('patch', `/items/${id}`, { demanded: 1, ...body });

      test.each<[title: string, body: object, refused: string[] | 200]>([
        ['none without a group is asked of what is missing', {}, 200],
        ['they are asked of null', { plain: null }, [SHORT, TEXT]],
        ['those of another group are not', { released: null }, 200],
        ['a condition of the group releases those without one', { optional: null }, 200],
        ['those of the group are asked of what is missing, too', { demanded: undefined }, [DEMANDED]],
        ['a part of an embedded object may be missing', { address: { zip: '1' } }, 200],
        ['and what is there is judged', { address: { city: 1, zip: '890731' } }, ADDRESS],
        ['JSON is written as a whole', { settings: { size: 1 } }, [THEME]],
        ['a new nested record is validated whole, as a POST would', { parts: [{ label: 'a' }] }, incomplete(0)],
        ['dates are not judged', { createdAt: 'x', updatedAt: 5 }, 200],
        ['a version is', { version: 'x' }, ['version must be an integer number']],
      ])('%s', async (_title, body, refused) => {
        const sorted = (of: unknown) => (Array.isArray(of) ? of.toSorted() : of);
        expect(sorted(await change(body))).toEqual(sorted(refused));
      });

      test('of a nested record that is there, what it carries is judged', async () => {
        const part = await app.source.getRepository(Part).save({ label: 'a', item: { id } });
        expect(await change({ parts: [{ id: part.id, label: 'b' }] })).toBe(200);
        expect(await change({ parts: [{ id: part.id, label: 1 }] })).toEqual(['parts.0.label must be a string']);
      });

      test('a rule is not run where it is not asked', async () => {
        expect(await change({})).toBe(200);
        expect(asked).toEqual([]);
        expect(await change({ plain: 'abc' })).toBe(200);
        expect(new Set(asked)).toEqual(new Set(['Item.plain']));
      });

      test('PUT with merge is like it', async () => {
        expect(await send('put', `/merged/${id}`, { demanded: 2 })).toBe(200);
        expect(await send('put', `/merged/${id}`, { demanded: 2, plain: 1 })).toContain('plain must be a string');
      });

      test('dto.update runs whole, whatever the groups', async () => {
        expect(await send('patch', `/whole/${id}`, { plain: 'xy' })).toEqual(['currentPassword must be a string']);
        expect(await send('patch', `/whole/${id}`, { currentPassword: 'x', demanded: 'x' })).toEqual([DEMANDED]);
        expect(await send('patch', `/whole/${id}`, { currentPassword: 'x' })).toBe(200);
      });
    });

    test('a key that is generated may be missing, and is judged where it is sent', async () => {
      expect(await send('post', '/keyed', { name: 'a' })).toBe(201);
      expect(await send('post', '/keyed', { name: 'a', id: 'x' })).toEqual(['id must be a UUID']);
      const [{ id: key }] = (await app.source.getRepository(Keyed).find()) as [Keyed];
      expect(await send('put', `/keyed/${key}`, { id: key.toUpperCase(), name: 'b' })).toBe(200);
      expect(await send('patch', `/keyed/${key}`, { id: key, name: 'c' })).toBe(200);
      expect(await send('patch', `/keyed/${key}`, { name: 'c', fixed: 'y' })).toEqual(['fixed must be empty']);
    });
  },
  ['sqlite'],
);

@Entity('left_out_users')
class Account {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar' }) name!: string;
  @Column({ type: 'varchar', default: 'guest' }) role!: string;
  @Column({ type: 'varchar', default: 'a', update: false }) slug!: string;
  @Column({ type: 'int', nullable: true }) bossId!: number | null;
  @ManyToOne(() => Account) @JoinColumn({ name: 'bossId' }) boss!: Relation<Account> | null;
  @Column({ type: 'int', default: 1 }) companyId!: number;
  @Column(() => Address) address!: Address;
  @CreateDateColumn() createdAt!: Date;
  @VersionColumn() version!: number;
}

class CreateAccount {
  @IsString() name!: string;
  @IsOptional() boss?: object;
}

class UpdateAccount {
  @IsOptional() @IsString() name?: string;
  @IsOptional() @IsString() role?: string;
  @IsOptional() @IsInt() bossId?: number;
  @IsOptional() address?: object;
}

class WholeAccount extends Account {}

class Unruled {
  name?: string;
}

describeDatabases(
  'columns that a class in dto leaves out',
  (db) => {
    const create = CreateAccount;
    const dto = { create, update: UpdateAccount };
    const key = { id: { field: 'id', type: 'number', primary: true } } as const;
    const params = { companyId: { field: 'companyId', type: 'number' }, ...key } as const;
    const CREATES = 'CreateAccount does not declare role, slug, companyId, address';
    const UPDATES = 'UpdateAccount does not declare companyId';
    const HOW =
      'To let a column in, put a rule of class-validator on its property (@Allow() takes any value); to let in all of them, set validation: { whitelist: false }.';
    const told = (what: string) => [`log ResourceController: bodies cannot set some columns: ${what}. ${HOW}`];
    const MISTAKE = 'warn ResourceController: Unruled in dto has no rules, so that bodies may set every column';

    test.each<[title: string, options: Omit<CrudOptions, 'model'>, lines: unknown[]]>([
      ['named in one line for a resource', { dto }, told(`${CREATES}; ${UPDATES}`)],
      ['named without those of the path', { dto, params }, told('CreateAccount does not declare role, slug, address')],
      ['named for routes that are there', { dto, routes: { only: ['getManyBase', 'updateOneBase'] } }, told(UPDATES)],
      ['not told where the class is the model', { dto: { create: Account } }, []],
      ['not told where the class declares all', { dto: { create: WholeAccount } }, []],
      ['not told where whitelist: false', { dto: { create }, validation: { whitelist: false } }, []],
      ['not told where whitelist: true', { dto: { create }, validation: { whitelist: true } }, []],
      ['not told where validation: false', { dto: { create }, validation: false }, []],
      ['all, which is a mistake, without a rule', { dto: { create: Unruled } }, [expect.stringContaining(MISTAKE)]],
    ])('are %s', async (_title, options, lines) => {
      const logged: string[] = [];
      const note = (level: string) => (message: unknown, context?: string) =>
        void (context === 'Crud' && logged.push(`${level} ${String(message)}`));
      const logger = { log: note('log'), warn: note('warn'), error: () => undefined };
      const users = looseResource(Account, options.params ? 'companies/:companyId/users' : 'users', options);
      const { app } = await serve(db, [Account], [users], { nest: { logger } });
      await app.close();
      expect(logged).toEqual(lines);
    });
  },
  ['sqlite'],
);
