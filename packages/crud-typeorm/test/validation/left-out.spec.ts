/** What the start of an application says of the columns that classes in `dto` leave out. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Controller, Inject, Injectable, type LoggerService } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  Column,
  CreateDateColumn,
  DataSource,
  type DataSourceOptions,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  VersionColumn,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';

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

class Recorder implements LoggerService {
  readonly lines: string[] = [];
  log(message: unknown, context?: string): void {
    if (context === 'Crud') this.lines.push(`log ${String(message)}`);
  }
  warn(message: unknown, context?: string): void {
    if (context === 'Crud') this.lines.push(`warn ${String(message)}`);
  }
  error(): void {}
}

describeDatabases(
  'columns that a class in dto leaves out',
  (db) => {
    let source: DataSource;
    beforeAll(async () => {
      const options = { ...db.connection, entities: [User], synchronize: true } as DataSourceOptions;
      source = await new DataSource(options).initialize();
    });
    afterAll(() => source?.destroy());

    let told: string[];
    beforeEach(() => {
      told = [];
    });

    async function startWith(options: Omit<CrudOptions, 'model'>, path = 'users'): Promise<void> {
      @Injectable()
      class Service extends TypeOrmCrudService<User> {
        constructor() {
          super(source.getRepository(User));
        }
      }

      @Crud({ model: { type: User }, ...options })
      @Controller(path)
      class UsersController {
        constructor(@Inject(Service) readonly service: Service) {}
      }

      const module = await Test.createTestingModule({ controllers: [UsersController], providers: [Service] }).compile();
      const logger = new Recorder();
      const app = module.createNestApplication({ logger });
      await app.init();
      await app.close();
      told = logger.lines;
    }

    const HOW =
      'To let a column in, put a rule of class-validator on its property (@Allow() takes any value); to let in all of them, set validation: { whitelist: false }.';

    test('are named in one line for a resource', async () => {
      await startWith({ dto: { create: CreateUser, update: UpdateUser } });

      expect(told).toEqual([
        `log UsersController: bodies cannot set some columns: CreateUser does not declare role, slug, companyId, address; UpdateUser does not declare companyId. ${HOW}`,
      ]);
    });

    test('without those of the path, and of routes that are not there', async () => {
      const params = {
        companyId: { field: 'companyId', type: 'number' },
        id: { field: 'id', type: 'number', primary: true },
      } as const;
      await startWith({ dto: { create: CreateUser, update: UpdateUser }, params }, 'companies/:companyId/users');
      expect(told).toEqual([expect.stringContaining('CreateUser does not declare role, slug, address. ')]);

      await startWith({
        dto: { create: CreateUser, update: UpdateUser },
        routes: { only: ['getManyBase', 'updateOneBase'] },
      });
      expect(told).toEqual([
        `log UsersController: bodies cannot set some columns: UpdateUser does not declare companyId. ${HOW}`,
      ]);
    });

    test.each<[string, Omit<CrudOptions, 'model'>]>([
      ['there is no class', {}],
      ['the class is the model', { dto: { create: User } }],
      ['the class declares all', { dto: { create: Everything } }],
      ['whitelist: false', { dto: { create: CreateUser }, validation: { whitelist: false } }],
      ['whitelist: true', { dto: { create: CreateUser }, validation: { whitelist: true } }],
      ['validation: false', { dto: { create: CreateUser }, validation: false }],
    ])('are not told where %s', async (_title, options) => {
      await startWith(options);
      expect(told).toEqual([]);
    });

    test('are all of them where the class declares nothing, which is another mistake', async () => {
      await startWith({ dto: { create: Nothing } });

      expect(told).toEqual([
        expect.stringMatching(
          /^warn UsersController: Nothing in dto has no rules, so that bodies may set every column/,
        ),
      ]);
    });
  },
  ['sqlite'],
);
