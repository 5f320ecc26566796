/** Services with members of their own under every name that the library might have used: routes answer as if they had none; and every member of nestjsx/crud's services that a subclass can override is called by a route, or stops the start. */
import { beforeEach, expect, test } from '@jest/globals';
import { Controller, Inject } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
import { CHECK_START, type ResourceDefinition } from '@nestwright/crud/adapter';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { Column, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { ROUTES, routeNames } from '../../crud/src/routes/route-table.js';
import { TypeOrmCrudService } from '../src/index.js';
import { READ_ONLY, REPLACEMENTS } from '../src/legacy-overrides.js';
import { resource } from './support/resources.js';
import { serving } from './support/serving.js';

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

test('every member but `within`, `transaction`, the hooks around changes and the verbs of optional routes has a name that nestjsx/crud or @dataui/crud gave it', () => {
  const optional: string[] = routeNames()
    .map((name) => ROUTES[name])
    .flatMap(({ optional: isOptional, verb, verbByCondition = verb }) => (isOptional ? [verb, verbByCondition] : []));
  const theirs = new Set(UPSTREAM.map(([member]) => member));
  expect(inheritedNames(TypeOrmCrudService).filter((name) => !theirs.has(name) && !optional.includes(name))).toEqual([
    ...['within', 'transaction', 'beforeChange', 'afterChange', 'afterCommit'],
  ]);
  expect(Object.keys(new TypeOrmCrudService({} as never))).toEqual(['repo']);
});

/** Names of the library's past, of `nest generate resource` and of what services usually have. */
const NAMES = [
  ...['create', 'findAll', 'findOne', 'update', 'remove', 'find', 'findOneBy', 'count', 'findById', 'save', 'delete'],
  'findOneOrFail',
  ...['get', 'list', 'search', 'insert', 'upsert', 'destroy', 'patch', 'replace', 'restore', 'exists', 'read', 'write'],
  ...['catalog', 'checkStart', 'soleRecord', 'planMany', 'planFor', 'readTarget', 'overrides', 'runRead', 'readOne'],
  ...['refuseUnknown', 'readMany', 'readOne', 'requireSole', 'writtenOne', 'writtenMany', 'scopeBody', 'planBody'],
  ...['scopeOfBodies', 'bodyToInsert', 'store', 'storeAll', 'change', 'answer', 'readsByHook', 'isShown', 'writing'],
  ...['requireShown', 'refuseEmpty', 'manager', 'repository', 'dataSource', 'connection', 'request', 'config'],
  ...['cache', 'events', 'mailer', 'queue', 'user', 'metadata', 'entity', 'model', 'options', 'definition', 'plan'],
  ...['service', 'validate', 'transform', 'hash', 'notify', 'init', 'name', 'entities', 'clone', 'scope', 'json'],
  ...['target', 'logger'],
];

const own = (): never => {
  throw new Error('The library calls a member of the application’s own');
};

class MethodsService extends TypeOrmCrudService<Sheet> {}
NAMES.forEach((name) => Object.defineProperty(MethodsService.prototype, name, { value: own, writable: true }));

class GettersService extends TypeOrmCrudService<Sheet> {}
NAMES.forEach((name) => Object.defineProperty(GettersService.prototype, name, { get: own }));

class FieldsService extends TypeOrmCrudService<Sheet> {
  constructor(...parameters: ConstructorParameters<typeof TypeOrmCrudService<Sheet>>) {
    super(...parameters);
    NAMES.forEach((name) => Object.defineProperty(this, name, { value: own, enumerable: true }));
  }
}

/** Hooks of the application's own make the library take its other ways. */
class HooksService extends MethodsService {
  override async createBuilder(...parameters: Parameters<TypeOrmCrudService<Sheet>['createBuilder']>) {
    return super.createBuilder(...parameters);
  }
}

/** Members that nestjsx/crud's services let their subclasses read. */
class ReadingService extends TypeOrmCrudService<Sheet> {
  read() {
    const { alias, entityType, dbName, entityColumns, entityPrimaryColumns, entityColumnsHash } = this;
    return {
      ...{ alias, entityType, dbName, entityColumns, entityPrimaryColumns, entityColumnsHash },
      entityHasDeleteColumn: this.entityHasDeleteColumn,
    };
  }
}

const softly = { query: { softDelete: true } };
const served = { methods: MethodsService, getters: GettersService, fields: FieldsService, hooks: HooksService };
const resources = Object.entries(served).map(([path, service]) => resource(Sheet, path, { ...softly, service }));

const VERBS = [
  ...['getMany', 'getOne', 'createOne', 'createMany', 'updateOne', 'replaceOne', 'deleteOne', 'recoverOne'],
];
const calls = new Set<string>();

/** As libraries for tracing, caching and mocking do it: methods are bound to the service itself, so that it never sees the Proxy. */
const noting = (service: MethodsService) =>
  new Proxy(service, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...parameters: unknown[]) => unknown;
      return (...parameters: unknown[]) => {
        if (VERBS.includes(String(name))) calls.add(String(name));
        return method(...parameters);
      };
    },
  });

const PROXIES: Record<string, (service: MethodsService) => MethodsService> = {
  // Methods run with the Proxy as `this`.
  proxied: (service) => new Proxy(service, {}),
  noted: noting,
  inherited: (service) => Object.create(noting(service)) as MethodsService,
};

const proxies = Object.entries(PROXIES).map(([path, made]) => {
  @Crud({ model: { type: Sheet }, ...softly })
  @Controller(path)
  class ProxiedSheets {
    readonly service: MethodsService;
    constructor(@Inject(resources[0]!.provider) service: MethodsService) {
      this.service = made(service);
    }
  }
  return { controller: ProxiedSheets };
});

describeDatabases(
  'services with members of their own',
  (db) => {
    const app = serving(db, [Sheet], [...resources, ...proxies]);

    beforeEach(async () => {
      calls.clear();
      await app.source.manager.clear(Sheet);
      await app.source.manager.insert(Sheet, [{ id: 1, label: 'a', print: { size: 'A4' } }]);
    });

    test.each([...Object.keys(served), ...Object.keys(PROXIES)])('every route of /%s', async (path) => {
      const http = request(app.url);
      const sheet = (id: number, label: string) => ({ id, label, print: { size: 'A4' } });
      await http.get(`/${path}`).expect(200, [sheet(1, 'a')]);
      await http
        .get(`/${path}?limit=1&page=1`)
        .expect(200, { data: [sheet(1, 'a')], count: 1, total: 1, page: 1, pageCount: 1 });
      await http.get(`/${path}/1`).expect(200, sheet(1, 'a'));
      await http.get(`/${path}/9`).expect(404);
      await http.post(`/${path}`).send(sheet(2, 'b')).expect(201, sheet(2, 'b'));
      await http.post(`/${path}`).send({}).expect(400);
      await http
        .post(`/${path}/bulk`)
        .send({ bulk: [sheet(3, 'c')] })
        .expect(201, [sheet(3, 'c')]);
      await http.patch(`/${path}/2`).send({ label: 'B' }).expect(200, sheet(2, 'B'));
      await http.put(`/${path}/3`).send(sheet(3, 'C')).expect(200, sheet(3, 'C'));
      await http.delete(`/${path}/3`).expect(200);
      await http.get(`/${path}/3`).expect(404);
      await http.patch(`/${path}/3/recover`).expect(200, sheet(3, 'C'));
      // What a Proxy puts before a verb takes effect on every route.
      expect([...calls]).toEqual(['noted', 'inherited'].includes(path) ? VERBS : []);
    });

    test('what nestjsx/crud’s services let their subclasses read', () => {
      expect(new ReadingService(app.source.getRepository(Sheet)).read()).toEqual({
        alias: 'Sheet',
        entityType: Sheet,
        dbName: db.connection.type,
        entityColumns: ['id', 'label', 'deletedAt', 'print.size'],
        entityPrimaryColumns: ['id'],
        entityColumnsHash: { id: 'id', label: 'sheet_label', deletedAt: 'deletedAt', 'print.size': 'print.printSize' },
        entityHasDeleteColumn: true,
      });
    });
  },
  ['sqlite', 'postgres'],
);

/** Those that subclasses see. */
const MEMBERS = [...new Set(UPSTREAM.flatMap(([member, what]) => (what.startsWith('private') ? [] : [member])))].sort();

/** What nothing of nestjsx/crud's calls either: services call them. */
const FOR_CALLERS = ['count', 'find', 'findOne', 'findOneBy', 'repo'];

const CALLED = MEMBERS.filter(
  (member) => !REPLACEMENTS.has(member) && !READ_ONLY.has(member) && !FOR_CALLERS.includes(member),
);

describeDatabases('services that override members of nestjsx/crud', (db) => {
  const called = new Set<string>();
  class Noting extends TypeOrmCrudService<Sheet> {}
  for (const member of CALLED) {
    const inherited = (TypeOrmCrudService.prototype as unknown as Record<string, (...args: unknown[]) => unknown>)[
      member
    ];
    Object.defineProperty(Noting.prototype, member, {
      value(this: unknown, ...args: unknown[]) {
        called.add(member);
        return inherited?.apply(this, args);
      },
    });
  }
  const sheets = resource(Sheet, 'sheets', { query: { softDelete: true, limit: 2 }, service: Noting });
  const app = serving(db, [Sheet], [sheets]);

  test('routes call each that does not stop the start', async () => {
    await request(app.url)
      .post('/sheets')
      .send({ id: 1, label: 'a', print: { size: 'A4' } })
      .expect(201);
    await request(app.url).post('/sheets').send({}).expect(400);
    await request(app.url)
      .post('/sheets/bulk')
      .send({ bulk: [{ id: 2, label: 'b', print: { size: 'A4' } }] })
      .expect(201);
    await request(app.url).get('/sheets?page=1').expect(200);
    await request(app.url).get('/sheets/1').expect(200);
    await request(app.url).get('/sheets/9').expect(404);
    await request(app.url).patch('/sheets/1').send({ label: 'b' }).expect(200);
    await request(app.url)
      .put('/sheets/1')
      .send({ label: 'c', print: { size: 'A4' } })
      .expect(200);
    await request(app.url).delete('/sheets/1').expect(200);
    await request(app.url).patch('/sheets/1/recover').expect(200);
    expect([...called].sort()).toEqual(CALLED);
  });

  test.each([...REPLACEMENTS.keys(), ...READ_ONLY.keys()])('the start stops at %s', (member) => {
    class Overriding extends TypeOrmCrudService<Sheet> {}
    Object.defineProperty(Overriding.prototype, member, { get: () => () => undefined, configurable: true });
    const definition = { model: Sheet, options: { query: {}, routes: {}, params: {}, operators: {} } };
    expect(
      new Overriding(app.source.getRepository(Sheet))[CHECK_START](definition as unknown as ResourceDefinition),
    ).toEqual([expect.stringMatching(new RegExp(`^Overriding.${member} is not called any more; use `))]);
  });
});

test('every name that stops the start is one of theirs', () => {
  const before46 = ['onInitMapRelations', 'validateHasColumn', 'hasColumn', 'hasRelation'];
  expect([...REPLACEMENTS.keys(), ...READ_ONLY.keys()].filter((name) => !MEMBERS.includes(name))).toEqual(before46);
  expect(CALLED).not.toContain('setJoin');
});
