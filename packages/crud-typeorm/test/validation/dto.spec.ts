/** What a class in `dto` lets through, over HTTP and down to the columns. */
import { beforeEach, expect, test } from '@jest/globals';
import { PartialType } from '@nestjs/swagger';
import { Type as TypeOf } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';
import { ManyToOne, OneToMany, type Relation } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

class Address {
  @Column({ type: 'varchar', nullable: true }) city!: string | null;
  @Column({ type: 'varchar', nullable: true }) zip!: string | null;
}

@Entity('dto_users')
class User {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', default: 'nobody' }) name!: string;
  @Column({ type: 'varchar', default: 'guest' }) role!: string;
  @Column(() => Address) address!: Address;
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

class City {
  @IsString() city!: string;
}

class PetName {
  @IsString() name!: string;
}

class Ruled {
  @IsString() name!: string;
  @IsOptional() @ValidateNested() @TypeOf(() => City) address?: City;
  @IsOptional() @ValidateNested({ each: true }) @TypeOf(() => PetName) pets?: PetName[];
}

class Extends extends User {
  declare extra?: string;
}

const dto = { create: Ruled, update: PartialType(Ruled) };
const ADDRESS = { city: 'Ulm', zip: '89073' };
const EVERYTHING = { name: 'Ada', role: 'admin', address: ADDRESS, pets: [{ name: 'Tom', kind: 'cat' }], unknown: 1 };

describeDatabases(
  'a class in dto',
  (db) => {
    const app = serving(
      db,
      [User, Pet],
      [
        looseResource(User, 'users', { dto, validation: { forbidNonWhitelisted: true, whitelist: true } }),
        looseResource(User, 'declared', { dto }),
        looseResource(User, 'model'),
        looseResource(User, 'extending', { dto: { create: Extends } }),
      ],
    );
    const stored = async () => (await app.source.getRepository(User).find({ relations: { pets: true } }))[0]!;
    beforeEach(async () => {
      for (const table of ['dto_pets', 'dto_users']) await app.source.query(`DELETE FROM ${table}`);
    });

    test.each([
      ['declared', 'guest', 'dog', null],
      ['model', 'admin', 'cat', '89073'],
      ['extending', 'admin', 'cat', '89073'],
    ])('of POST /%s stores the role %s, pets that are a %s, and the zip %s', async (path, role, kind, zip) => {
      expect(await app.statusOf('post', `/${path}`, EVERYTHING)).toBe(201);
      const address = { city: 'Ulm', zip };
      expect(await stored()).toMatchObject({ name: 'Ada', role, address, pets: [{ name: 'Tom', kind }] });
    });

    test('takes what was read back, and has its version compared, even where unknown properties are forbidden', async () => {
      await app.send('post', '/model', { name: 'Ada', address: ADDRESS });
      const { id } = await stored();
      const read = (await app.read(`/users/${id}?fields=name,createdAt,version`)) as object;
      for (const [name, method, status] of [
        ['Bea', 'patch', 200],
        ['Cid', 'put', 409],
        ['Cid', 'patch', 409],
      ] as const) {
        expect(await app.statusOf(method, `/users/${id}`, { ...read, name })).toBe(status);
        expect(await stored()).toMatchObject({ name: 'Bea', role: 'guest' });
      }
      expect(await app.statusOf('patch', `/users/${id}`, { role: 'x' })).toBe(400);
    });
  },
  ['sqlite'],
);
