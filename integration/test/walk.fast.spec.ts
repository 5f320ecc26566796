/** Prints docs/walk.md from two requests under way, and fails if the page says anything else; `WALK=record` writes it anew. */
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
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'varchar' })
  name!: string;
}

@Entity()
class Task {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsString()
  @Column({ type: 'varchar' })
  title!: string;

  @IsBoolean()
  @Column({ type: 'boolean', default: false })
  done!: boolean;

  @Column({ type: 'int' })
  teamId!: number;

  @IsOptional()
  @ManyToOne(() => Person, { nullable: true })
  owner?: Relation<Person> | null;
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
  readonly answer: request.Response;
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
    source = await new DataSource({
      type: 'sqljs',
      entities: [Person, Task],
      synchronize: true,
      logger,
      logging: ['query'],
    }).initialize();
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

  test('says what happens to two requests; WALK=record writes it anew', async () => {
    const list = await walk(() => request(url).get(LIST));
    const chapter = await describeList(list);
    await request(url).patch('/watched/1').send(BODY);
    const patch = await walk(() => request(url).patch('/tasks/1').send(BODY));
    const page = printPage([...chapter, ...describePatch(patch)]);

    expect([list.answer.status, patch.answer.status]).toEqual([200, 200]);
    if (process.env['WALK'] === 'record') writeFileSync(PAGE, page);
    expect(readFileSync(PAGE, 'utf8')).toBe(page);
  });

  async function describeList({ http: { query, ...kept }, statements, answer }: Walked): Promise<Part[]> {
    const crudRequest = kept[PARSED_CRUD_REQUEST_KEY];
    const [statement] = statements;

    return [
      {
        title: 'A list with a join',
        text: `\`GET ${LIST}\`: the open tasks of a team, with the names of their owners.`,
      },
      {
        title: 'Uniform keys',
        file: 'crud-request/syntax/decode-query.ts',
        text: 'The query as the HTTP framework hands it over becomes a map from each parameter to its values. From here on it does not matter how it was spelt.',
        shown: Object.fromEntries(decodeQuery(query)),
      },
      {
        title: 'Parse',
        file: 'crud-request/parse/parse-query.ts',
        text: 'Each parameter has its grammar. The result is a tree of texts: no name is known yet, nothing is permitted.',
        shown: parseQuery(query),
      },
      {
        title: 'Authorize, and merge the scope',
        file: 'crud/exchange/read-request.ts',
        text: 'Names that clients may not use are refused; the filter of `@CrudAuth()` is put around the rest. An override may change this object before the service gets it.',
        shown: printRequest(crudRequest),
      },
      {
        title: 'Plan',
        file: 'crud/plan/read.ts',
        text: 'The service plans: every name is a column of the catalog now, every value has its type and stands in a slot.',
        shown: planRead(crudRequest, service[CATALOG], 'many'),
      },
      {
        title: 'Compile',
        file: 'sql/select/compile.ts',
        text: 'The plan becomes SQL, which is kept for all plans of the same shape: only the values differ.',
        statements,
      },
      {
        title: 'Rows',
        file: 'sql/select/run-statements.ts',
        text: 'The database answers.',
        shown: await source.query(statement!.sql, [...statement!.values]),
      },
      {
        title: 'Answer',
        file: 'crud/exchange/make-answer.ts',
        text: 'No code of the application looks at the records, so that the text is written straight from the rows; otherwise they become entities, which are shaped by their class. `crud/exchange/send.ts` gives it to the platform.',
        shown: answer.body as unknown,
      },
    ];
  }

  function describePatch({ http: { [PARSED_CRUD_REQUEST_KEY]: crudRequest }, statements, answer }: Walked): Part[] {
    return [
      {
        title: 'A PATCH with a relation',
        text: '`PATCH /tasks/1`: another title and another owner. The client tries to move the task to team 8, too.',
        shown: BODY,
      },
      {
        title: 'Read the request',
        file: 'crud/exchange/read-request.ts',
        text: 'As for the list. The path is a part of the scope.',
        shown: printRequest(crudRequest),
      },
      {
        title: 'Read the body',
        file: 'crud/exchange/read-body.ts',
        text: 'Values of the path and of `persist` are written over those of the client, the pipes of the application run, then the rules of class-validator. A copy of this body is what the service gets.',
        shown: { ...WatchedController.body },
      },
      {
        title: 'Plan',
        file: 'crud/plan/write.ts',
        text: 'What the entity does not know is dropped; a link becomes a value of its foreign key.',
        shown: planWrite(service[CATALOG], WatchedController.body, 'update'),
      },
      {
        title: 'Write',
        file: 'crud-typeorm/typeorm-crud.service.ts',
        text: 'One transaction. The scope is a part of the condition, and what was stored must still satisfy it.',
        statements,
      },
      {
        title: 'Answer',
        file: 'crud/exchange/make-answer.ts',
        text: 'As for the list.',
        shown: answer.body as unknown,
      },
    ];
  }
});

/** A chapter, or a step with its file. */
interface Part {
  readonly title: string;
  readonly text: string;
  /** From `packages/`, with `src` left out. Default: it opens a chapter. */
  readonly file?: string;
  readonly shown?: unknown;
  readonly statements?: readonly Statement[];
}

function printPage(parts: readonly Part[]): string {
  return [INTRODUCTION, ...parts.map(printPart)].join('\n\n') + '\n';
}

function printPart({ title, text, file, shown, statements }: Part): string {
  const [name = '', ...path] = (file ?? '').split('/');
  if (file !== undefined)
    expect([file, existsSync(join(ROOT, 'packages', name, 'src', ...path))]).toEqual([file, true]);

  return [
    file === undefined ? `## ${title}` : `### ${title}: \`${file}\``,
    text,
    ...(shown === undefined ? [] : [printBlock('text', printValue(shown))]),
    ...(statements ?? []).map(({ sql, values }) =>
      printBlock('sql', values.length > 0 ? `${sql}\n-- ${printValue(values)}` : sql),
    ),
  ].join('\n\n');
}

function printBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

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

const INTRODUCTION = `# Two requests, step by step

What goes into each step of a request, and what comes out of it? This page shows the real values. A test prints it (\`integration/test/walk.fast.spec.ts\`) from an application of two entities.
File names start at \`packages/\`, with \`src\` left out. [Architecture](architecture.md) explains why the steps are these.

A \`Task\` has a title, \`done\`, a \`teamId\` and an \`owner\`, a \`Person\`. Its controller joins owners and is restricted to team 7:

\`\`\`text
@CrudAuth({ filter: () => ({ teamId: 7 }), persist: () => ({ teamId: 7 }) })
@Crud({ model: { type: Task }, query: { join: { owner: {} }, maxLimit: 100 } })
\`\`\``;
