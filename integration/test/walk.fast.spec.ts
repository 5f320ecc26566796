/** Prints the blocks of docs/walk.md from two requests under way, and fails if the page shows anything else; `WALK=record` writes them anew. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CanActivate, Controller, type INestApplication } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  Crud,
  CrudAuth,
  type CrudController,
  type CrudRequest,
  Override,
  ParsedBody,
  PARSED_CRUD_REQUEST_KEY,
  ParsedRequest,
} from '@nestwright/crud';
import { CATALOG, planRead, planWrite } from '@nestwright/crud/adapter';
import { decodeQuery, parseQuery } from '@nestwright/crud-request';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import request from 'supertest';
import { AbstractLogger, Column, DataSource, Entity, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { listen } from '../test-support/index.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/walk.md');

@Entity()
class Person {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar' }) name!: string;
}

@Entity()
class Task {
  @PrimaryGeneratedColumn() id!: number;
  @IsString() @Column({ type: 'varchar' }) title!: string;
  @IsBoolean() @Column({ type: 'boolean', default: false }) done!: boolean;
  @Column({ type: 'int' }) teamId!: number;
  @IsOptional() @ManyToOne(() => Person, { nullable: true }) owner?: Relation<Person> | null;
}

class TasksService extends TypeOrmCrudService<Task> {}

const SCOPE = { filter: () => ({ teamId: 7 }), persist: () => ({ teamId: 7 }) };
const OPTIONS = { model: { type: Task }, query: { join: { owner: {} }, maxLimit: 100 } } as const;

@CrudAuth(SCOPE)
@Crud(OPTIONS)
@Controller('tasks')
class TasksController implements CrudController<Task> {
  constructor(readonly service: TasksService) {}
}

/** Sees the body that the service of the other controller gets. */
@CrudAuth(SCOPE)
@Crud(OPTIONS)
@Controller('watched')
class WatchedController implements CrudController<Task> {
  static body: object;

  constructor(readonly service: TasksService) {}

  @Override()
  updateOne(@ParsedRequest() _: CrudRequest, @ParsedBody() body: Task): Task {
    WatchedController.body = body;

    return body;
  }
}

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Notes the statements that TypeORM sends. */
class Statements extends AbstractLogger {
  readonly sent: Statement[] = [];

  override logQuery(sql: string, values: unknown[] = []): void {
    this.sent.push({ sql, values });
  }

  protected override writeLog(): void {}
}

interface HttpRequest {
  readonly query: unknown;
  readonly [PARSED_CRUD_REQUEST_KEY]: CrudRequest;
}

interface Walked {
  readonly http: HttpRequest;
  readonly statements: readonly Statement[];
  readonly answer: { readonly status: number; readonly body: unknown };
}

const LIST = '/tasks?fields=title&filter=done||$eq||false&join=owner||name&sort=title,DESC&limit=2';
const BODY = { title: 'Draw the map', teamId: 8, unknown: 1, owner: { id: 2 } };

describe('docs/walk.md', () => {
  const logger = new Statements(true);
  let source: DataSource;
  let app: INestApplication;
  let url: string;
  let http: HttpRequest;
  let service: TasksService;

  const guard: CanActivate = {
    canActivate: (context) => {
      http = context.switchToHttp().getRequest<HttpRequest>();

      return true;
    },
  };

  beforeAll(async () => {
    const entities = [Person, Task];
    source = new DataSource({ type: 'sqljs', entities, synchronize: true, logger, logging: ['query'] });
    await source.initialize();
    await source.manager.insert(Person, [{ name: 'Ada' }, { name: 'Bob' }]);
    await source.manager.insert(
      Task,
      ['Walk', 'Draw', 'Read'].map((title, index) => ({ title, teamId: index < 2 ? 7 : 8, owner: { id: 1 } })),
    );
    service = new TasksService(source.getRepository(Task));
    const module = await Test.createTestingModule({
      controllers: [TasksController, WatchedController],
      providers: [
        { provide: TasksService, useValue: service },
        { provide: APP_GUARD, useValue: guard },
      ],
    }).compile();
    ({ app, url } = await listen(module, 'express'));
  });

  afterAll(async () => {
    await app.close();
    await source.destroy();
  });

  async function walk(send: () => request.Test): Promise<Walked> {
    logger.sent.length = 0;
    const answer = await send();

    return { http, statements: [...logger.sent], answer };
  }

  test('shows what happens to two requests; WALK=record writes it anew', async () => {
    const list = await walk(() => request(url).get(LIST));
    // Its rows are read once more, before they change.
    const ofList = await blocksOfList(list);
    await request(url).patch('/watched/1').send(BODY);
    const patch = await walk(() => request(url).patch('/tasks/1').send(BODY));
    const blocks = [[], ...ofList, ...blocksOfPatch(patch)];
    const [introduction = '', ...sections] = readFileSync(PAGE, 'utf8').split(/^(?=##)/m);
    const printed = sections.map((section, at) => [section.split('\n```')[0]!.trimEnd(), ...(blocks[at] ?? [])]);
    const page = `${introduction}${printed.map((parts) => parts.join('\n\n')).join('\n\n')}\n`;

    expect([list.answer.status, patch.answer.status, sections.length]).toEqual([200, 200, blocks.length]);
    expect(sections[0]).toContain(`\`GET ${LIST}\``);
    for (const [, name = '', path = ''] of page.matchAll(/^### .*`([\w-]+)\/(.+)`$/gm))
      expect([path, existsSync(join(ROOT, 'packages', name, 'src', path))]).toEqual([path, true]);
    if (process.env['WALK'] === 'record') writeFileSync(PAGE, page);
    expect(readFileSync(PAGE, 'utf8')).toBe(page);
  });

  /** The blocks of each section of the first chapter. */
  async function blocksOfList({ http: { query, ...kept }, statements, answer }: Walked): Promise<string[][]> {
    const crudRequest = kept[PARSED_CRUD_REQUEST_KEY];
    const [statement] = statements;

    return [
      [printBlock(Object.fromEntries(decodeQuery(query)))],
      [printBlock(parseQuery(query))],
      [printBlock(printRequest(crudRequest))],
      [printBlock(planRead(crudRequest, service[CATALOG], 'many'))],
      statements.map(printStatement),
      [printBlock(await source.query(statement!.sql, [...statement!.values]))],
      [printBlock(answer.body)],
    ];
  }

  const blocksOfPatch = ({ http, statements, answer }: Walked): string[][] => [
    [printBlock(BODY)],
    [printBlock(printRequest(http[PARSED_CRUD_REQUEST_KEY]))],
    [printBlock({ ...WatchedController.body })],
    [printBlock(planWrite(service[CATALOG], WatchedController.body, 'update'))],
    statements.map(printStatement),
    [printBlock(answer.body)],
  ];
});

const printBlock = (value: unknown): string => `\`\`\`text\n${printValue(value)}\n\`\`\``;

const printStatement = ({ sql, values }: Statement): string =>
  `\`\`\`sql\n${values.length > 0 ? `${sql}\n-- ${printValue(values)}` : sql}\n\`\`\``;

function printRequest({ parsed, scope }: CrudRequest): object {
  const { fields, join: joins, sort, limit, search, authPersist } = parsed;

  return { parsed: { fields, join: joins, sort, limit, search, authPersist }, scope };
}

function printValue(value: unknown): string {
  return inspect(shorten(value), { depth: null, breakLength: 110, compact: 4, sorted: false });
}

/** What a step makes, with columns, relations and catalogs by their names, and without what is empty. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorten);
  if (value instanceof Set) return shorten([...value]);
  if (typeof value !== 'object' || value === null) return value;

  const { source, column, columns, model, path, kind, name, arity } = value as Record<string, unknown>;
  if (source && column) return `${(source as { alias: string }).alias}.${(column as { path: string }).path}`;
  if (columns instanceof Map) return `catalog of ${String(model)}`;
  if (arity !== undefined) return name;
  if (path !== undefined && kind !== undefined) return path;

  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => key !== 'parent' && item !== undefined && !isEmpty(item))
      .map(([key, item]) => [key, shorten(item)]),
  );
}

function isEmpty(value: unknown): boolean {
  if (value instanceof Set) return value.size === 0;

  return typeof value === 'object' && value !== null && Object.values(value).length === 0 && !(value instanceof Map);
}
