/** The types of the options accept and refuse what the files beside this one say, and offer an editor the names. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { completionsAt, mistakesUnder, NEST_11_CHECKS } from '../../../../integration/test-support/compile.js';

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

// With the options of the workspace `npm run typecheck` does.
test('every file compiles, and every expected error is one, as Nest 11 generates a project', () => {
  expect(mistakesUnder(NEST_11_CHECKS, ...['typed.ts', 'untyped.ts', 'moved.ts'].map(beside))).toEqual([]);
}, 120_000);

test('an editor offers fields and relations', () => {
  const crud = (options: string, call = 'Crud'): string => `
    import { Crud } from '@nestwright/crud';
    import { User } from '../../../crud-request/test/typed/entities.js';
    ${call}({ model: { type: User }, ${options} });
  `;
  const own = ['id', 'email', 'name.first', 'name.last', 'companyId'];
  const [exclude, sort, filter, condition, join, ofRelation, ofList, params, explicit] = completionsAt(
    beside('completion.ts'),
    crud(`query: { exclude: ['▮'] }`),
    crud(`query: { sort: [{ field: '▮', order: 'ASC' }] }`),
    crud(`query: { filter: [{ field: '▮', operator: '$eq' }] }`),
    crud(`query: { filter: { $and: [{ ▮ }] } }`),
    crud(`query: { join: { '▮': {} } }`),
    crud(`query: { join: { company: { allow: ['▮'] } } }`),
    crud(`query: { join: { 'company.projects': { exclude: ['▮'] } } }`),
    crud(`params: { company: { field: '▮' } }`),
    crud(`query: { persist: ['▮'] }`, 'Crud<User>'),
  );

  expect(exclude).toEqual(expect.arrayContaining(own));
  expect(exclude).not.toContain('projects');
  expect(sort).toEqual(expect.arrayContaining([...own, 'company.name', 'manager.company.name']));
  expect(filter).toEqual(expect.arrayContaining([...own, 'company.name', 'projects.budget']));
  expect(condition).toEqual(expect.arrayContaining([...own, 'company.name', '$or', '$not']));
  expect(join).toEqual(expect.arrayContaining(['company', 'projects', 'company.projects', 'manager.company']));
  expect(join).not.toContain('email');
  expect(ofRelation?.filter((name) => !name.includes('.')).sort()).toEqual(['createdAt', 'id', 'name']);
  expect(ofList).toEqual(expect.arrayContaining(['id', 'name', 'budget']));
  expect(ofList).not.toContain('email');
  expect(params).toEqual(expect.arrayContaining([...own, 'company.id']));
  expect(explicit).toEqual(expect.arrayContaining(own));

  const auth = (options: string): string => `
    import { CrudAuth } from '@nestwright/crud';
    import { User } from '../../../crud-request/test/typed/entities.js';
    CrudAuth<User>({ ${options} });
  `;
  const [scope, relations, ofScoped] = completionsAt(
    beside('completion.ts'),
    auth(`filter: () => ({ ▮ })`),
    auth(`relations: { '▮': false }`),
    auth(`relations: { 'company.projects': async () => ({ ▮ }) }`),
  );

  expect(scope).toEqual(expect.arrayContaining([...own, 'company.name', '$or']));
  expect(relations).toEqual(expect.arrayContaining(['company', 'company.projects', 'manager.company']));
  expect(relations).not.toContain('email');
  expect(ofScoped).toEqual(expect.arrayContaining(['id', 'name', 'budget']));
  expect(ofScoped).not.toContain('email');
}, 120_000);
