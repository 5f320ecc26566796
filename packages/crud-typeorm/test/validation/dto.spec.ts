/** What a class in `dto` lets through, over HTTP and down to the columns: what it declares, and nothing else. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { OmitType as OmitMapped } from '@nestjs/mapped-types';
import { ApiHideProperty, ApiProperty, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { type CrudOptions } from '@nestwright/crud';
import { Expose, Transform, Type as TypeOf } from 'class-transformer';
import { Allow, IsEmpty, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';
import { ManyToOne, OneToMany, type Relation } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

class Address {
  @Column({ type: 'varchar', nullable: true }) city!: string | null;
  @Column({ type: 'varchar', nullable: true }) zip!: string | null;
}

abstract class Base {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', nullable: true }) note!: string | null;
}

@Entity('dto_users')
class User extends Base {
  @Column({ type: 'varchar', default: 'nobody' }) name!: string;
  @Column({ type: 'varchar', default: 'guest' }) role!: string;
  @Column({ type: 'int', default: 0 }) credit!: number;
  @Column({ type: 'varchar', nullable: true }) hint!: string | null;
  @Column(() => Address) address!: Address;
  @Column({ type: 'simple-json', nullable: true }) settings!: unknown;
  @CreateDateColumn() createdAt!: Date;
  @VersionColumn() version!: number;
  @OneToMany(() => Pet, (pet) => pet.owner, { cascade: ['insert', 'update'] }) pets!: Relation<Pet>[];
}

@Entity('dto_pets')
class Pet {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', default: 'Rex' }) name!: string;
  @Column({ type: 'varchar', default: 'dog' }) kind!: string;
  @ManyToOne(() => User, (user) => user.pets) owner!: Relation<User>;
}

const COLUMNS = { name: 'Ada', role: 'admin', credit: 7, hint: 'cat', note: 'n' };

/** What POST sends to every class. */
const EVERYTHING = {
  ...COLUMNS,
  address: { city: 'Ulm', zip: '89073' },
  settings: { theme: 'dark', secret: 1 },
  pets: [{ name: 'Tom', kind: 'cat' }],
  unknown: 1,
};

const UNTOUCHED = { name: 'nobody', role: 'guest', credit: 0, hint: null, note: null };

class Ruled {
  @IsString() name!: string;
  role?: string;
}

class RuledInAGroup {
  @IsString({ groups: ['whatever'] }) name!: string;
  credit?: number;
}

class AllowedAlone {
  @Allow() credit?: number;
}

class Transformed {
  @Transform(({ value }: { value: unknown }) => value) name?: string;
  @Expose() hint?: string;
  @TypeOf(() => Number) credit?: number;
  role?: string;
}

class Renamed {
  @Expose({ name: 'hint' }) name?: string;
}

class Documented {
  @ApiProperty() name?: string;
  @ApiHideProperty() role?: string;
}

class Planned {
  name?: string;
  role?: string;
  static _OPENAPI_METADATA_FACTORY(): object {
    return { name: { required: false, type: () => String } };
  }
}

class InheritsPlanned extends Planned {
  @IsOptional() @IsInt() credit?: number;
}

class Initialised {
  name? = 'by default';
  role?: string;
}

class Inherits extends Ruled {
  @IsOptional() @IsString() hint?: string;
}

class Extends extends User {
  declare extra?: string;
}

class ExtendsBase extends Base {
  @IsString() name!: string;
}

class Nothing {
  name?: string;
}

class Part extends PartialType(Ruled) {}

class Both extends IntersectionType(PickType(Inherits, ['hint']), AllowedAlone) {}

class MappedWithout extends OmitMapped(Inherits, ['name']) {}

type Stored = Partial<Record<keyof typeof UNTOUCHED, unknown>>;

/** Class and what of {@link EVERYTHING} it stores. */
const DECLARATIONS: readonly (readonly [title: string, type: Type<unknown>, stored: Stored])[] = [
  ['a rule', Ruled, { name: 'Ada' }],
  ['a rule in a group that nobody asks', RuledInAGroup, { name: 'Ada' }],
  ['@Allow()', AllowedAlone, { credit: 7 }],
  ['decorators of class-transformer', Transformed, { name: 'Ada', hint: 'cat', credit: 7 }],
  ['@Expose({ name })', Renamed, { name: 'cat' }],
  ['@ApiProperty(), but not @ApiHideProperty()', Documented, { name: 'Ada' }],
  ['the CLI plugin of @nestjs/swagger', Planned, { name: 'Ada' }],
  ['the CLI plugin, inherited', InheritsPlanned, { name: 'Ada', credit: 7 }],
  ['an initialiser', Initialised, { name: 'Ada' }],
  ['inheritance', Inherits, { name: 'Ada', hint: 'cat' }],
  ['the entity that it extends', Extends, COLUMNS],
  ['the base class of the entity', ExtendsBase, { name: 'Ada', note: 'n' }],
  ['nothing', Nothing, COLUMNS],
  ['PartialType()', Part, { name: 'Ada' }],
  ['IntersectionType() of PickType()', Both, { hint: 'cat', credit: 7 }],
  ['OmitType() of @nestjs/mapped-types', MappedWithout, { hint: 'cat' }],
];

class CityOnly {
  @IsString() city!: string;
}

class Theme {
  @IsString() theme!: string;
}

class PetName {
  @IsString() name!: string;
}

class Nested {
  @IsString() name!: string;
  @ValidateNested() @TypeOf(() => CityOnly) address!: CityOnly;
  @ValidateNested() @TypeOf(() => Theme) settings!: Theme;
  @ValidateNested({ each: true }) @TypeOf(() => PetName) pets!: PetName[];
}

class Circle {
  @IsInt() radius!: number;
}

class Square {
  @IsInt() side!: number;
}

const FORMS = [
  { name: 'circle', value: Circle },
  { name: 'square', value: Square },
];

const shapes = { discriminator: { property: 'form', subTypes: FORMS }, keepDiscriminatorProperty: true };
const CIRCLE = { form: 'circle', radius: 1, side: 2 };

class Shaped {
  @TypeOf(() => Object, shapes) @ValidateNested() settings!: unknown;
}

class Money {
  readonly cents = 0;
  constructor(readonly text: string) {}
}

class Computed {
  @Transform(({ value }: { value: { theme: string } }) => new Money(value.theme)) settings!: Money;
}

class NoKey {
  @IsOptional() @IsString() name?: string;
  @IsEmpty() id?: number;
}

class RuledAndInitialised extends Initialised {
  @IsString() hint!: string;
}

class UpdateOfInitialised {
  @IsString() name = 'by default';
  @IsString() hint!: string;
}

class Grouped {
  @IsString({ groups: ['whatever'] }) name!: string;
}

const strict = { whitelist: true, forbidNonWhitelisted: true };
const resources: Record<string, Omit<CrudOptions, 'model'>> = {
  ...Object.fromEntries(DECLARATIONS.map(([, create], index) => [`declared${index}`, { dto: { create } }])),
  nested: { dto: { create: Nested } },
  nestedstrict: { dto: { create: Nested, update: Nested }, validation: strict },
  nestedsaid: { dto: { create: Nested, update: Nested }, validation: { whitelist: true } },
  shaped: { dto: { create: Shaped } },
  computed: { dto: { create: Computed } },
  model: {},
  modelstrict: { validation: strict },
  free: { dto: { create: Ruled }, validation: { whitelist: false } },
  said: { dto: { create: RuledAndInitialised, update: Grouped }, validation: { whitelist: true } },
  strict: { dto: { create: Ruled, update: PartialType(Ruled), replace: Ruled }, validation: strict },
  update: { dto: { update: Part, replace: Ruled } },
  initialised: { dto: { update: UpdateOfInitialised } },
  nokey: { dto: { create: NoKey, update: NoKey } },
};

describeDatabases(
  'a class in dto',
  (db) => {
    const made = Object.entries(resources).map(([path, options]) =>
      looseResource(User, path, { query: { join: { pets: {} } }, ...options }),
    );
    const app = serving(db, [User, Pet], made);
    const send = async (method: 'post' | 'patch' | 'put', path: string, body: object): Promise<[number, unknown]> => {
      const { status, body: answer } = await app.send(method, path, body);
      return [status, status < 300 ? undefined : answer.message];
    };
    const CREATED = [201, undefined];
    const CHANGED = [200, undefined];
    const stored = async () => {
      const [user] = await app.source.getRepository(User).find({ relations: { pets: true } });
      const { name, role, credit, hint, note } = user!;
      return { user: user!, columns: { name, role, credit, hint, note } };
    };
    /** A record that the model alone has let through. */
    const make = async (body: object = { name: 'Ada' }) => {
      await send('post', '/model', body);
      return (await stored()).user;
    };
    const clear = async () => {
      for (const table of ['dto_pets', 'dto_users']) await app.source.query(`DELETE FROM ${table}`);
    };

    beforeEach(clear);

    test.each(DECLARATIONS.map(([title, , expected], index) => [title, index, expected] as const))(
      'takes the properties that it declares by %s',
      async (_title, index, expected) => {
        for (const [path, body] of [
          ['', EVERYTHING],
          ['/bulk', { bulk: [EVERYTHING] }],
        ] as const) {
          await clear();
          expect(await send('post', `/declared${index}${path}`, body)).toEqual(CREATED);
          expect((await stored()).columns).toEqual({ ...UNTOUCHED, ...expected });
        }
      },
    );

    test('and so do the classes in it, in embedded objects, JSON and cascades', async () => {
      expect(await send('post', '/nested', EVERYTHING)).toEqual(CREATED);
      const { address, settings, pets } = (await stored()).user;
      expect({ address, settings }).toEqual({ address: { city: 'Ulm', zip: null }, settings: { theme: 'dark' } });
      expect(pets.map(({ name, kind }) => ({ name, kind }))).toEqual([{ name: 'Tom', kind: 'dog' }]);
    });

    test.each<[title: string, path: string, body: object, settings: object]>([
      ['a discriminator that is kept is declared', '/shaped', { settings: CIRCLE }, { form: 'circle', radius: 1 }],
      ['what a @Transform() makes stays whole', '/computed', EVERYTHING, { cents: 0, text: 'dark' }],
    ])('%s', async (_title, path, body, settings) => {
      expect(await send('post', path, body)).toEqual(CREATED);
      expect((await stored()).user.settings).toEqual(settings);
    });

    test.each([
      ['the model alone', '/model'],
      ['whitelist: false', '/free'],
    ])('%s takes every column', async (_title, path) => {
      expect(await send('post', path, EVERYTHING)).toEqual(CREATED);
      expect((await stored()).columns).toMatchObject({ role: 'admin', credit: 7 });
    });

    test("whitelist: true is class-validator's, over all groups", async () => {
      expect(await send('post', '/said', EVERYTHING)).toEqual(CREATED);
      // An initialiser is no rule.
      const { user, columns } = await stored();
      expect(columns).toEqual({ ...UNTOUCHED, hint: 'cat' });
      expect(await send('patch', `/said/${user.id}`, { name: 'Bea', role: 'admin' })).toEqual(CHANGED);
      expect((await stored()).columns).toEqual({ ...UNTOUCHED, hint: 'cat', name: 'Bea' });
      expect((await send('post', '/modelstrict', { name: 'x' }))[1]).toEqual(['property name should not exist']);
    });

    test('PATCH and PUT have whitelists of their own', async () => {
      const { id } = await make({ credit: 0 });
      expect(await send('patch', `/update/${id}`, EVERYTHING)).toEqual(CHANGED);
      expect((await stored()).columns).toEqual({ ...UNTOUCHED, name: 'Ada' });
      expect(await send('put', `/update/${id}`, { ...EVERYTHING, name: 'Bea' })).toEqual(CHANGED);
      expect((await stored()).columns).toEqual({ ...UNTOUCHED, name: 'Bea' });
    });

    test('a PATCH may omit what its class initialises, which keeps its value', async () => {
      const { id } = await make();
      expect(await send('patch', `/initialised/${id}`, { hint: 'cat' })).toEqual(CHANGED);
      expect((await stored()).columns).toMatchObject({ name: 'Ada', hint: 'cat' });
      const refused = [400, ['name must be a string', 'hint must be a string']];
      expect(await send('patch', `/initialised/${id}`, { name: 7 })).toEqual(refused);
    });

    test('what was read can be sent back, even where unknown properties are forbidden', async () => {
      const { id } = await make();
      for (const method of ['patch', 'put'] as const) {
        const read = (await app.read(`/strict/${id}?fields=name,createdAt,version`)) as object;
        expect(Object.keys(read).toSorted()).toEqual(['createdAt', 'id', 'name', 'version']);
        expect(await send(method, `/strict/${id}`, { ...read, name: method })).toEqual(CHANGED);
        expect((await stored()).columns).toEqual({ ...UNTOUCHED, name: method });
      }
      const [, message] = await send('patch', `/strict/${id}`, { name: 'x', role: 'admin' });
      expect(message).toEqual(['property role should not exist']);
    });

    test.each(['update', 'said', 'strict', 'modelstrict'])(
      'an expected version is compared even if no class declares it: %s',
      async (path) => {
        const { id } = await make();
        const body = path === 'modelstrict' ? {} : { name: 'Bea' };
        const stale = [409, ['version is not the stored one: the User was changed in the meantime']];
        expect(await send('patch', `/${path}/${id}`, { ...body, version: 2 })).toEqual(stale);
        expect((await stored()).columns.name).toBe('Ada');
        expect(await send('patch', `/${path}/${id}`, { ...body, version: 1 })).toEqual(CHANGED);
        if (path !== 'update' && path !== 'strict') return;
        expect(await send('put', `/${path}/${id}`, { name: 'Cid', version: 1 })).toEqual(stale);
        expect(await send('put', `/${path}/${id}`, { name: 'Cid', version: 2 })).toEqual(CHANGED);
      },
    );

    test('forbidNonWhitelisted rejects the key of a nested record if it has no rule', async () => {
      const { id, pets } = await make({ name: 'Ada', pets: [{ name: 'Tom' }] });
      const body = { name: 'Ada', pets: [{ id: pets[0]!.id, name: 'Kim' }] };
      expect(await send('patch', `/nestedstrict/${id}`, body)).toEqual([400, ['pets.0.id should not exist']]);
      expect((await stored()).user.pets.map((pet) => ({ ...pet }))).toMatchObject([{ id: pets[0]!.id, name: 'Tom' }]);
      expect((await send('patch', `/nestedsaid/${id}`, body))[0]).toBe(200);
    });

    test("a rule against the key does not refuse the record's own, and refuses another", async () => {
      const { id } = await make();
      for (const method of ['patch', 'put'] as const) {
        for (const own of [id, String(id)])
          expect(await send(method, `/nokey/${id}`, { id: own, name: 'Bea' })).toEqual(CHANGED);
        expect(await send(method, `/nokey/${id}`, { id: id + 1, name: 'Bea' })).toEqual([400, ['id must be empty']]);
      }
    });
  },
  ['sqlite'],
);
