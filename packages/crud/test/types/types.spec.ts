/** The types of the options accept and refuse what the files beside this one say, and offer an editor the names. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { completionsAt, mistakesUnder, NEST_11_CHECKS } from '../../../../integration/test-support/compile.js';

const OWN = ['id', 'email', 'name.first', 'name.last', 'companyId'];
const RELATED = [...OWN, 'company.name'];
const RELATIONS = ['company', 'company.projects', 'manager.company'];
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

// With the options of the workspace `npm run typecheck` does.
test(
  'every file compiles, and every expected error is one, as Nest 11 generates a project',
  () => expect(mistakesUnder(NEST_11_CHECKS, ...['typed.ts', 'moved.ts'].map(beside))).toEqual([]),
  120_000,
);

test('an editor offers fields and relations', () => {
  const cases: [call: string, offered: string[], not: string][] = [
    ['Crud({ model, query: { exclude: [▮] } })', OWN, 'projects'],
    ['Crud({ model, query: { sort: [{ field: ▮, order: "ASC" }] } })', [...RELATED, 'manager.company.name'], '$or'],
    ['Crud({ model, query: { join: { ▮: {} } } })', [...RELATIONS, 'projects'], 'email'],
    ['Crud({ model, query: { join: { company: { allow: [▮] } } } })', ['createdAt', 'id', 'name'], 'email'],
    ['Crud({ model, params: { company: { field: ▮ } } })', [...OWN, 'company.id'], 'projects'],
    ['CrudAuth<User>({ filter: () => ({ ▮: 1 }) })', [...RELATED, '$or'], 'projects'],
    ['CrudAuth<User>({ relations: { ▮: false } })', RELATIONS, 'email'],
  ];
  const before = `
    import { Crud, CrudAuth } from '@nestwright/crud';
    import { User } from '../../../crud-request/test/typed/entities.js';
    const model = { type: User };`;
  const offered = completionsAt(beside('completion.ts'), before, ...cases.map(([call]) => call.replace('▮', "'▮'")));
  for (const [index, [call, some, none]] of cases.entries()) {
    expect([call, offered[index]]).toEqual([call, expect.arrayContaining(some)]);
    expect(offered[index]).not.toContain(none);
  }
}, 120_000);
