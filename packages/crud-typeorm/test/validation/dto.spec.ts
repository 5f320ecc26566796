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
  @IsString() @Column({ type: 'varchar', nullable: true }) zip!: string | null;
}

@Entity('dto_users')
class User {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', default: 'nobody' }) name!: string;
  @Column({ type: 'varchar', default: 'guest' }) role!: string;
  @ValidateNested() @TypeOf(() => Address) @Column(() => Address) address!: Address;
  @CreateDateColumn() createdAt!: Date;
  @VersionColumn() version!: number;
  @OneToMany(() => Pet, (pet) => pet.owner, { cascade: ['insert', 'update'] }) pets!: Relation<Pet>[];
}

@Entity('dto_pets')
class Pet {
  @PrimaryGeneratedColumn() id!: number;
  @IsString() @Column({ type: 'varchar', default: 'Rex' }) name!: string;
  @Column({ type: 'varchar', default: 'dog' }) kind!: string;
  @ManyToOne(() => User, (user) => user.pets) owner!: Relation<User>;
}

class PetName {
  @IsString() name!: string;
}

class Ruled {
  @IsString() name!: string;
  @IsOptional() @ValidateNested() @TypeOf(() => Address) address?: Address;
  @IsOptional() @ValidateNested({ each: true }) @TypeOf(() => PetName) pets?: PetName[];
}

class Extends extends User {
  declare extra?: string;
}

const strict = { whitelist: true, forbidNonWhitelisted: true };
const dto = { create: Ruled, update: PartialType(Ruled), replace: Ruled };
const ADDRESS = { city: 'Ulm', zip: '89073' };
const EVERYTHING = { name: 'Ada', role: 'admin', address: ADDRESS, pets: [{ name: 'Tom', kind: 'cat' }], unknown: 1 };

describeDatabases(
  'a class in dto',
  (db) => {
    const app = serving(
      db,
      [User, Pet],
      [
        looseResource(User, 'users', { dto }),
        looseResource(User, 'strict', { dto, validation: strict }),
        looseResource(User, 'model'),
        looseResource(User, 'extending', { dto: { create: Extends } }),
      ],
    );
    beforeEach(async () => {
      for (const table of ['dto_pets', 'dto_users']) await app.source.query(`DELETE FROM ${table}`);
    });
    const send = async (method: 'post' | 'patch' | 'put', path: string, body: object): Promise<unknown> => {
      const { status, body: answer } = await app.send(method, path, body);
      return status < 300 ? status : [status, answer.message];
    };
    const stored = async () => (await app.source.getRepository(User).find({ relations: { pets: true } }))[0]!;

    test.each([
      ['users', 'guest', 'dog'],
      ['model', 'admin', 'cat'],
      ['extending', 'admin', 'cat'],
    ])('of POST /%s stores the role %s and pets that are a %s', async (path, role, kind) => {
      expect(await send('post', `/${path}`, EVERYTHING)).toBe(201);
      expect(await stored()).toMatchObject({ name: 'Ada', role, address: ADDRESS, pets: [{ name: 'Tom', kind }] });
    });

    test('takes what was read back, and compares the version, even where unknown properties are forbidden', async () => {
      await send('post', '/model', { name: 'Ada', address: ADDRESS });
      const { id } = await stored();
      for (const method of ['patch', 'put'] as const) {
        const read = (await app.read(`/strict/${id}?fields=name,createdAt,version`)) as object;
        expect(await send(method, `/strict/${id}`, { ...read, name: method })).toBe(200);
        expect(await stored()).toMatchObject({ name: method, role: 'guest' });
      }
      const stale = [409, ['version is not the stored one: the User was changed in the meantime']];
      for (const method of ['patch', 'put'] as const)
        expect(await send(method, `/users/${id}`, { name: 'Bea', version: 1 })).toEqual(stale);
      expect(await send('patch', `/strict/${id}`, { role: 'x' })).toEqual([400, ['property role should not exist']]);
    });

    test('and a model are asked about new nested records and parts of embedded objects', async () => {
      await send('post', '/users', EVERYTHING);
      const { id, pets } = await stored();
      const [name, zip] = ['pets.0.name must be a string', 'address.zip must be a string'];
      expect(await send('patch', `/model/${id}`, { pets: [{ kind: 'cat' }] })).toEqual([400, [name]]);
      expect(await send('patch', `/model/${id}`, { pets: [{ id: pets[0]!.id, kind: 'cat' }] })).toBe(200);
      expect(await send('patch', `/model/${id}`, { address: { city: 'Ulm' } })).toBe(200);
      expect(await send('post', '/model', { address: { city: 'Ulm' } })).toEqual([400, [zip]]);
      expect(await send('post', '/users', { name: 'Bea', address: {} })).toEqual([400, [zip]]);
    });
  },
  ['sqlite'],
);
