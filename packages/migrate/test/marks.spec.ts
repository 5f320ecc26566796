/** Where a comment tells a person to look. */
import { expect, test } from '@jest/globals';
import { CondOperator } from '@nestwright/crud-request';
import { marksOf, move, SERVER } from './moved.js';

const SERVICE =
  "import { TypeOrmCrudService } from '@nestjsx/crud-typeorm';\nclass A extends TypeOrmCrudService<User> {\n";
const service = (...members: string[]) => `${SERVICE}${members.map((member) => `  ${member}\n`).join('')}}`;
const UNCALLED = 'is not called any more: use';
const BUILDER = 'an override of createBuilder';
const QUERY = `query.filter, @CrudAuth or ${BUILDER}`;
const UNSET = 'can be read, not set: use';
const COLUMNS = 'query.allow and query.exclude';
const COMMITS = 'a verb commits by itself: call it on this.within(manager) to join';

test.each([
  ['setSearchCondition(builder) {}', `setSearchCondition ${UNCALLED} ${QUERY}`],
  ["alias = 'u';", `alias ${UNSET} ${BUILDER}; builders name the root after its entity`],
  ['async deleteMany(ids: number[]) {}', 'deleteMany is a verb of the library: give this method another name'],
  ['all() { return this.getAllowedColumns([], {}); }', `getAllowedColumns is not there any more: use ${COLUMNS}`],
  ['init() { this.entityColumns ??= []; }', `entityColumns ${UNSET} ${COLUMNS}`],
  ['getSort() {} own() { return this.getSort(); }', `getSort ${UNCALLED} query.sort or ${BUILDER}`],
  ['move() { return this.repo.manager.transaction(async () => this.createOne  (req, dto)); }', COMMITS],
])('services: %s', (member, comment) => expect(marksOf(service(member))).toEqual([`${comment} | ${member}`]));

test.each([
  'setAction() { return super.getAuth({}); }',
  "is() { own = this.alias; return this.alias === 'u' || this.dbName !== '' || this.alias <= 'a'; }",
])('services: %s stays', (member) => expect(marksOf(service(member))).toEqual([]));

test('services that extend a service or a mixin of another file', () => {
  const other = 'export class C extends Other {\n  getSort() {}\n}\n';
  const returned = 'class Own extends TypeOrmCrudService<X> {}\n  return Own;\n}';
  const { texts } = move({
    'package.json': SERVER,
    'base.ts': `${SERVICE.replace(/class A (.*)<User>/, 'export abstract class Base<T> $1<T>')}}\n`,
    'mixin.ts':
      'export const Tagged = <B extends Ctor<Base<any>>>(Parent: B) => {\n  class Mixed extends Parent {\n    setJoin() {}\n  }\n  return Mixed;\n};\n',
    'a.ts': 'export class A extends Base<X> {\n  getSelect() {}\n}\n',
    'b.ts': 'export class B extends Tagged(Base) {\n  getSort() {}\n}\n',
    'c.ts': other,
    'functions.ts': `export function named() {\n  ${returned}\nexport const held = () => {\n  ${returned};\n`,
    'd.ts': 'export class D extends named() {\n  getSort() {}\n}\nexport class E extends held() {\n  setJoin() {}\n}\n',
  });
  const members = { 'mixin.ts': 'setJoin', 'a.ts': 'getSelect', 'b.ts': 'getSort', 'd.ts': '(getSort|setJoin)' };
  for (const [file, member] of Object.entries(members))
    expect(texts[file]).toMatch(new RegExp(`\n +// nestwright: ${member} is .*\n +${member}`));
  expect(texts['d.ts']!.match(/nestwright: /g)).toHaveLength(2);
  expect(texts['c.ts']).toBe(other);
});

test('services: findOne(1) where TypeORM is 0.2', () => {
  const text = service(
    'one() { return this.findOne(1); }',
    'many() { return this.find(1) ?? this.count(1); }',
    'other() { return this.findOne({ where: { id: 1 } }) ?? this.refind(1) ?? this.findAll(1) ?? this.find(); }',
  );
  const manifest = (typeorm: string) =>
    JSON.stringify({ dependencies: { '@nestjsx/crud': '4.6.2', '@nestjsx/crud-typeorm': '4.6.2', typeorm } });
  const marked = (typeorm: string) => move({ 'package.json': manifest(typeorm), 'a.ts': text }).texts['a.ts']!;
  for (const old of ['^0.2.45', '0.2.45']) expect(marked(old).match(/\/\/ nestwright: /g)).toHaveLength(3);
  expect(marked('^0.2.45')).toMatch(/findOne takes what .*\n {2}one\(\)/);
  for (const newer of ['^0.3.20', '^10.2.0']) expect(marked(newer)).not.toContain('// nestwright: ');
});

test('steps of a routes factory, and interceptors', () => {
  const text = [
    "import { CrudRequestInterceptor, CrudResponseInterceptor, CrudRoutesFactory } from '@nestjsx/crud';",
    'export class A extends CrudRequestInterceptor {',
    '  getAuth(parser, options, req) {',
    '    const auth = super.getAuth(parser, options, req);',
    '    return super.getAuth(parser, {}, req) ?? super.getOther({}) ?? super.getAuth.name;',
    '  }',
    '  own = () => super.getAuth();',
    '  deleteMany() { return this.getSort(); }',
    '}',
    'class B extends CrudResponseInterceptor {',
    '  transform(dto, data) {}',
    '}',
    'class F extends CrudRoutesFactory {',
    '  protected setSwaggerOperation(name) {}',
    '  protected getRoutesSchema() { return super.getRoutesSchema(); }',
    '}',
  ];
  expect(marksOf(text.join('\n'))).toEqual([
    'super.getAuth() takes no other options or request than its own | return super.getAuth(parser, {}, req) ?? super.getOther({}) ?? super.getAuth.name;',
    'transform is given each record of a page, not the page | transform(dto, data) {}',
    'setSwaggerOperation is not called any more: use setDecorators | protected setSwaggerOperation(name) {}',
  ]);
});

const IMPORT = "import { CrudConfigService, CrudRequest, ParsedRequest, RequestQueryBuilder } from '@nestjsx/crud';";
const THROWN = 'verbs of services throw an HttpException now, whose cause is the QueryFailedError';
const NAMES = 'each parameter has a list of names here';
const OPTIONS = 'this changes the options of one request, no longer those of the resource';

test.each([
  ['if (error instanceof QueryFailedError) retry();', THROWN],
  ...[
    ...['23502', '23503', '23505', '23506', 'ER_DUP_ENTRY', 'ER_NO_REFERENCED_ROW_2', 'ER_ROW_IS_REFERENCED_2'],
    ...['SQLITE_CONSTRAINT', 'SQLITE_CONSTRAINT_UNIQUE'],
  ].map((code): [string, string, undefined?] => [`if (error.code === '${code}') retry();`, THROWN]),
  ['@Catch(QueryFailedError)', THROWN],
  ['CrudConfigService.config = {};', 'the configuration is frozen: change it by CrudConfigService.load()'],
  ['req.options.query.limit = 5;', OPTIONS, "import { Crud, CrudRequest } from 'a';"],
  ['req.options.params.id.field = name;', OPTIONS, "import { CrudRequest } from 'a';"],
  ['class G { all(req) { req.options.routes.only = []; } }', OPTIONS, "import { ParsedRequest } from 'a';"],
  ['const map = options.paramNamesMap;', NAMES, "import { RequestQueryBuilder } from 'a';"],
  ['const name = RequestQueryBuilder.getOptions().paramNamesMap.fields;', NAMES],
])('elsewhere: %s', (line, comment, imported = "import 'a';") =>
  expect(marksOf(`${imported}\n${line}\nexport class F {}\n`)).toEqual([`${comment} | ${line}`]),
);

test('elsewhere: an action on an overriding handler, which upstream replaced', () => {
  const text =
    "class A {\n  @Action('READ')\n  @Override()\n  a() {}\n  @Action('b')\n  b() {}\n  @Override()\n  c() {}\n}";
  const comment = 'guards see this action now; upstream gave them the action of the route';
  expect(marksOf(text)).toEqual([`${comment} | @Action('READ')`]);
});

test.each([
  [IMPORT, 'class A extends B {\n  getCrudRequest(parser, options) {\n    request.options.query.limit = 5;\n  }\n}'],
  [
    "import { CrudRequests, MyCrudRequest } from '@nestjsx/crud';",
    'req.options.query.limit = 5; options.paramNamesMap.fields;',
  ],
])('elsewhere: options of a step that makes each request, or of no request here, stay: %s', (imported, text) =>
  expect(marksOf(`${imported}\n${text}`)).toEqual([]),
);

test.each([
  "import { QueryFailedError } from 'typeorm';",
  "const codes = ['x23505', '235051', '23501', 'ER_DUP_ENTRY_2'];",
  'if (CrudConfigService.config === other) stop();',
  'if (req.options.query.limit === 5) stop();',
  'const map = other.paramNamesMap ?? getOptions().x.paramNamesMap ?? optionsOf.paramNamesMap ?? options.names;',
])('elsewhere: %s stays', (line) => expect(marksOf(`${IMPORT}\n${line}\n`)).toEqual([]));

const resource = (query: string, auth = '') =>
  `import { Crud, CrudAuth } from '@nestjsx/crud';\n@Crud({\n  model: { type: User },\n  query: {\n    ${query}\n  },\n})\n@CrudAuth({\n  ${auth}\n})\nexport class A {}\n`;

test('options of resources: an option of a join that there is not, beside all that there are', () => {
  const known = "alias: 'b', allow: [], exclude: [], persist: [], eager: true, select: true, required: true";
  const line = "condition: 'isDeleted = 0' } },";
  expect(marksOf(resource(`join: { ...JOINS, own, b: B, c: { ...C, d }, a: { ${known},\n    ${line}`))).toEqual([
    `a join has no option condition: @CrudAuth.relations has conditions on related records | ${line}`,
  ]);
});

const GUARD =
  'each PATCH and PUT of a record with another key is a 400 CRUD_OUT_OF_SCOPE; to forbid writes, use routes.only, routes.exclude or a guard';

const READ_USER = 'handlers and services find these values in the body: read the user from request.auth';

test('options of resources: a persist of all that the user has', () =>
  expect(marksOf(resource('', 'persist: (user: User) => user,'))).toEqual([
    `${READ_USER} | persist: (user: User) => user,`,
  ]));

test.each([
  ["persist: () => ({ id: 'break' }),", '', 'id'],
  ['persist: (user) => ({ ownerId: user.id, id }),', '', 'id'],
  ["persist: () => ({ uuid: 'break' }),", '@IsUUID() @PrimaryGeneratedColumn() uuid: string;', 'uuid'],
])('options of resources: %s for an entity with %j', (persist, key, named) => {
  expect(
    marksOf(resource('', persist) + (key && `@Entity()\nexport class User extends Base {}\nclass Base { ${key} }\n`)),
  ).toEqual(named === undefined ? [] : [`persist names the key ${named}: ${GUARD} | ${persist}`]);
});

test.each([
  ["name: { field: 'slug', primary: true }", true],
  ['slug: { primary: true }', true],
])('options of resources: a persist that names the primary field of the path: %s: %p', (params, isMarked) => {
  const persist = "persist: () => ({ slug: 'none' }),";
  const text = resource('', persist).replace('query: {', `params: { ${params} }, query: {`);
  expect(marksOf(text)).toEqual(isMarked ? [`persist names the key slug: ${GUARD} | ${persist}`] : []);
});

test.each([
  'query: { filter: { deletedAt: { $ne: null } } },',
  "query: { filter: [{ field: 'deletedAt', operator: '$ne', value: null }] },",
  'const search = { deletedAt: { [CondOperator.NOT_EQUALS]: null } };',
  "const filter = { field: 'age', operator: 'gt', value: null };",
  "const filter = ['name', '$ne', null];",
  'const url = `/users?s={"a":{"$eq":null},"b":{"$gt" : null}}`;',
  `const search = '{"a":{"$gt":null}}';`,
])('options of resources: an operator with null: %s', (line) => {
  expect(marksOf(line.startsWith('query') ? `@Crud({\n  ${line}\n})\nclass A {}` : line)).toEqual([
    `upstream made IS NULL of every operator with null; now $ne: null is IS NOT NULL, and others match nothing or are a 400: to get the same records, write $eq: null | ${line}`,
  ]);
});

test.each([
  "const filter = ['a', CondOperator.EQUALS, null], b = ['a', CondOperator.IS_NULL, null], c = ['a', '$eqL', null];",
  "query.setOr({ field: 'a', operator: '$ne', value: null }).setJoin({ field: 'b', on: [['c', '$ne', null]] });",
  "import { Model } from 'mongoose';\nconst filter = { deletedAt: { $ne: null } };",
  "const all = ['$ne', '$ne', '$ne', null], search = { a: { [OtherCondOperator.NOT_EQUALS]: null } };",
  'const $ne = null, isNone = $ne === null;',
])('options of resources: no operator with null: %s', (line) => expect(marksOf(line)).toEqual([]));

test.each(Object.values(CondOperator))('options of resources: the operator %s with null', (operator) => {
  const isSame = /^\$(eqL?|isnull)$/.test(operator);
  expect(marksOf(`const search = { $and: [{ a: { ${operator}: null } }] };`)).toHaveLength(isSame ? 0 : 1);
});

test.each([
  ["filter: (user) => ({ 'company.owner': user.id }),", true],
  ["filter: (user) => ({ ownerId: 'company.owner', list: ['company.owner'] }),", false],
])('options of resources: %s: %p', (filter, isMarked) => {
  const comment = 'a condition names a column, not a relation: add the name of its key';
  const text = resource("join: { company: {}, 'company.owner': {} },", filter);
  expect(marksOf(text)).toEqual(isMarked ? [`${comment} | ${filter}`] : []);
});

const entity = (...lines: string[]) =>
  `import { CrudController } from '@nestjsx/crud';\n@Entity()\nexport class A {\n  ${lines.join('\n  ')}\n}`;
const DATE = 'no JSON body has a Date, and this rule applies now: add @Type(() => Date)';
const SETTABLE = 'a body may set this column now: if it must not, add { toClassOnly: true, toPlainOnly: true }';
const CHANGED =
  'filters, sorts and cursors by this property are a 400 now: query.conditions frees it, or query.formats where this changes no more than the form of its value';

test.each([
  ['@IsDate()', '@Column() startsAt: Date;', DATE],
  ['@IsDate()', '@Type(() => Date) @Column() startsAt: Date;', undefined],
  ['@IsDate()', '@Transform(toDate, { toClassOnly: true }) @CreateDateColumn() startsAt: Date;', undefined],
  ['@Exclude()', '@Column() password: string;', SETTABLE],
  ['@Exclude({ toPlainOnly: true })', '@Column() password: string;', undefined],
  ['@Transform(({ value }) => value?.name)', '@ManyToOne(() => B) b: B;', CHANGED],
])('entities: %s %s: %s', (decorator, property, comment) =>
  expect(marksOf(entity(decorator, property))).toEqual(comment === undefined ? [] : [`${comment} | ${decorator}`]),
);

test.each([
  ["['insert', 'soft-remove']", true],
  ['[`remove`, "x"]', true],
  ["[A['remove'], 'remove' as B]", false],
])('entities: cascade: %s: %p', (cascade, isMarked) => {
  const relation = `@OneToMany(() => B, (b) => b.a, { cascade: ${cascade} }) bs: B[];`;
  const comment = 'DELETE and recover write one record: remove and recover related ones in the service';
  expect(marksOf(entity(relation))).toEqual(isMarked ? [`${comment} | ${relation}`] : []);
  for (const other of ['@MyOneToMany', '@OneToManyLike'])
    expect(marksOf(entity(relation.replace('@OneToMany', other)))).toEqual([]);
});

test('entities: @RelationId()', () => {
  const property = '@RelationId((a: A) => a.bs) bIds: number[];';
  const comment = 'is not read: join the relation, or declare its foreign key as a column';
  expect(marksOf(entity(property))).toEqual([`${comment} | ${property}`]);
});
