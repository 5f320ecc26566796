/** What the reference and the doc comments call an option's default is what the table of options says. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { OPTION_ROWS } from '../support/option-paths.js';

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

/** The value that a text begins with; undefined for words. */
function valueIn(text: string): unknown {
  const [, ticked, number] = /^(?:`'?([a-z]+)'?`|(\d+))(?![^\s,;.])/.exec(text) ?? [];
  if (number !== undefined) return Number(number);
  return ticked === 'true' || ticked === 'false' ? ticked === 'true' : ticked;
}

/** Headings of the reference, and the options that the table below each is about. */
const SECTIONS = {
  '`@Crud(options)`': '',
  '`query`': 'query.',
  '`query.join`': 'query.join.*.',
  '`query.limits`': 'query.limits.',
  '`query.export`': 'query.export.',
  '`routes`': 'routes.',
  '`params`': 'params.*.',
  '`@CrudAuth(options)`': 'auth.',
  '`queryParser`': 'global.queryParser.',
};

const [, ...sections] = read('docs/reference/README.md').split(/^#+ /m);
const documented = Object.entries(SECTIONS).flatMap(([heading, prefix]) => {
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const [header = [], , ...rows] = [...section.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
    row.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  );
  return rows.flatMap((row) => {
    const names = [...(row[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const cell = row[header.indexOf('Default')] ?? '';
    const parts = [cell.split('; '), cell.split(', ')].find(({ length }) => length === names.length);
    return names.map((name, index) => [`${prefix}${name}`, parts?.[index] ?? cell] as const);
  });
});

test('the reference gives every option with a default, but the global ones', () => {
  const rows = [...OPTION_ROWS].filter(([, { unset }]) => unset !== undefined);
  const known = rows.map(([path]) => path).filter((path) => !/^global\.(?!queryP)/.test(path));
  expect(known.length).toBeGreaterThan(40);
  expect(known.filter((path) => !documented.some(([one]) => one === path))).toEqual([]);
});

test.each(documented.filter(([path]) => !path.includes('<route>')))('in the reference, %s: %s', (path, text) => {
  const row = OPTION_ROWS.get(path);
  expect(path === 'operators.custom' || row !== undefined).toBe(true);
  expect(valueIn(text)).toEqual(row?.unset);
});

const OF_ONE = ['Create', 'Update', 'Replace', 'Delete', 'Recover'];

/** Interfaces, and the options that their members are. */
const INTERFACES: Readonly<Record<string, string>> = {
  QueryOptions: 'query.',
  JoinOption: 'query.join.*.',
  ExportOptions: 'query.export.',
  CsvOptions: 'query.export.csv.',
  OpenApiNaming: 'openapi.',
  ParamOption: 'params.*.',
  AuthOptions: 'auth.',
  CrudGlobalConfig: 'global.',
  ConditionalRouteOptions: 'routes.updateOneBase.',
  ...Object.fromEntries(OF_ONE.map((verb) => [`${verb}OneRouteOptions`, `routes.${verb.toLowerCase()}OneBase.`])),
  BulkRouteOptions: 'routes.createManyBase.',
  ByConditionRouteOptions: 'routes.updateManyBase.',
};

const FILES = ['options', 'query-options', 'route-options', 'auth-options'].map(
  (name) => `crud/src/definition/${name}`,
);
const members = [...FILES, 'crud-request/src/types/path-params'].flatMap((name) => {
  const source = ts.createSourceFile(name, read(`packages/${name}.ts`), ts.ScriptTarget.Latest, true);
  const interfaces = source.statements.filter((statement) => ts.isInterfaceDeclaration(statement));
  const known = interfaces.filter(({ name: { text } }) => text in INTERFACES);
  return known.flatMap(({ name: { text }, members: own }) =>
    own.map((member) => {
      const [, said = ''] = /Default: (.*)/s.exec(member.getFullText().replace(/\n\s*\*/g, '')) ?? [];
      return [`${INTERFACES[text]}${member.name?.getText()}`, said] as const;
    }),
  );
});

test('doc comments of options are read', () => {
  expect(members.filter(([path]) => !OPTION_ROWS.has(path))).toEqual([]);
  expect(members.length).toBeGreaterThan(60);
});

test.each(members.filter(([path]) => OPTION_ROWS.get(path)?.unset !== undefined))(
  'in a comment, %s: %s',
  (path, text) => expect(valueIn(text)).toBe(OPTION_ROWS.get(path)?.unset),
);
