/** The line that restores upstream's ways: whether, what and where. */
import { describe, expect, test } from '@jest/globals';
import { move, SERVER, type Texts } from './moved.js';

const MAIN =
  "import { NestFactory } from '@nestjs/core';\nimport { AppModule } from './app.module';\n\nawait NestFactory.create<App>(AppModule, {});\n";
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
test.each([
  ["routes: { only: ['getManyBase', 'getOneBase'] }", `${QUERY},\n  ${VALIDATION},\n}`],
  [
    "routes: { exclude: ['replaceOneBase'] }",
    `${QUERY},\n  routes: { createManyBase: { maxBulk: false } },\n  ${VALIDATION},\n}`,
  ],
])('says what %s needs', (options, text) => expect(withResource(options)).toContain(text));

test.each([
  ['{ whitelist: true, transform: true }', false],
  ['{ whitelist }', false],
  ['{ ...options }', false],
  ['options', false],
  ['{ whitelist: false }', true],
  ['{ transform: true }', true],
  ['', true],
])('turns whitelists of DTOs off beside new ValidationPipe(%s): %p', (options, isOff) => {
  const main = `${MAIN}app.useGlobalPipes(new ValidationPipe(${options}));\n`;
  const files = { 'src/main.ts': main, 'src/app.module.ts': MODULE, 'src/a.ts': resource('dto: { create: A }') };
  expect(moved(files).texts['src/app.module.ts']!.includes('whitelist: false')).toBe(isOff);
});

test('stands in the file that starts the application where the module is not found', () => {
  const main = MAIN.replace('./app.module', '@app/module').replaceAll("'", '"');
  const { texts } = moved({ 'src/main.ts': main, 'src/a.ts': resource('') });
  expect(texts['src/main.ts']).toMatch(
    /import \{ AppModule \} from "@app\/module";\nimport \{ CrudConfigService \} from "@nestwright\/crud";\n\n/,
  );
  expect(texts['src/main.ts']).toContain('unknown: "ignore"');
});

test('imports with the ending of ES modules lead to the module, too', () => {
  const main = MAIN.replace('module', 'module.js');
  const { texts } = moved({ 'src/main.ts': main, 'src/app.module.ts': MODULE, 'a.ts': resource('') });
  expect(texts['src/app.module.ts']).toContain('CrudConfigService.load');
  expect(texts['src/main.ts']).toBe(main);
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
    ['{ query: { maxLimit: 50 } }', `{ query: { maxLimit: 50, unknown: 'ignore' }, ${ROUTES}, ${VALIDATION} }`],
    [
      '{\n  routes: {\n    replaceOneBase: { returnShallow: true },\n  },\n}',
      `{\n  routes: {\n    replaceOneBase: { returnShallow: true, merge: true },\n  },\n  ${QUERY},\n  ${VALIDATION},\n}`,
    ],
  ])('%s', (before, after) => expect(load(before)).toBe(after));

  test('a configuration that is not written there gets a comment', () => {
    const main = `import { CrudConfigService } from '@nestjsx/crud';\nCrudConfigService.load(config);\n${MAIN}`;
    const { texts } = moved({ 'src/main.ts': main, 'src/a.ts': resource("routes: { only: ['getOneBase'] }") });
    expect(texts['src/main.ts']).toContain(`// nestwright: to answer as before, add { ${QUERY}, ${VALIDATION} }; see `);
  });
});

test('texts in it have the quotes of the file', () => {
  const main = `import { CrudConfigService } from "@nestjsx/crud";\nCrudConfigService.load({});\n${MAIN}`;
  const { texts } = moved({ 'src/main.ts': main, 'src/a.ts': resource("routes: { only: ['getOneBase'] }") });
  const load = `load({ ${QUERY}, ${VALIDATION} })`.replaceAll("'", '"');
  expect(texts['src/main.ts']).toContain(load);
});

test('a project without resources needs it where handlers of its own read requests, else not', () => {
  const read = started("import { CrudRequestInterceptor } from '@nestjsx/crud';");
  expect(read['src/app.module.ts']).toContain(`load({\n  ${QUERY},\n  ${VALIDATION},\n})`);
  const unread = started("import { CrudRequest } from '@nestjsx/crud';");
  expect(unread['src/app.module.ts']).toBe(MODULE);
});

test('a project that nothing starts is told', () =>
  expect(moved({ 'src/a.ts': resource('') }).migration.notes).toContain(
    'No file was found that starts the application: the start line of the guide is yours to add.',
  ));

test('what was taken out of it after the move does not come back', () => {
  const text = "// @nestjsx/crud was here\nimport '@nestwright/crud';\n";
  const hardened = { ...started(resource('')), 'src/app.module.ts': MODULE, 'src/b.ts': text };
  expect(move(hardened).texts).toEqual(hardened);
});
