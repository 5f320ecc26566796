/** Prints the blocks of docs/walk.md from two requests under way, and fails if the page shows anything else; `WALK=record` writes them anew. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { type CrudRequest, PARSED_CRUD_REQUEST_KEY } from '@nestwright/crud';
import { CATALOG, planRead, planWrite } from '@nestwright/crud/adapter';
import { decodeQuery, parseQuery } from '@nestwright/crud-request';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { Column, Entity, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { type Application, resource } from '../../packages/crud-typeorm/test/support/resources.js';
import { serving } from '../../packages/crud-typeorm/test/support/serving.js';
import { Statements } from '../../packages/crud-typeorm/test/support/statements.js';

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

const SCOPE = { filter: () => ({ teamId: 7 }), persist: () => ({ teamId: 7 }) };
let body: object;

/** Tells the body that it gets. */
class TasksService extends TypeOrmCrudService<Task> {
  override updateOne(...given: Parameters<TypeOrmCrudService<Task>['updateOne']>) {
    body = { ...given[1] };
    return super.updateOne(...given);
  }
}

const OPTIONS = { query: { join: { owner: {} }, maxLimit: 100 } } as const;
const tasks = resource(Task, 'tasks', { ...OPTIONS, auth: SCOPE, service: TasksService });

type HttpRequest = { readonly query: unknown; readonly [PARSED_CRUD_REQUEST_KEY]: CrudRequest };
const LIST = '/tasks?fields=title&filter=done||$eq||false&join=owner||name&sort=title,DESC&limit=2';
const BODY = { title: 'Draw the map', teamId: 8, unknown: 1, owner: { id: 2 } };

describe('docs/walk.md', () => {
  const logger = new Statements();
  let http: HttpRequest;
  const canActivate = (context: ExecutionContext) => !!(http = context.switchToHttp().getRequest<HttpRequest>());
  const app = serving({ connection: { type: 'sqljs' } }, [Person, Task], [tasks], {
    source: { logger, logging: ['query'] },
    prepare: (nest) => nest.useGlobalGuards({ canActivate }),
    fill: async ({ manager }) => {
      await manager.insert(Person, [{ name: 'Ada' }, { name: 'Bob' }]);
      const titles = ['Walk', 'Draw', 'Read'].entries();
      const rows = Array.from(titles, ([at, title]) => ({ title, teamId: at < 2 ? 7 : 8, owner: { id: 1 } }));
      await manager.insert(Task, rows);
    },
  });

  const catalog = () => app.app.get<TypeOrmCrudService<Task>>(tasks.provider)[CATALOG];

  /** What a request is on its way, the statements that it takes, and its answer. */
  async function walk(...asked: Parameters<Application['send']>) {
    logger.all.length = 0;
    const answer = await app.send(...asked);
    return { http, statements: [...logger.all], answer };
  }

  type Walked = Awaited<ReturnType<typeof walk>>;

  test('shows what happens to two requests; WALK=record writes it anew', async () => {
    const list = await walk('get', LIST);
    // Its rows are read once more, before they change.
    const ofList = await blocksOfList(list);
    const patch = await walk('patch', '/tasks/1', BODY);
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
    const { sql, parameters } = statements[0]!;
    return [
      [printBlock(Object.fromEntries(decodeQuery(query)))],
      [printBlock(parseQuery(query))],
      [printBlock(printRequest(crudRequest))],
      [printBlock(planRead(crudRequest, catalog(), 'many'))],
      statements.map(printStatement),
      [printBlock(await app.source.query(sql, [...parameters]))],
      [printBlock(answer.body)],
    ];
  }

  const blocksOfPatch = ({ http, statements, answer }: Walked): string[][] => [
    [printBlock(BODY)],
    [printBlock(printRequest(http[PARSED_CRUD_REQUEST_KEY]))],
    [printBlock(body)],
    [printBlock(planWrite(catalog(), body, 'update'))],
    statements.map(printStatement),
    [printBlock(answer.body)],
  ];
});

const printBlock = (value: unknown): string => `\`\`\`text\n${printValue(value)}\n\`\`\``;

const printStatement = ({ sql, parameters }: Statements['all'][number]): string =>
  `\`\`\`sql\n${parameters.length > 0 ? `${sql}\n-- ${printValue(parameters)}` : sql}\n\`\`\``;

function printRequest({ parsed, scope }: CrudRequest): object {
  const { fields, join: joins, sort, limit, search, authPersist } = parsed;
  return { parsed: { fields, join: joins, sort, limit, search, authPersist }, scope };
}

const printValue = (value: unknown): string =>
  inspect(shorten(value), { depth: null, breakLength: 110, compact: 4, sorted: false });

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
