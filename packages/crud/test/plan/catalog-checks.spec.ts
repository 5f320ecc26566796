/** Options beside the entity → the mistakes, word for word and in their order; startup.spec.ts has the start that they stop. */
import { expect, test } from '@jest/globals';
import type { ParamsOptions } from '@nestwright/crud-request';
import type { AuthOptions } from '../../src/definition/auth-options.js';
import type { QueryOptions } from '../../src/definition/query-options.js';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { SettledRoutesOptions } from '../../src/definition/route-options.js';
import { CATALOG_CHECKS } from '../../src/plan/catalog-checks.js';
import { define, ID } from '../request/definitions.js';
import { catalog, column, companies, profiles, relation, users } from './catalogs.js';

const mistakesOf = (definition: Partial<ResourceDefinition>, of = companies) =>
  CATALOG_CHECKS.flatMap((check) => [...check({ ...define(), ...definition }, of)]);
const HAS = 'it has id, name, domain, description, createdAt, deletedAt';
const embedding = catalog('Order', [column('id', 'integer')], [relation('at.city', 'many-to-one', () => profiles)]);
const keyHidden = catalog('Row', [column('no', 'integer', { primary: true, selectable: false })]);

test('mistakes are listed in the order of the checks', () => {
  const query: QueryOptions = {
    softDelete: true,
    filter: { $and: [{ nope: 1 }, { 'company.nope': { $gt: 1 } }] },
    cursor: true,
    sort: [{ field: 'nope', order: 'ASC' }],
    exclude: ['id'],
    persist: ['id', 'nope'],
    join: { company: { alias: 'User', exclude: ['nope'] }, projects: { alias: 'user' }, nope: { allow: ['x'] } },
    allow: ['nope'],
    conditions: ['nope', 'projects.nope', 'projects'],
  };
  const auth = { relations: { nope: false, projects: { persist: () => ({ company: 1, nope: 2 }) } } } as AuthOptions;
  const params: ParamsOptions = { at: { field: 'company.nope', type: 'number' }, off: { disabled: true } };
  const has = `it has ${[...users.columns.keys()].join(', ')}`;
  const project = 'but Project has no such field; it has id, name, isActive, companyId';
  expect(mistakesOf({ ...define(query, params), auth }, { ...users, deleteDate: undefined! })).toEqual([
    `query.allow names "nope", but User has no such field; ${has}`,
    `query.persist names "nope", but User has no such field; ${has}`,
    'query.join names "nope", but User has no relation nope; it has company, profile, projects',
    `query.join.company.exclude names "nope", but Company has no such field; ${HAS}`,
    `query.conditions names "nope", but User has no such field; ${has}`,
    `query.conditions names "projects.nope", ${project}`,
    `query.conditions names "projects", but User has no such field; ${has}`,
    'query.join.company.alias is "User", which is the name of the model itself',
    'query.join.projects.alias is "user", which is the name of query.join.company',
    '@CrudAuth: relations names "nope", but User has no relation nope; it has company, profile, projects',
    `@CrudAuth: relations.projects.persist names "nope", ${project}`,
    'query.persist names "id", which query.exclude keeps from every response',
    'query.sort[0].field is "nope", but User has no such field',
    'query.cursor is true, but a cursor would show "id", which answers hide',
    'query.filter names "nope", but User has no such field',
    'query.filter names "company.nope", but Company has no field nope',
    `params.at.field is "company.nope", but Company has no field nope; ${HAS}`,
    'query.softDelete is true, but User has no delete-date column',
  ]);
});

const sort = (field: string): QueryOptions => ({ sort: [{ field, order: 'ASC' }] });
const filter = (condition: object) => ({ filter: condition }) as QueryOptions;
const OF_COMPANY = 'query.join.company';
const join = (path: string): QueryOptions => ({ join: { [path]: {} } });
const persisting = { join: { company: { persist: ['name'], exclude: ['name'] } } };
const keyless = { ...users, primary: [] };

test.each<[QueryOptions, typeof users, ...mistakes: string[]]>([
  [{ cursor: true }, keyless, 'query.cursor is true, but User has no primary key, which cursors need'],
  [{ cursor: true }, keyHidden, 'query.cursor is true, but a cursor would show "no", which answers hide'],
  [join('at.town.x'), embedding, 'query.join names "at.town.x", but Order has no relation at.town.x; it has at.city'],
  [join('at.city.x'), embedding, 'query.join names "at.city.x", but Profile has no relation x; it has user'],
  [persisting, users, `${OF_COMPANY}.persist names "name", which ${OF_COMPANY}.exclude keeps from every response`],
  [sort('projects.name'), users, 'query.sort[0].field is "projects.name", which may be several values of one record'],
  [sort('company.nope'), users, 'query.sort[0].field is "company.nope", but Company has no field nope'],
  [sort('settings.x'), users, 'query.sort[0].field is "settings.x", which has no order (json)'],
  [filter([{ field: 'x', operator: 'isnull' }]), profiles, 'query.filter names "x", but Profile has no such field'],
  [filter({ id: { $like: 1 } }), profiles, expect.stringMatching(/^query\.filter is .*\$like.*: \S/) as never],
])('mistakes in %j', (query, of, ...mistakes) =>
  expect(mistakesOf({ options: define(query, {}).options }, of)).toEqual(mistakes),
);

const asked = { requireMatch: true };

test.each<[SettledRoutesOptions, routes: string, mistaken: string[]]>([
  [{ updateOneBase: asked }, 'updateOneBase updateManyBase', ['updateManyBase']],
  [{ updateOneBase: asked, updateManyBase: { requireMatch: false } }, 'updateManyBase', []],
  [{ deleteManyBase: asked as never }, 'deleteManyBase', ['deleteManyBase']],
])('%j, with the routes %s, lacks a version for %j', (options, routes, mistaken) => {
  const definition = { ...define({}, ID, options), routes: new Set(routes.split(' ')) as ResourceDefinition['routes'] };
  const expected = mistaken.map(
    (route) =>
      `requireMatch holds for routes.${route} as for ${route.replace('Many', 'One')}, whose items then carry versions, but ` +
      `Company has no version column: add one by @VersionColumn(), or set routes.${route}.requireMatch to false`,
  );
  expect([mistakesOf(definition), mistakesOf(definition, users)]).toEqual([expected, []]);
});
