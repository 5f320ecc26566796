/** What becomes of the options of resources; the line that restores upstream's ways: whether, what and where. */
import { describe, expect, test } from '@jest/globals';
import { move, moveSource, SERVER, type Texts } from './moved.js';

const controller = (options: string, path = 'users', more = '') =>
  `import { Crud, CrudAuth } from '@nestjsx/crud';\n@Crud({ model: { type: User }, ${options} })\n${more}@Controller('${path}')\nexport class A {}\n`;
const CONFIG = "import { CrudConfigService } from '@nestjsx/crud';\n";

/** What a person is told of a project, each without its reason. */
const marked = (texts: Texts) =>
  move({ 'package.json': SERVER, ...texts }).migration.marks.map(({ text }) => text.split(';')[0]);

const JOIN = "join: { company: { alias: 'c', eager: true }, 'company.projects': { alias: 'p' }, profile: {} }";

test.each([
  ["sort: [{ field: 'c.name', order: 'ASC' }]", "sort: [{ field: 'company.name', order: 'ASC' }]"],
  ["filter: { 'c.name': { $ne: 'c.name' } }", "filter: { 'company.name': { $ne: 'c.name' } }"],
  ['filter: { "p.id": 1 }', 'filter: { "company.projects.id": 1 }'],
  ["sort: [{ 'field': 'c.name' }]", "sort: [{ 'field': 'company.name' }]"],
  ["filter: { 'profile.name': 'x', list: ['c.y'] }", "filter: { 'profile.name': 'x', list: ['c.y'] }"],
])('relations by alias get their path: %s', (before, after) =>
  expect(moveSource(controller(`query: { ${JOIN}, ${before} }`))).toContain(`query: { ${JOIN}, ${after} }`),
);

test('relations by alias get their path: in @CrudAuth, and outside of a class, too', () => {
  const auth = "@CrudAuth({ filter: (user) => ({ 'c.ownerId': user.id }) })\n";
  expect(moveSource(controller(`query: { ${JOIN} }`, 'users', auth))).toContain("({ 'company.ownerId': user.id })");
  const text = (field: string) => `const Users = () => Crud({ query: { ${JOIN}, sort: [{ field: '${field}' }] } });`;
  expect(moveSource(CONFIG + text('c.name'))).toContain(text('company.name'));
});

test.each([
  ['dto: {}', 'companies/:companyId/users', ['companyId']],
  ["params: { id: { primary: true, field: 'id', type: 'number' } }", 'a/:a/b/:b', ['a', 'b']],
  ["params: { 'companyId': { disabled: true } }", 'companies/:companyId/users', []],
  ['params: { ...PARAMS, a: {} }', 'companies/:companyId/users', []],
  ['...OPTIONS', 'companies/:companyId/users', []],
])('parameters of the path: %s at %s', (options, path, names) => {
  const named = names.map((name) => `params must name :${name} of the path`);
  expect(marked({ 'a.ts': controller(options, path) })).toEqual(named);
});

test('parameters of the path: in options of a controller; named by the global configuration', () => {
  const load = `${CONFIG}CrudConfigService.load({ params: { companyId: {} } });\n`;
  for (const path of ["{ path: ':companyId/users', version: '1' }", '`:companyId/users`']) {
    const text = controller('dto: {}').replace("'users'", path);
    expect(marked({ 'a.ts': text })).toEqual(['params must name :companyId of the path']);
    expect(marked({ 'a.ts': text, 'main.ts': load })).toEqual([]);
  }
});

test('a configuration that upstream did not see, since the controllers were there', () => {
  const MODULE = "import { AppModule } from './app.module';";
  const LOAD = 'CrudConfigService.load({ query: { limit: 5 } });';
  const marks = (...lines: string[]) => marked({ 'main.ts': CONFIG + lines.join('\n') });
  for (const path of ['./app.module', './Users.Controller'])
    expect(marks(`import { A } from '${path}';`, LOAD)).toEqual(['upstream had read its controllers by then']);
  expect(marks(LOAD, MODULE)).toEqual([]);
  expect(marks("import { KEY } from './constants';", LOAD)).toEqual([]);
  const ours = CONFIG.replace('@nestjsx', '@nestwright');
  expect(marked({ 'main.ts': `${ours}import { Crud } from '@nestjsx/crud';\n${MODULE}\n${LOAD}` })).toEqual([]);
  expect(marks("import { A } from 'lib.module';", LOAD)).toEqual([]);
});

test('query.cache wants a data source with a cache', () => {
  const text = controller('query: { cache: 2000 }');
  const comment = 'give the data source cache: true, or drop this option';
  expect(marked({ 'a.ts': text, 'app.ts': "new DataSource({ type: 'postgres' });" })).toEqual([comment]);
  expect(marked({ 'a.ts': `${text}// DataSource`, 'b.ts': 'client({ cache: true });' })).toEqual([comment]);
  for (const made of ['new DataSource', 'TypeOrmModule.forRoot', 'createConnection'])
    expect(marked({ 'a.ts': text, 'app.ts': `${made}({ type: 'postgres', cache : true });` })).toEqual([]);
  expect(marked({ 'main.ts': `${CONFIG}CrudConfigService.load({ query: { cache: 2000 } });` })).toEqual([comment]);
});

describe('formats', () => {
  const TRANSFORM = '@Transform(({ value }) => Number(value))';
  const OTHERS = `${TRANSFORM} @ColumnLike() a: string;\n  ${TRANSFORM} @Column() get b() { return 1; }`;
  const entity = (change = '({ value }) => Number(value)', more = '', name = 'class User') =>
    `@Entity()\nexport ${name} {\n  @Column() name: string;\n  ${OTHERS}\n  @Transform(${change})\n  ${more}@Column()\n  price: number;\n}\n`;
  const moved = (text: string, options = 'dto: {}') => {
    const { texts, migration } = move({ 'package.json': SERVER, 'a.ts': controller(options), 'user.ts': text });
    const [, after = ''] = /type: User \}, (.*) \}\)/.exec(texts['a.ts']!) ?? [];
    return { after, marks: migration.marks.map(({ path }) => path) };
  };

  test.each(['({ value }) => Number(value)', '({ value }) => Number(value), {toPlainOnly: true}'])(
    'of %s are named',
    (change) => expect(moved(entity(change))).toEqual({ after: "dto: {}, query: { formats: ['price'] }", marks: [] }),
  );

  test.each([
    '({ value }) => Number(value).toFixed(0)',
    '({ value, obj }) => Number(value)',
    "({ value }) => Number(value), { groups: ['admin'] }",
  ])('of %s are left to a person', (change) =>
    expect(moved(entity(change))).toEqual({ after: 'dto: {}', marks: ['user.ts'] }),
  );

  test('of two entities of one name are left to a person', () =>
    expect(moved(entity() + entity())).toEqual({ after: 'dto: {}', marks: ['user.ts', 'user.ts'] }));

  test.each([
    ['class User extends Base', 'class Base extends User {}', 'dto: {}', "dto: {}, query: { formats: ['price'] }"],
    ['class Base', 'class User extends Base { @Column() price: string; }', 'dto: {}', 'dto: {}'],
    ['class Base', '\n@Entity()\nclass User extends Base {}', 'query: {}', "query: { formats: ['price'] }"],
  ])('of %s, and %s, beside %s', (name, more, options, after) =>
    expect(moved(`${entity(undefined, '', name)}${more}\n`, options).after).toBe(after),
  );

  test.each(['query: QUERY', '...OPTIONS'])('are told by a comment where the options are elsewhere: %s', (options) =>
    expect(moved(entity(), options)).toEqual({ after: options, marks: ['a.ts'] }),
  );
});

describe('the start line', () => {
  const MAIN =
    "import { NestFactory } from '@nestjs/core';\nimport { AppModule, OTHER } from './app.module';\n\nawait NestFactory.create<App>(AppModule, {});\n";
  const MODULE = "import { Module } from '@nestjs/common';\n\n@Module({})\nexport class AppModule {}\n";
  const resource = (options: string) =>
    `import { Crud } from '@nestjsx/crud';\n@Crud({ model: { type: User }, ${options} })\nexport class A {}\n`;
  const moved = (texts: Texts) => move({ 'package.json': SERVER, ...texts });
  const started = (source: string) =>
    moved({ 'src/main.ts': MAIN, 'src/app.module.ts': MODULE, 'src/a.ts': source }).texts;
  const withResource = (options: string) => started(resource(options))['src/app.module.ts']!;
  test('stands in the module that the application starts from', () =>
    expect(withResource('dto: { create: A }')).toBe(`import { Module } from '@nestjs/common';
import { CrudConfigService } from '@nestwright/crud';

// Answers as before; see https://github.com/nestwright/nestwright/blob/main/docs/migration.md#keep-the-old-behaviour-at-first
CrudConfigService.load({
  query: { unknown: 'ignore', maxLimit: false },
  routes: { replaceOneBase: { merge: true }, createManyBase: { maxBulk: false } },
  validation: { whitelist: false, columns: 'declared' },
});

@Module({})
export class AppModule {}
`));
  const QUERY = "query: { unknown: 'ignore', maxLimit: false }";
  const VALIDATION = "validation: { columns: 'declared' }";
  const LOOSE = "validation: { whitelist: false, columns: 'declared' }";
  const ROUTES = 'routes: { replaceOneBase: { merge: true }, createManyBase: { maxBulk: false } }';
  const MANY = 'routes: { createManyBase: { maxBulk: false } }';
  const OTHERS = "dto: {} })\nclass B {}\n@Crud({ routes: { exclude: ['replaceOneBase'] }";
  test.each([
    ["routes: { exclude: ['replaceOneBase'] }", [QUERY, MANY, VALIDATION]],
    [`routes: { only: ['getOneBase'] }, ${OTHERS}`, [QUERY, MANY, LOOSE]],
    ["routes: { only: ['getOneBase'] } })\nclass B {}\n@Crud(OPTIONS)\nclass C {}\n@Other({", [QUERY, ROUTES, LOOSE]],
  ])('says what %s needs', (options, lines) =>
    expect(withResource(options)).toContain(`{\n${lines.map((line) => `  ${line},\n`).join('')}}`),
  );

  test.each([
    ['{ whitelist: true, transform: true }', false],
    ['{ whitelist: false }', true],
    ['{ transform: true }', true],
    ['', true],
  ])('turns whitelists of DTOs off beside new ValidationPipe(%s): %p', (options, isOff) => {
    const main = `${MAIN}new Date({ whitelist: true });\napp.useGlobalPipes(new common.ValidationPipe(${options}));\n`;
    const files = { 'src/main.ts': main, 'src/app.module.ts': MODULE, 'src/a.ts': resource('dto: { create: A }') };
    expect(moved(files).texts['src/app.module.ts']!.includes('whitelist: false')).toBe(isOff);
  });

  test('stands in the file that starts the application where the module is not found', () => {
    const main = MAIN.replace('./app.module', '@app/module').replaceAll("'", '"');
    const { texts } = moved({ 'src/main.ts': main, 'src/a.ts': resource('') });
    const imported = 'import { CrudConfigService } from "@nestwright/crud";';
    expect(texts['src/main.ts']).toContain(`import { AppModule, OTHER } from "@app/module";\n${imported}\n\n`);
    expect(texts['src/main.ts']).toContain('unknown: "ignore"');
  });

  test.each([
    ['./app.module.js', 'src/app.module.ts', 'create'],
    ['./app.module.mjs', 'src/app.module.mts', 'create'],
    ['./app.module', 'src/app.module/index.ts', 'createApplicationContext'],
    ['../app.module', 'app.module.cjs', 'createMicroservice'],
  ])('stands in the module that is imported from %s: %s', (specifier, path, create) => {
    const main = MAIN.replace('./app.module', specifier).replace('.create<', `.${create}<`);
    const { texts } = moved({ 'src/main.ts': main, [path]: MODULE, 'a.ts': resource('') });
    expect(texts[path]).toContain('CrudConfigService.load');
    expect(texts['src/main.ts']).toBe(main);
  });

  test.each([
    ['imports nothing', MAIN, 'export class AppModule {}\n'],
    ['is in the same file', MAIN.replace(/import .* from '.\/app.module';/, 'class AppModule {}'), MODULE],
  ])('stands in the file that starts the application where the module %s', (_, main, module) => {
    const { texts } = moved({ 'src/main.ts': main, 'src/app.module.ts': module, 'a.ts': resource('') });
    expect([texts['src/main.ts'], texts['src/app.module.ts']]).toEqual([expect.stringContaining('.load('), module]);
  });

  test.each(['main.spec.ts', 'test/app.e2e-spec.ts', 'main.test.ts', 'boot.js'])('does not stand in %s', (path) => {
    const text = path === 'boot.js' ? MAIN.replaceAll(/import .*\n/g, '') : MAIN;
    const { texts, migration } = moved({ [path]: text, 'a.ts': resource('') });
    const note = 'No file was found that starts the application: the start line of the guide is yours to add.';
    expect([texts[path], migration.notes]).toEqual([text, [note]]);
  });

  test('stands only in the package that has the library', () => {
    const worker = { 'worker/package.json': '{ "dependencies": {} }', 'worker/main.ts': MAIN };
    expect(moved({ ...worker, 'src/main.ts': MAIN, 'src/a.ts': resource('') }).texts).toMatchObject(worker);
  });

  describe('joins the configuration that is there', () => {
    const load = (options: string) => {
      const main = `import { CrudConfigService } from '@nestjsx/crud';\nCrudConfigService.load(${options});\n${MAIN}`;
      const source = resource("routes: { exclude: ['createManyBase'] }");
      const { texts } = moved({ 'src/main.ts': main, 'src/app.module.ts': MODULE, 'src/a.ts': source });
      expect(texts['src/app.module.ts']).toBe(MODULE);
      return /load\(([^]*?)\);\nimport/.exec(texts['src/main.ts']!)?.[1];
    };
    const ROUTES = 'routes: { replaceOneBase: { merge: true } }';
    test.each([
      ['{}', `{ ${QUERY}, ${ROUTES}, ${VALIDATION} }`],
      [
        '{\n  routes: {\n    replaceOneBase: { returnShallow: true },\n  },\n}',
        `{\n  routes: {\n    replaceOneBase: { returnShallow: true, merge: true },\n  },\n  ${QUERY},\n  ${VALIDATION},\n}`,
      ],
    ])('%s', (before, after) => expect(load(before)).toBe(after));

    test('nothing is said where all of them are there, whatever else is spread into it', () => {
      const all = `{ ...REST, query: { unknown: 'ignore', maxLimit: 9 }, ${VALIDATION} }`;
      const texts = { 'main.ts': `${CONFIG}CrudConfigService.load(${all});\n` };
      expect(marked({ ...texts, 'a.ts': resource("routes: { only: ['getOneBase'] }") })).toEqual([]);
    });

    const OURS = `{ ${QUERY}, ${VALIDATION} }`;
    const MODULE_CALL = "import { CrudModule } from '@nestwright/crud';\nCrudModule.forRoot";
    test.each([
      ['of CrudModule.forRoot()', 'main.ts', `${MODULE_CALL}({});\n`, `${MODULE_CALL}(${OURS});`],
      ['of a script', 'main.js', 'CrudConfigService.load({});\n', `CrudConfigService.load(${OURS});`],
      ['by a comment', 'main.ts', `${CONFIG}CrudConfigService.load(config);\n${MAIN}`, `add ${OURS}; see `],
      [
        'in the quotes of the file',
        'main.ts',
        `${CONFIG}CrudConfigService.load({});\n${MAIN}`.replaceAll("'", '"'),
        `load(${OURS})`.replaceAll("'", '"'),
      ],
    ])('%s', (_, path, before, after) => {
      const { texts } = moved({ [path]: before, 'src/a.ts': resource("routes: { only: ['getOneBase'] }") });
      expect(texts[path]).toContain(after);
    });
  });

  test('a project without resources needs it where handlers of its own read requests, else not', () => {
    const read = started("import { CrudRequestInterceptor } from '@nestjsx/crud';");
    expect(read['src/app.module.ts']).toContain(`load({\n  ${QUERY},\n  ${VALIDATION},\n})`);
    expect(started("import { CrudRequest } from '@nestjsx/crud';")['src/app.module.ts']).toBe(MODULE);
  });

  test('what was taken out of it after the move does not come back', () => {
    const text = "// @nestjsx/crud was here\nimport '@nestwright/crud';\n";
    const hardened = { ...started(resource('')), 'src/app.module.ts': MODULE, 'src/b.ts': text };
    expect(move(hardened).texts).toEqual(hardened);
  });
});
