/** Services with members of their own under every name that the library might have used go in; routes answer as if they had none. */
import { beforeEach, expect, test } from '@jest/globals';
import { Controller, Inject } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { Column, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { ROUTES, routeNames } from '../../crud/src/routes/route-table.js';
import { TypeOrmCrudService } from '../src/index.js';
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

interface Declared {
  public: Record<string, { members?: Record<string, string> }>;
}

const declarations = JSON.parse(
  readFileSync(new URL('../../../integration/upstream/declarations.json', import.meta.url), 'utf8'),
) as Record<string, Declared>;

/** Members of a class of nestjsx/crud or @dataui/crud, in all versions. */
const upstreamMembers = (name: string): string[] =>
  Object.values(declarations).flatMap((declared) => Object.keys(declared.public[name]?.members ?? {}));

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
  const theirs = new Set([...upstreamMembers('TypeOrmCrudService'), ...upstreamMembers('CrudService')]);

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
  ...[
    'requireShown',
    'refuseEmpty',
    'manager',
    'repository',
    'dataSource',
    'connection',
    'request',
    'config',
    'logger',
  ],
  ...['cache', 'events', 'mailer', 'queue', 'user', 'metadata', 'entity', 'model', 'options', 'definition', 'plan'],
  ...['service', 'validate', 'transform', 'hash', 'notify', 'init', 'name', 'entities', 'clone', 'scope', 'json'],
  'target',
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

/** Methods run with the Proxy as `this`. */
const proxied = (service: MethodsService) => new Proxy(service, {});

const softly = { query: { softDelete: true } };
const served = { methods: MethodsService, getters: GettersService, fields: FieldsService, hooks: HooksService };
const resources = Object.entries(served).map(([path, service]) => resource(Sheet, path, { ...softly, service }));

@Crud({ model: { type: Sheet }, ...softly })
@Controller('proxied')
class ProxiedSheets {
  readonly service: MethodsService;

  constructor(@Inject(resources[0]!.provider) service: MethodsService) {
    this.service = proxied(service);
  }
}

describeDatabases(
  'services with members of their own',
  (db) => {
    const app = serving(db, [Sheet], [...resources, { controller: ProxiedSheets }]);

    beforeEach(async () => {
      await app.source.manager.clear(Sheet);
      await app.source.manager.insert(Sheet, [{ id: 1, label: 'a', print: { size: 'A4' } }]);
    });

    test.each([...Object.keys(served), 'proxied'])('every route of /%s', async (path) => {
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
    });

    test('what nestjsx/crud’s services let their subclasses read', () => {
      expect(new ReadingService(app.source.getRepository(Sheet)).read()).toEqual({
        alias: 'Sheet',
        entityType: Sheet,
        dbName: db.connection.type,
        entityColumns: ['id', 'label', 'deletedAt', 'print.size'],
        entityPrimaryColumns: ['id'],
        entityColumnsHash: {
          id: 'id',
          label: 'sheet_label',
          deletedAt: 'deletedAt',
          'print.size': 'print.printSize',
        },
        entityHasDeleteColumn: true,
      });
    });
  },
  ['sqlite', 'postgres'],
);
