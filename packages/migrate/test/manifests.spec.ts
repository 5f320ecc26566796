/** What becomes of manifests, and what is told of the versions in them. */
import { describe, expect, test } from '@jest/globals';
import { move } from './moved.js';

const rewritten = (text: string) => move({ 'package.json': text }).texts['package.json'];

test('old packages go from every section, and their successors come in order', () => {
  const before = {
    name: 'app',
    dependencies: { '@nestjs/common': '^11.0.0', '@nestjsx/crud': '^4.6.2', '@nestjsx/util': '^4.6.2', rxjs: '^7.8.0' },
    devDependencies: { '@dataui/crud-typeorm': 'npm:x@5', zod: '4' },
    peerDependencies: { '@nestjsx/crud-request': '*' },
    optionalDependencies: { '@dataui/crud-util': '1', '@rewiko/util': '5' },
  };
  expect(JSON.parse(rewritten(JSON.stringify(before))!)).toEqual({
    name: 'app',
    dependencies: { '@nestjs/common': '^11.0.0', '@nestwright/crud': '^1.2.3', rxjs: '^7.8.0' },
    devDependencies: { '@nestwright/crud-typeorm': '^1.2.3', zod: '4' },
    peerDependencies: { '@nestwright/crud-request': '^1.2.3' },
    optionalDependencies: {},
  });
});

test.each([
  ['\t', '\r\n'],
  ['    ', '\n'],
])('everything else stays as it is written, indented by %j, with lines that end in %j', (indent, end) => {
  const text = (...names: string[]) =>
    ['{', '-"files": ["a", "b"],', '-"dependencies": {', ...names.map((name) => `--${name}`), '-}', '}', '']
      .join(end)
      .replace(/^-+/gm, (dashes) => indent.repeat(dashes.length));
  const [old, current] = ['"@nestjsx/crud": "4.6.2"', '"@nestwright/crud": "^1.2.3"'];
  expect(rewritten(text(`${old},`, '"a": "1"'))).toBe(text(`${current},`, '"a": "1"'));
  expect(rewritten(text(old))).toBe(text(current));
});

test.each([
  ['a successor keeps its version', { '@nestjsx/crud': '4', '@nestwright/crud': '0.9.0' }, 'crud', '0.9.0'],
  ['the utilities bring nothing beside it', { '@nestjsx/util': '4', '@nestwright/crud': '1' }, 'crud', '1'],
  ['the utilities bring crud-request where nothing else does', { '@nestjsx/util': '4' }, 'crud-request', '^1.2.3'],
])('%s', (_, dependencies, name, version) => {
  const after = { dependencies: { [`@nestwright/${name}`]: version } };
  expect(JSON.parse(rewritten(JSON.stringify({ dependencies }))!)).toEqual(after);
});

test('what bent the dependencies of the old packages goes', () => {
  const before = {
    dependencies: { '@nestjsx/crud': '4' },
    overrides: { '@nestjsx/crud': { '@nestjs/common': '$@nestjs/common' }, x: '1' },
    resolutions: { 'app/@nestjsx/crud-typeorm': '4' },
    pnpm: { overrides: { '@nestjsx/crud>typeorm': '0.3.20' } },
    peerDependenciesMeta: { '@nestjsx/crud': { optional: true } },
  };
  expect(JSON.parse(rewritten(JSON.stringify(before))!)).toEqual({
    dependencies: { '@nestwright/crud': '^1.2.3' },
    overrides: { x: '1' },
    pnpm: {},
  });
});

describe('versions that do not fit', () => {
  const unfit = (dependencies: object) =>
    move({ 'package.json': JSON.stringify({ dependencies: { '@nestjsx/crud': '4.6.2', ...dependencies } }) }).migration
      .unfit;

  test('are told with those that do', () => {
    const old = { '@nestjs/common': '^8.0.0', '@nestjs/testing': '^8', typeorm: '0.2.45', typescript: '~4.9.5' };
    expect(unfit(old)).toEqual([
      'package.json: dependencies.@nestjs/common is ^8.0.0, but must be ^11.0.0 || ^12.0.0',
      'package.json: dependencies.@nestjs/testing is ^8, but must be ^11.0.0 || ^12.0.0',
      'package.json: dependencies.typeorm is 0.2.45, but must be ^0.3.20 || ^1.0.0',
      'package.json: dependencies.typescript is ~4.9.5, but must be >=5.4.0',
    ]);
  });

  test('are not those that fit, or no range', () => {
    const nest = { '@nestjs/common': '^11.1.0', '@nestjs/core': '12.1.0-beta.1' };
    expect(unfit({ ...nest, typeorm: '~0.3.21', rxjs: 'workspace:*', typescript: '^5.0.0' })).toEqual([]);
  });

  test('are, in a front end, those that its query builder does not work with; its server may not have moved', () => {
    const text = '{"dependencies":{"@dataui/crud-request":"5","rxjs":"6","typescript":"4.9"}}';
    const { unfit: found, notes } = move({ 'package.json': text }).migration;
    expect(found).toEqual(['package.json: dependencies.typescript is 4.9, but must be >=5.0.0']);
    expect(notes).toEqual([expect.stringMatching(/^package\.json: where its server still runs upstream, /)]);
  });
});

test('each package of a workspace by itself', () => {
  const ROOT = '{"workspaces":["web","api"],"devDependencies":{"typescript":"4"}}';
  const { texts, migration } = move({
    'package.json': ROOT,
    'app/package.json': '{"dependencies":{"@nestwright/crud-request":"1"}}',
    'web/package.json': '{"dependencies":{"@nestjsx/crud-request":"4","@nestjsx/util":"4"}}',
    'api/package.json': '{"dependencies":{"@nestjsx/crud":"4","@nestjsx/util":"4"}}',
    'web/a.ts': "import { ObjectLiteral } from '@nestjsx/util';\n",
    'api/a.ts': "import { ObjectLiteral } from '@nestjsx/util';\n",
  });
  expect(migration.unfit).toEqual([]);
  expect(migration.notes).toEqual([expect.stringMatching(/^web\/package\.json: where its server/)]);
  expect(texts).toEqual({
    'package.json': ROOT,
    'app/package.json': expect.any(String),
    'web/package.json': expect.stringContaining('"@nestwright/crud-request"'),
    'api/package.json': expect.stringContaining('"@nestwright/crud"'),
    'web/a.ts': "import { ObjectLiteral } from '@nestwright/crud-request';\n",
    'api/a.ts': "import { ObjectLiteral } from '@nestwright/crud';\n",
  });
});
