/** What the start of an application says of the columns that classes in `dto` leave out. */
import { expect, test } from '@jest/globals';
import { type CrudOptions } from '@nestwright/crud';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';
import { JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource, serve } from '../support/resources.js';

class Address {
  @Column({ type: 'varchar', nullable: true }) city!: string | null;
}

@Entity('left_out_users')
class User {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar' }) name!: string;
  @Column({ type: 'varchar', default: 'guest' }) role!: string;
  @Column({ type: 'varchar', default: 'a', update: false }) slug!: string;
  @Column({ type: 'int', nullable: true }) bossId!: number | null;
  @ManyToOne(() => User) @JoinColumn({ name: 'bossId' }) boss!: Relation<User> | null;
  @Column({ type: 'int', default: 1 }) companyId!: number;
  @Column(() => Address) address!: Address;
  @CreateDateColumn() createdAt!: Date;
  @VersionColumn() version!: number;
}

class CreateUser {
  @IsString() name!: string;
  @IsOptional() boss?: object;
}
class UpdateUser {
  @IsOptional() @IsString() name?: string;
  @IsOptional() @IsString() role?: string;
  @IsOptional() @IsInt() bossId?: number;
  @IsOptional() address?: object;
}
class Everything extends User {}
class Nothing {
  name?: string;
}

describeDatabases(
  'columns that a class in dto leaves out',
  (db) => {
    async function startWith(options: Omit<CrudOptions, 'model'>, path = 'users'): Promise<string[]> {
      const lines: string[] = [];
      const note = (level: string) => (message: unknown, context?: string) =>
        void (context === 'Crud' && lines.push(`${level} ${String(message)}`));
      const logger = { log: note('log'), warn: note('warn'), error: () => undefined };
      const { app } = await serve(db, [User], [looseResource(User, path, options)], { nest: { logger } });
      await app.close();
      return lines;
    }
    const dto = { create: CreateUser, update: UpdateUser };
    const HOW =
      'To let a column in, put a rule of class-validator on its property (@Allow() takes any value); to let in all of them, set validation: { whitelist: false }.';

    test('are named in one line for a resource', async () => {
      expect(await startWith({ dto })).toEqual([
        `log ResourceController: bodies cannot set some columns: CreateUser does not declare role, slug, companyId, address; UpdateUser does not declare companyId. ${HOW}`,
      ]);
    });

    test('without those of the path, and of routes that are not there', async () => {
      const params = {
        companyId: { field: 'companyId', type: 'number' },
        id: { field: 'id', type: 'number', primary: true },
      } as const;
      expect(await startWith({ dto, params }, 'companies/:companyId/users')).toEqual([
        expect.stringContaining('CreateUser does not declare role, slug, address. '),
      ]);
      expect(await startWith({ dto, routes: { only: ['getManyBase', 'updateOneBase'] } })).toEqual([
        `log ResourceController: bodies cannot set some columns: UpdateUser does not declare companyId. ${HOW}`,
      ]);
    });

    test.each<[string, Omit<CrudOptions, 'model'>]>([
      ['the class is the model', { dto: { create: User } }],
      ['the class declares all', { dto: { create: Everything } }],
      ['whitelist: false', { dto: { create: CreateUser }, validation: { whitelist: false } }],
      ['whitelist: true', { dto: { create: CreateUser }, validation: { whitelist: true } }],
      ['validation: false', { dto: { create: CreateUser }, validation: false }],
    ])('are not told where %s', async (_title, options) => {
      expect(await startWith(options)).toEqual([]);
    });

    test('are all of them where the class declares nothing, which is another mistake', async () => {
      const told = 'warn ResourceController: Nothing in dto has no rules, so that bodies may set every column';
      expect(await startWith({ dto: { create: Nothing } })).toEqual([expect.stringContaining(told)]);
    });
  },
  ['sqlite'],
);
