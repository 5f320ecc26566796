/** Nest's router before hand-written SQL on pg: what little such an answer can cost, at the price of writing it all by hand. */
import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { poolOptions } from '../domain/connection.js';
import { CreateUserDto, CreateUsersDto, UpdateUserDto } from '../domain/user.dto.js';
import { serve } from './serve.js';

type Row = Record<string, unknown>;

const pool = new pg.Pool(poolOptions());
const body = new ValidationPipe({ transform: true, whitelist: true });

/** Columns of a user; pg makes a Date of a date, which is no day in every time zone, so the text is asked for. */
const USER = `u."id", u."email", u."firstName", u."lastName", u."age", u."balance", u."score", u."isActive", u."role"::text AS "role", u."tags",
  u."settings", u."birthDate"::text AS "birthDate", u."createdAt", u."updatedAt", u."companyId", u."mainProjectId"`;
const PROJECT = `p."id", p."name", p."description", p."isActive", p."budget", p."companyId", p."createdAt"`;
const COMPANY = `c."id", c."name", c."domain", c."description", c."createdAt", c."updatedAt"`;

const ONE = `SELECT ${USER} FROM "users" u WHERE u."id" = $1`;
const MANY = `SELECT ${USER} FROM "users" u WHERE u."id" > $1 ORDER BY u."id" LIMIT $2`;
const OWNERS = `SELECT ${USER}, ${COMPANY}, ${PROJECT} FROM "users" u LEFT JOIN "companies" c ON c."id" = u."companyId"
  LEFT JOIN "projects" p ON p."id" = u."mainProjectId" WHERE u."id" > $1 ORDER BY u."id" LIMIT $2`;
const PROJECTS_OF = `SELECT l."userId", ${PROJECT} FROM "user_projects" l JOIN "projects" p ON p."id" = l."projectId" WHERE l."userId" = ANY($1)`;
const PAGE = `SELECT ${USER} FROM "users" u WHERE u."companyId" = $1 AND u."isActive" = $2 ORDER BY u."lastName", u."id" LIMIT $3 OFFSET $4`;
const TOTAL = `SELECT COUNT(*)::int AS "total" FROM "users" u WHERE u."companyId" = $1 AND u."isActive" = $2`;
const COMPANIES = `SELECT ${COMPANY} FROM "companies" c WHERE c."id" > $1 ORDER BY c."id" LIMIT $2`;
const PROJECTS_OF_COMPANIES = `SELECT ${PROJECT} FROM "projects" p WHERE p."companyId" = ANY($1)`;
const USERS_OF_PROJECTS = `SELECT l."projectId", u."id", u."email", u."firstName", u."lastName", u."role"::text AS "role"
  FROM "user_projects" l JOIN "users" u ON u."id" = l."userId" WHERE l."projectId" = ANY($1)`;

/** Columns that a body may set. */
const WRITABLE = [
  'email',
  'firstName',
  'lastName',
  'age',
  'balance',
  'score',
  'isActive',
  'role',
  'tags',
  'settings',
  'birthDate',
  'companyId',
  'mainProjectId',
] as const;

/** An INSERT of so many users; what a body omits becomes the column's default. */
function insertOf(users: CreateUserDto[]): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const rows = users.map((user) => {
    const cells = WRITABLE.map((name) => (user[name] === undefined ? 'DEFAULT' : `$${values.push(user[name])}`));

    return `(${cells.join(', ')})`;
  });
  const columns = WRITABLE.map((name) => `"${name}"`).join(', ');

  return { text: `INSERT INTO "users" AS u (${columns}) VALUES ${rows.join(', ')} RETURNING ${USER}`, values };
}

/** Groups the rows of a link by their owner, whose key leaves the row. */
function byOwner(rows: Row[], owner: string): Map<unknown, Row[]> {
  const groups = new Map<unknown, Row[]>();

  for (const { [owner]: key, ...row } of rows) {
    const group = groups.get(key);

    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** A row of {@link OWNERS}; it comes as an array, since the three tables share names. */
const userWithOwners = (row: unknown[]): Row => ({
  id: row[0],
  email: row[1],
  firstName: row[2],
  lastName: row[3],
  age: row[4],
  balance: row[5],
  score: row[6],
  isActive: row[7],
  role: row[8],
  tags: row[9],
  settings: row[10],
  birthDate: row[11],
  createdAt: row[12],
  updatedAt: row[13],
  companyId: row[14],
  mainProjectId: row[15],
  company: row[16] === null ? null : companyOf(row),
  mainProject: row[22] === null ? null : projectOf(row),
});
const companyOf = (row: unknown[]): Row => ({
  id: row[16],
  name: row[17],
  domain: row[18],
  description: row[19],
  createdAt: row[20],
  updatedAt: row[21],
});
const projectOf = (row: unknown[]): Row => ({
  id: row[22],
  name: row[23],
  description: row[24],
  isActive: row[25],
  budget: row[26],
  companyId: row[27],
  createdAt: row[28],
});

@Controller('users')
class UsersController {
  @Get()
  async findMany(
    @Query('limit') limit: string,
    @Query('after') after: string,
    @Query('with') related?: 'owners' | 'projects',
  ): Promise<unknown[]> {
    if (related === 'owners') return this.withOwners(after, limit);

    const { rows } = await pool.query<Row>(MANY, [Number(after), Number(limit)]);

    if (related === 'projects') {
      const links = await pool.query<Row>(PROJECTS_OF, [rows.map(({ id }) => id)]);
      const projects = byOwner(links.rows, 'userId');

      for (const row of rows) row['projects'] = projects.get(row['id']) ?? [];
    }
    return rows;
  }

  private async withOwners(after: string, limit: string): Promise<Row[]> {
    const { rows } = await pool.query<unknown[]>({
      text: OWNERS,
      values: [Number(after), Number(limit)],
      rowMode: 'array',
    });

    return rows.map(userWithOwners);
  }

  @Get('page')
  async findPage(
    @Query('limit') limit: string,
    @Query('page') page: string,
    @Query('companyId') companyId: string,
    @Query('isActive') isActive: string,
  ): Promise<object> {
    const size = Number(limit);
    const where = [Number(companyId), isActive === 'true'];
    const [list, count] = await Promise.all([
      pool.query<Row>(PAGE, [...where, size, (Number(page) - 1) * size]),
      pool.query<{ total: number }>(TOTAL, where),
    ]);
    const { total } = count.rows[0]!;

    return { data: list.rows, count: list.rows.length, total, page: Number(page), pageCount: Math.ceil(total / size) };
  }

  @Get(':id')
  async findOne(@Param('id', ParseIntPipe) id: number): Promise<Row> {
    const { rows } = await pool.query<Row>(ONE, [id]);

    if (!rows[0]) throw new NotFoundException('User not found');
    return rows[0];
  }

  @Post()
  async create(@Body(body) dto: CreateUserDto): Promise<Row> {
    const { rows } = await pool.query<Row>(insertOf([dto]));

    return rows[0]!;
  }

  @Post('bulk')
  async createMany(@Body(body) { bulk }: CreateUsersDto): Promise<Row[]> {
    const { rows } = await pool.query<Row>(insertOf(bulk));

    return rows;
  }

  @Patch(':id')
  async update(@Param('id', ParseIntPipe) id: number, @Body(body) dto: UpdateUserDto): Promise<Row> {
    const values: unknown[] = [id];
    const set = WRITABLE.filter((name) => dto[name] !== undefined).map(
      (name) => `"${name}" = $${values.push(dto[name])}`,
    );
    const { rows } = await pool.query<Row>(
      `UPDATE "users" AS u SET ${[...set, '"updatedAt" = now()'].join(', ')} WHERE u."id" = $1 RETURNING ${USER}`,
      values,
    );

    if (!rows[0]) throw new NotFoundException('User not found');
    return rows[0];
  }
}

@Controller('companies')
class CompaniesController {
  @Get()
  async findMany(@Query('limit') limit: string, @Query('after') after: string): Promise<Row[]> {
    const companies = await pool.query<Row>(COMPANIES, [Number(after), Number(limit)]);
    const projects = await pool.query<Row>(PROJECTS_OF_COMPANIES, [companies.rows.map(({ id }) => id)]);
    const users = await pool.query<Row>(USERS_OF_PROJECTS, [projects.rows.map(({ id }) => id)]);
    const usersOf = byOwner(users.rows, 'projectId');
    const projectsOf = new Map(companies.rows.map(({ id }) => [id, [] as Row[]]));

    for (const project of projects.rows)
      projectsOf.get(project['companyId'])?.push({ ...project, users: usersOf.get(project['id']) ?? [] });

    return companies.rows.map((company) => ({ ...company, projects: projectsOf.get(company['id']) }));
  }
}

@Module({ controllers: [UsersController, CompaniesController] })
class AppModule {}

await serve(await NestFactory.create(AppModule, { logger: ['error', 'fatal'] }));
