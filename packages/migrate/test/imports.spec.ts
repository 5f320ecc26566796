/** What becomes of imports and other texts that name an old package, in components of Vue and Svelte too: their scripts are moved, and nothing else. */
import { describe, expect, test } from '@jest/globals';
import { extractScript, restoreFilePath } from '../src/components.js';
import { marksOf, move, moveSource } from './moved.js';

test.each([
  ["import { Crud, CrudController } from '@nestjsx/crud';", "import { Crud, CrudController } from '@nestwright/crud';"],
  ["export * from '@rewiko/crud-typeorm/lib';", "export * from '@nestwright/crud-typeorm';"],
  ["const crud = await import('@nestjsx/crud');", "const crud = await import('@nestwright/crud');"],
  ["jest.mock('@nestjsx/crud-typeorm', () => ({}));", "jest.mock('@nestwright/crud-typeorm', () => ({}));"],
  ["import x from '@rewiko/crud-extra';", "import x from '@rewiko/crud-extra';"],
])('imports of a package: %s', (before, after) => expect(moveSource(before)).toBe(after));

test('imports of a package: nothing else of the file changes', () => {
  const text = (name: string) => `\uFEFFimport { Crud } from '${name}';\r\n\r\n\tconst x   = \`@nestjsx\`\t;;  \r\n`;
  expect(moveSource(text('@nestjsx/crud'))).toBe(text('@nestwright/crud'));
});

const GUIDE = 'https://github.com/nestwright/nestwright/blob/main/docs/';
const FACTORY = "import { CrudRoutesFactory } from '@nestjsx/crud/lib/crud';";

test.each([
  [
    'join the import that is there',
    "import { Crud } from '@nestjsx/crud';\nimport { CrudRoutesFactory as Factory } from '@nestjsx/crud/lib/crud';\nimport { JoinOptions, Crud as Again } from '@nestjsx/crud/lib/interfaces';\nclass A {}\n",
    "import { Crud, CrudRoutesFactory as Factory, JoinOptions, Crud as Again } from '@nestwright/crud';\nclass A {}\n",
  ],
  [
    'join one of several lines',
    `import {\n  Crud,\n} from '@nestjsx/crud';\n${FACTORY}\n`,
    "import {\n  Crud,\n  CrudRoutesFactory,\n} from '@nestwright/crud';\n",
  ],
  [
    'make one',
    `${FACTORY}\nimport { JoinOptions } from '@nestjsx/crud/lib/interfaces';\n`,
    "import { CrudRoutesFactory, JoinOptions } from '@nestwright/crud';\n",
  ],
  [
    'stand beside one of all names, and one of types',
    `import * as crud from '@nestjsx/crud';\nimport type { CrudOptions } from '@nestjsx/crud';\n${FACTORY}\n`,
    "import * as crud from '@nestwright/crud';\nimport type { CrudOptions } from '@nestwright/crud';\nimport { CrudRoutesFactory } from '@nestwright/crud';\n",
  ],
])('imports of files below lib/: %s', (_, before, after) => expect(moveSource(before)).toBe(after));

test('imports of files below lib/: names without a place stay, with a comment', () =>
  expect(moveSource("import { R, CrudRoutesFactory, Validation } from '@nestjsx/crud/lib/crud';\n")).toBe(
    [
      "import { CrudRoutesFactory } from '@nestwright/crud';",
      `// nestwright: R is not exported: use getAction() and getFeature(); Validation is not exported: use the options validation and dto; see ${GUIDE}migration-code.md#query-builder-and-parser`,
      "import { R, Validation } from '@nestjsx/crud/lib/crud';",
      '',
    ].join('\n'),
  ));

const LOST = 'R is not exported: use getAction() and getFeature()';

test.each([
  ["export { R } from '@nestjsx/crud/lib/crud';", LOST],
  ["export { isNil } from '@nestjsx/util';", 'isNil has no replacement: write the few lines here'],
])('exports of names without a place stay, with a comment: %s', (line, comment) => {
  const link = `${GUIDE}migration.md#change-the-imports-by-hand`;
  expect(moveSource(line)).toBe(`// nestwright: ${comment}; see ${link}\n${line}`);
});

describe('ApiProperty comes from @nestjs/swagger', () => {
  const before = "import { ApiProperty, CrudRoutesFactory } from '@nestjsx/crud/lib/crud';\n";
  const after =
    "import { CrudRoutesFactory } from '@nestwright/crud';\nimport { ApiProperty } from '@nestjs/swagger';\n";
  const moved = (dependencies: Record<string, string>, more: Record<string, string> = {}) => {
    const manifest = JSON.stringify({ dependencies: { '@nestjsx/crud': '4', ...dependencies } });
    const { texts } = move({ 'api/package.json': manifest, 'api/a.ts': before, ...more });
    const { dependencies: own } = JSON.parse(texts['api/package.json']!) as { dependencies: Record<string, string> };
    return { text: texts['api/a.ts'], swagger: own['@nestjs/swagger'] };
  };

  const OTHER = '{ "dependencies": { "@nestjs/swagger": "11" } }';

  test.each([
    ['there', { '@nestjs/swagger': '11' }, {}, '11'],
    ['above', {}, { 'package.json': OTHER }, undefined],
    ['in another package', {}, { 'web/package.json': OTHER }, '^11.0.0'],
    ['nowhere, beside Nest 12', { '@nestjs/common': '^12.1.0' }, {}, '^12.0.0'],
    ['nowhere, beside some Nest', { '@nestjs/common': 'workspace:*' }, {}, '^11.0.0'],
  ])('which is %s', (_, dependencies, more, swagger) =>
    expect(moved(dependencies as Record<string, string>, more)).toEqual({ text: after, swagger }),
  );
});

test('@nestjsx/util: types come from @nestwright/crud, and functions are written down', () => {
  const others = "import { a } from './a';\nimport './b';\n\n";
  expect(
    moveSource(`import { isNil as nil, objKeys, ClassType, ObjectLiteral } from '@nestjsx/util';\n${others}nil(a);\n`),
  ).toBe(`import { ClassType, ObjectLiteral } from '@nestwright/crud';
${others}const nil = (value: unknown): boolean => value === undefined || value === null;
const objKeys = (value: any): string[] => Object.keys(value);

nil(a);
`);
});

test.each(['a.tsx', 'a.mts', 'a.ts.js'])('@nestjsx/util: functions have types, but not in scripts: %s', (path) => {
  const line = `const isNull = (${path.endsWith('js') ? 'value)' : 'value: unknown): boolean'} => value === null;\n`;
  expect(moveSource("import { isNull } from '@nestjsx/util';\n", path)).toBe(`\n${line}`);
});

test('@nestjsx/util: functions that a script requires are written down, without types', () =>
  expect(moveSource("const { isIn, isNull: none } = require('@dataui/crud-util');\n", 'src/a.js')).toBe(
    'const isIn = (value, list = []) => list.indexOf(value) !== -1;\nconst none = (value) => value === null;\n',
  ));

test.each([
  "import * as util from '@nestjsx/util';",
  "export * from '@nestjsx/util';",
  "const { isNil } = load('@nestjsx/util');",
  "const { isNil, none } = require('@nestjsx/util');",
  "declare let a: import('@nestjsx/util').ClassType<object>;",
])('@nestjsx/util: %s gets a comment', (line) => {
  expect(moveSource(`${line}\n`)).toMatch(/^\/\/ nestwright: this package has no replacement: .*\n/);
  expect(moveSource(`${line}\n`)).toContain(line);
});

test.each([
  ["const other = { 'OLD': 1 };", 'const other = { [KEY]: 1 };'],
  ['request.OLD.parsed = request?.OLD;', 'request[KEY].parsed = request?.[KEY];'],
  ['const { OLD, OLD: crud } = request;', 'const { [KEY]: OLD, [KEY]: crud } = request;'],
  ["if ('OLD' in request) set({ a: 'OLD' });", 'if (KEY in request) set({ a: KEY });'],
])('the name of the parsed request on the HTTP request: %s', (before, after) => {
  const named = (line: string) =>
    line.replace(/\bOLD\b/g, 'NESTJSX_PARSED_CRUD_REQUEST_KEY').replace(/\bKEY\b/g, 'PARSED_CRUD_REQUEST_KEY');
  const other = "import { Injectable } from '@nestjs/common';\n";
  expect(moveSource(other + named(before))).toBe(
    `import { PARSED_CRUD_REQUEST_KEY } from '@nestwright/crud';\n${other}${named(after)}`,
  );
});

test('the name of the parsed request, where nothing is imported', () => {
  const line = "module.exports = (request) => request['NESTJSX_PARSED_CRUD_REQUEST_KEY'];";
  const comment = 'use PARSED_CRUD_REQUEST_KEY of @nestwright/crud in place of this text';
  expect(marksOf(line, 'src/a.js')).toEqual([`${comment} | ${line}`]);
});

describe('components of Vue and Svelte', () => {
  const WEB = '{ "dependencies": { "@nestjsx/crud-request": "4.6.2", "vue": "3" } }';
  const moved = (path: string, ...lines: string[]) => {
    const { texts, migration } = move({ 'package.json': WEB, [path]: lines.join('\n') });
    return { lines: texts[path]!.split('\n'), migration };
  };

  test.each([
    ['js', '<p>x</p>\r\n<script a="b>c" d=\'>>\' e>one()</script  ><p>x</p>\n'],
    ['ts', '<script lang="ts">one()</script><script setup>two(1 > 0,\n 2)</script>'],
    ['jsx', "<script lang  =  'jsx'>one()</script>"],
    ['js', '<!-- <script lang="ts">a</script> --><script>one()</script><!-- <script>b</script>'],
  ])('have scripts in %s: %s', (language, text) => {
    const blank = (some: string) => some.replace(/[^\r\n]/g, ' ');
    const script = text.split(/((?:one|two)\([^)]*\))/).map((part, at) => (at % 2 === 1 ? part : blank(part)));
    for (const path of ['a.vue', 'b/c.svelte']) {
      const extracted = extractScript(path, text);
      expect(extracted).toEqual({ path: `${path}.script.${language}`, text: script.join('') });
      expect(restoreFilePath(extracted.path)).toBe(path);
    }
  });

  test('are moved, and nothing else of them', () => {
    const rest = ["<p title=\"import '@nestjsx/crud'\">{{ '<b>' }} ä </p>", '<!-- <script>import {</script> -->'];
    const script = (name: string) => [
      '<script setup lang="ts" generic="T extends Map<string, number>">',
      `import { CondOperator, RequestQueryBuilder } from "${name}"`,
      '',
      'const query = RequestQueryBuilder.create<T>()  ;</script>',
    ];
    const { lines } = moved('src/List.svelte', ...rest, ...script('@nestjsx/crud-request'), ...rest);
    expect(lines).toEqual([...rest, ...script('@nestwright/crud-request'), ...rest]);
  });

  test('both scripts of one', () => {
    const util = ['<script setup>', "import { isNil } from '@nestjsx/util'", '</script>'];
    expect(moved('src/a.vue', "<script>import '@nestjsx/crud-request'</script>", ...util).lines).toEqual([
      "<script>import '@nestwright/crud-request'</script>",
      '<script setup>',
      '',
      'const isNil = (value) => value === undefined || value === null;',
      '</script>',
    ]);
  });

  test('a person is told by the line, where one cannot be read', () => {
    const script = ['<script>', "import '@nestjsx/crud-request'", 'const {', '</script>'];
    const { migration } = moved('src/a.vue', '<template />', ...script);
    expect(migration.errors).toEqual([expect.stringMatching(/^src\/a\.vue cannot be read: line [45]: /)]);
  });
});
