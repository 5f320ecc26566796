/** The controller that one writes by hand from the documentation of NestJS and Drizzle: ValidationPipe, DTOs, relational queries. */
import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  Inject,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Type } from 'class-transformer';
import { IsBooleanString, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { and, eq, gt } from 'drizzle-orm';
import { connect, type Database, users } from '../domain/tables.js';
import { CreateUserDto, CreateUsersDto, UpdateUserDto } from '../domain/user.dto.js';
import { serve } from './serve.js';

class ListQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit = 10;

  /** Records after this id. */
  @Type(() => Number)
  @IsInt()
  after = 0;

  @IsOptional()
  @IsIn(['owners', 'projects'])
  with?: 'owners' | 'projects';
}

class PageQuery extends ListQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page = 1;

  @Type(() => Number)
  @IsInt()
  companyId!: number;

  @IsBooleanString()
  isActive!: string;
}

@Controller('users')
class UsersController {
  constructor(@Inject('DB') private readonly db: Database) {}

  @Get()
  async findMany(@Query() { limit, after, with: related }: ListQuery): Promise<object[]> {
    const page = { where: gt(users.id, after), orderBy: users.id, limit };

    if (related === 'owners')
      return this.db.query.users.findMany({ ...page, with: { company: true, mainProject: true } });
    if (related === undefined) return this.db.select().from(users).where(page.where).orderBy(users.id).limit(limit);

    const found = await this.db.query.users.findMany({ ...page, with: { links: { with: { project: true } } } });

    return found.map(({ links, ...user }) => ({ ...user, projects: links.map(({ project }) => project) }));
  }

  @Get('page')
  async findPage(@Query() { limit, page, companyId, isActive }: PageQuery): Promise<object> {
    const where = and(eq(users.companyId, companyId), eq(users.isActive, isActive === 'true'));
    const [data, total] = await Promise.all([
      this.db
        .select()
        .from(users)
        .where(where)
        .orderBy(users.lastName, users.id)
        .limit(limit)
        .offset((page - 1) * limit),
      this.db.$count(users, where),
    ]);

    return { data, count: data.length, total, page, pageCount: Math.ceil(total / limit) };
  }

  @Get(':id')
  async findOne(@Param('id', ParseIntPipe) id: number): Promise<object> {
    const [user] = await this.db.select().from(users).where(eq(users.id, id));

    if (!user) throw new NotFoundException('User not found');
    return user;
  }

  @Post()
  async create(@Body() dto: CreateUserDto): Promise<object> {
    const [user] = await this.db.insert(users).values(dto).returning();

    return user!;
  }

  @Post('bulk')
  createMany(@Body() { bulk }: CreateUsersDto): Promise<object[]> {
    return this.db.insert(users).values(bulk).returning();
  }

  @Patch(':id')
  async update(@Param('id', ParseIntPipe) id: number, @Body() dto: UpdateUserDto): Promise<object> {
    const [user] = await this.db.update(users).set(dto).where(eq(users.id, id)).returning();

    if (!user) throw new NotFoundException('User not found');
    return user;
  }
}

@Module({ controllers: [UsersController], providers: [{ provide: 'DB', useFactory: connect }] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'fatal'] });

app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await serve(app);
