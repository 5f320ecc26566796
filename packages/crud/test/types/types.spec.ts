/** The types of the options accept and refuse what the files beside this one say, and offer an editor the names. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { completionsAt, mistakesUnder, NEST_11_CHECKS } from '../../../../integration/test-support/compile.js';

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

// With the options of the workspace `npm run typecheck` does.
test(
  'every file compiles, and every expected error is one, as Nest 11 generates a project',
  () => expect(mistakesUnder(NEST_11_CHECKS, ...['typed.ts', 'untyped.ts', 'moved.ts'].map(beside))).toEqual([]),
  120_000,
);

test('an editor offers fields and relations', () => {
  const own = ['id', 'email', 'name.first', 'name.last', 'companyId'];
  const related = [...own, 'company.name'];
  const relations = ['company', 'company.projects', 'manager.company'];
  const ofProjects = ['id', 'name', 'budget'];
  const cases: [call: string, offered: string[], not?: string][] = [
    ['Crud({ model, query: { exclude: ["▮"] } })', own, 'projects'],
    ['Crud({ model, query: { sort: [{ field: "▮", order: "ASC" }] } })', [...related, 'manager.company.name']],
    ['Crud({ model, query: { filter: { $and: [{ ▮ }] } } })', [...related, '$or', '$not']],
    ['Crud({ model, query: { join: { "▮": {} } } })', [...relations, 'projects'], 'email'],
    ['Crud({ model, query: { join: { company: { allow: ["▮"] } } } })', ['createdAt', 'id', 'name'], 'email'],
    ['Crud({ model, params: { company: { field: "▮" } } })', [...own, 'company.id']],
    ['CrudAuth<User>({ filter: () => ({ ▮ }) })', [...related, '$or']],
    ['CrudAuth<User>({ relations: { "▮": false } })', relations, 'email'],
    ['CrudAuth<User>({ relations: { "company.projects": async () => ({ ▮ }) } })', ofProjects, 'email'],
  ];
  const sources = cases.map(
    ([call]) => `
      import { Crud, CrudAuth } from '@nestwright/crud';
      import { User } from '../../../crud-request/test/typed/entities.js';
      const model = { type: User };
      ${call.replaceAll('"', "'")};`,
  );
  const offered = completionsAt(beside('completion.ts'), ...sources);
  for (const [index, [call, some, none]] of cases.entries()) {
    expect([call, offered[index]]).toEqual([call, expect.arrayContaining(some)]);
    if (none) expect(offered[index]).not.toContain(none);
  }
  expect(offered[4]!.filter((name) => !name.includes('.')).sort()).toEqual(['createdAt', 'id', 'name']);
}, 120_000);
