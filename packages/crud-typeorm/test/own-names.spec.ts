/** Every member of the services has a name of nestjsx/crud's, so that applications may use any other; every member that a subclass of those can override is called by a route, or stops the start; and services may stand behind Proxies. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Inject } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
import { CHECK_START, type ResourceDefinition } from '@nestwright/crud/adapter';
import { readFileSync } from 'node:fs';
import { Column, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { ROUTES, routeNames } from '../../crud/src/routes/route-table.js';
import { TypeOrmCrudService } from '../src/index.js';
import { READ_ONLY, REPLACEMENTS } from '../src/legacy-overrides.js';
import { resource } from './support/resources.js';
import { type Exchange, expectAnswers, serving } from './support/serving.js';

class Print {
  @Column() size!: string;
}

@Entity()
class Sheet {
  @PrimaryColumn() id!: number;
  @Column({ name: 'sheet_label' }) label!: string;
  @Column(() => Print) print!: Print;
  @DeleteDateColumn({ select: false }) deletedAt?: Date;
}

const declarations = JSON.parse(
  readFileSync(new URL('../../../integration/upstream/declarations.json', import.meta.url), 'utf8'),
) as Record<string, { readonly public: Record<string, { readonly members?: Record<string, string> }> }>;

/** Members of the services of nestjsx/crud and @dataui/crud, in all versions, and how each is declared. */
const UPSTREAM = Object.values(declarations).flatMap((declared) =>
  ['CrudService', 'TypeOrmCrudService'].flatMap((name) => Object.entries(declared.public[name]?.members ?? {})),
);

/** Names that instances of a class inherit, symbols aside. */
function inheritedNames(type: { readonly prototype: object }): string[] {
  const names = new Set<string>();
  for (let one = type.prototype; one !== Object.prototype; one = Object.getPrototypeOf(one) as object)
    Object.getOwnPropertyNames(one).forEach((name) => names.add(name));
  names.delete('constructor');
  return [...names];
}

test('members have the names of nestjsx/crud or @dataui/crud, apart from those listed here', () => {
  const optional: string[] = routeNames()
    .map((name) => ROUTES[name])
    .flatMap(({ optional: isOptional, verb, verbByCondition = verb }) => (isOptional ? [verb, verbByCondition] : []));
  const theirs = new Set(UPSTREAM.map(([member]) => member));
  const ours = inheritedNames(TypeOrmCrudService).filter((name) => !theirs.has(name) && !optional.includes(name));
  expect(ours).toEqual(['within', 'transaction', 'beforeChange', 'afterChange', 'afterCommit']);
  expect(Object.keys(new TypeOrmCrudService({} as never))).toEqual(['repo']);
});

/** Those that subclasses see. */
const MEMBERS = [...new Set(UPSTREAM.flatMap(([member, what]) => (what.startsWith('private') ? [] : [member])))].sort();
const STOPPING = [...REPLACEMENTS.keys(), ...READ_ONLY.keys()];

/** What nothing of nestjsx/crud's calls either: services call them. */
const FOR_CALLERS = ['count', 'find', 'findOne', 'findOneBy', 'repo'];
const CALLED = MEMBERS.filter((member) => ![...STOPPING, ...FOR_CALLERS].includes(member));
const VERBS = 'getMany getOne createOne createMany updateOne replaceOne deleteOne recoverOne'.split(' ');
const called = new Set<string>();

class Noting extends TypeOrmCrudService<Sheet> {}

for (const member of CALLED) {
  const inherited = Reflect.get(TypeOrmCrudService.prototype, member) as ((...given: unknown[]) => unknown) | undefined;
  function value(this: unknown, ...args: unknown[]) {
    called.add(member);
    return inherited?.apply(this, args);
  }
  Object.defineProperty(Noting.prototype, member, { value });
}

const query = { softDelete: true, limit: 2 };
const sheets = resource(Sheet, 'sheets', { query, service: Noting });
const plain = resource(Sheet, 'plain', { query });
type Service = TypeOrmCrudService<Sheet>;

/** As libraries for tracing, caching and mocking do it: methods are bound to the service itself, so that it never sees the Proxy. */
const noting = (service: Service) =>
  new Proxy(service, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (!VERBS.includes(String(name))) return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return (...parameters: unknown[]) => {
        called.add(String(name));
        return (value as (...given: unknown[]) => unknown).apply(target, parameters);
      };
    },
  });

@Crud({ model: { type: Sheet }, query })
@Controller('proxied')
class ProxiedSheets {
  readonly service: Service;
  constructor(@Inject(plain.provider) service: Service) {
    this.service = Object.create(noting(service)) as Service;
  }
}

const options = { query: {}, routes: {}, params: {}, operators: {} };
const definition = { model: Sheet, options } as unknown as ResourceDefinition;
const sheet = (id: number, label: string) => ({ id, label, print: { size: 'A4' } });
const PAGE = { count: 1, total: 1, page: 1, pageCount: 1 };

/** Requests to every route, and their answers. */
const exchangesOf = (path: string): Exchange[] => [
  ['get', path, undefined, 200, [sheet(1, 'a')]],
  ['get', `${path}?limit=1&page=1`, undefined, 200, { ...PAGE, data: [sheet(1, 'a')] }],
  ['get', `${path}/1`, undefined, 200, sheet(1, 'a')],
  ['get', `${path}/9`, undefined, 404, expect.anything()],
  ['post', path, sheet(2, 'b'), 201, sheet(2, 'b')],
  ['post', path, {}, 400, expect.anything()],
  ['post', `${path}/bulk`, { bulk: [sheet(3, 'c')] }, 201, [sheet(3, 'c')]],
  ['patch', `${path}/2`, { label: 'B' }, 200, sheet(2, 'B')],
  ['put', `${path}/3`, sheet(3, 'C'), 200, sheet(3, 'C')],
  ['delete', `${path}/3`, undefined, 200, expect.anything()],
  ['patch', `${path}/3/recover`, undefined, 200, sheet(3, 'C')],
];

describe('services', () => {
  const app = serving({ connection: { type: 'sqljs' } }, [Sheet], [sheets, plain, { controller: ProxiedSheets }]);

  beforeEach(async () => {
    called.clear();
    await app.source.manager.clear(Sheet);
    await app.source.manager.insert(Sheet, sheet(1, 'a'));
  });

  test('what a Proxy puts before a verb takes effect on every route', async () => {
    await expectAnswers(app, exchangesOf('/proxied'));
    expect([...called]).toEqual(VERBS);
  });

  test('routes call each member of nestjsx/crud’s that does not stop the start', async () => {
    await expectAnswers(app, exchangesOf('/sheets'));
    expect([...called].sort()).toEqual(CALLED);
  });

  test('what nestjsx/crud’s services let their subclasses read', () => {
    const columns = { id: 'id', label: 'sheet_label', deletedAt: 'deletedAt', 'print.size': 'print.printSize' };
    const service = new Noting(app.source.getRepository(Sheet));
    expect(Object.fromEntries([...READ_ONLY.keys()].map((name) => [name, Reflect.get(service, name)]))).toEqual({
      ...{ alias: 'Sheet', dbName: 'sqljs', entityType: Sheet, entityPrimaryColumns: ['id'] },
      ...{ entityColumns: Object.keys(columns), entityColumnsHash: columns, entityHasDeleteColumn: true },
    });
  });

  test('the start stops at others, of which all are theirs', () => {
    for (const member of STOPPING) {
      class Overriding extends TypeOrmCrudService<Sheet> {}

      Object.defineProperty(Overriding.prototype, member, { get: () => () => undefined, configurable: true });
      const refused = expect.stringMatching(new RegExp(`^Overriding.${member} is not called any more; use `));
      expect(new Overriding(app.source.getRepository(Sheet))[CHECK_START](definition)).toEqual([refused]);
    }
    const before46 = ['onInitMapRelations', 'validateHasColumn', 'hasColumn', 'hasRelation'];
    expect(STOPPING.filter((name) => !MEMBERS.includes(name))).toEqual(before46);
    expect(CALLED).not.toContain('setJoin');
  });
});
