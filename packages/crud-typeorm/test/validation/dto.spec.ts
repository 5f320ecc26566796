/** What a class in `dto` lets through, over HTTP and down to the columns. */
import { beforeEach, expect, test } from '@jest/globals';
import { PartialType } from '@nestjs/swagger';
import { Type as TypeOf } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';
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
}

class City {
  @IsString() city!: string;
}

class Ruled {
  @IsString() name!: string;
  @IsOptional() @ValidateNested() @TypeOf(() => City) address?: City;
}

class Extends extends User {
  declare extra?: string;
}

const dto = { create: Ruled, update: PartialType(Ruled) };
const EVERYTHING = { name: 'Ada', role: 'admin', address: { city: 'Ulm', zip: '89073' }, unknown: 1 };

describeDatabases(
  'a class in dto',
  (db) => {
    const app = serving(
      db,
      [User],
      [
        looseResource(User, 'strict', { dto, validation: { forbidNonWhitelisted: true, whitelist: true } }),
        looseResource(User, 'declared', { dto }),
        looseResource(User, 'extending', { dto: { create: Extends } }),
      ],
    );
    const stored = async () => (await app.source.getRepository(User).find())[0]!;
    beforeEach(() => app.source.query('DELETE FROM dto_users'));

    test.each([
      ['declared', { role: 'guest', address: { city: 'Ulm', zip: null } }],
      ['extending', { role: 'admin', address: { city: 'Ulm', zip: '89073' } }],
    ])('of POST /%s stores %j', async (path, columns) => {
      expect(await app.statusOf('post', `/${path}`, EVERYTHING)).toBe(201);
      expect(await stored()).toMatchObject({ name: 'Ada', ...columns });
    });

    test('takes what was read back, and has its version compared, even where unknown properties are forbidden', async () => {
      await app.send('post', '/declared', EVERYTHING);
      const path = `/strict/${(await stored()).id}`;
      const read = (await app.read(`${path}?fields=name,createdAt,version`)) as object;
      expect(await app.statusOf('patch', path, { ...read, name: 'Bea' })).toBe(200);
      const stale = ['version is not the stored one: the User was changed in the meantime'];
      for (const method of ['patch', 'put'] as const) {
        const { status, body } = await app.send(method, path, { ...read, name: 'Cid' });
        expect([status, body.message]).toEqual([409, stale]);
      }
      expect(await app.statusOf('patch', path, { role: 'x' })).toBe(400);
      expect(await stored()).toMatchObject({ name: 'Bea', role: 'guest' });
    });
  },
  ['sqlite'],
);
