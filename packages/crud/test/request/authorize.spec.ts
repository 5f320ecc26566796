/** Queries → what a client may name: excluded columns pass in no position, at no depth. */
import { expect, test } from '@jest/globals';
import { parseQuery } from '@nestwright/crud-request';
import type { QueryOptions } from '../../src/definition/query-options.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { authorize } from '../../src/request/authorize.js';
import { makePermissions } from '../../src/request/permissions.js';
import { categories, users } from '../plan/catalogs.js';
import { refusalOf } from '../plan/plans.js';

const QUERY: QueryOptions = {
  exclude: ['password', 'name.last', 'settings'],
  join: {
    company: { alias: 'c', exclude: ['domain'], allow: ['name', 'domain'] },
    'company.projects': { alias: 'cp', allow: ['name'] },
    profile: { select: false, exclude: ['bio'] },
    'company.users': { exclude: ['password', 'id'] },
  },
};

const check = (query: Record<string, unknown>, options: QueryOptions = QUERY, catalog: Catalog | undefined = users) =>
  authorize(
    parseQuery(query),
    makePermissions(options, catalog, ({ steps, column }) =>
      (steps.at(-1)?.relation.target ?? catalog) === users && column.path === 'token' ? 'hidden' : 'shown',
    ).withJoins([]),
    options.unknown,
  );
const refusal = (query: Record<string, unknown>, options?: QueryOptions) => {
  const { code, field } = refusalOf(() => check(query, options));
  return [code, field];
};

const OPEN = ['email', 'name.first', 'c.name', 'c.id', 'company.projects.name', 'profile.city', 'company.users.email'];

const CLOSED = [
  ...['password', 'secret', 'token', 'nope', 'name', 'name.last', 'settings', 'settings.theme', 'company.domain'],
  ...['c.domain', 'company.description', 'company', 'cp.isActive', 'profile.bio', 'projects.name'],
  ...['password', 'id', 'token', 'secret', 'company.name'].map((name) => `company.users.${name}`),
  'cp.company.domain',
];

test.each(OPEN)('%s is open in conditions and sorts', (name) => {
  const filter = `${name}||notnull`;
  for (const query of [{ filter }, { or: filter }, { s: JSON.stringify({ $not: { [name]: null } }) }, { sort: name }])
    expect(() => check(query)).not.toThrow();
});

test.each(CLOSED)('%s is closed, everywhere and always, unknown or forbidden alike', (name) => {
  for (const query of [
    { filter: ['email||eq||a', `${name}||eq||a`] },
    { or: `${name}||contL||a` },
    { s: JSON.stringify({ $or: [{ email: 'a' }, { $and: [{ $not: { [name]: { $or: { $starts: 'a' } } } }] }] }) },
    { sort: ['email', `${name},DESC`] },
    { join: `c||name||on[0]=${name}||eq||a` },
  ]) {
    for (const unknown of ['error', 'ignore'] as const)
      expect(refusal(query, { ...QUERY, unknown })).toEqual(['CRUD_UNKNOWN_FIELD', name]);
  }
  expect(refusalOf(() => check({ filter: `${name}||eq||1` })).message).toBe('Unknown field');
});

test('the end of the path of a relation names it in conditions if it is joined', () => {
  const filter = 'users.email||notnull';
  expect(refusal({ filter })).toEqual(['CRUD_UNKNOWN_FIELD', 'users.email']);
  expect(() => check({ filter, join: 'company.users' })).not.toThrow();
  const options = { join: { 'company.projects.users': {} } };
  expect(() => check({ filter, join: 'company.projects.users' }, options)).not.toThrow();
});

test('a client’s text that is no plain name is not repeated', () => {
  for (const name of ["a'; DROP TABLE users --", 'a b', 'ünder', '__proto__', 'a.constructor.b', 'x'.repeat(65)]) {
    expect(refusal({ filter: `${name}||notnull` })).toEqual(['CRUD_UNKNOWN_FIELD', 'filter']);
    expect(refusal({ s: JSON.stringify({ x: null }).replace('x', name) })).toEqual(['CRUD_UNKNOWN_FIELD', 's']);
    expect(refusal({ sort: name })).toEqual(['CRUD_UNKNOWN_FIELD', 'sort']);
    expect(refusal({ fields: name })).toEqual(['CRUD_UNKNOWN_FIELD', 'fields']);
    expect(refusal({ join: name })).toEqual(['CRUD_UNKNOWN_RELATION', 'join']);
  }
});

test('closed fields and relations are refused', () => {
  const aggregate = { groupBy: ['email'], functions: { email: ['max'] } } as const;
  expect(() => check({ groupBy: 'email', aggregate: 'max||email' }, { aggregate })).not.toThrow();
  for (const query of [{ groupBy: 'email' }, { aggregate: 'max||email' }])
    expect(refusal(query)).toEqual(['CRUD_UNKNOWN_FIELD', 'email']);
  for (const fields of ['email,password', 'secret', 'settings.theme', 'company.name', 'token'])
    expect(refusal({ fields })).toEqual(['CRUD_UNKNOWN_FIELD', fields.split(',').at(-1)]);
  for (const join of ['projects', 'email']) expect(refusal({ join })).toEqual(['CRUD_UNKNOWN_RELATION', join]);
  for (const join of ['company||domain', 'c||name,domain', 'company.users||password'])
    expect(refusal({ join })).toEqual(['CRUD_UNKNOWN_FIELD', join.split(/[|,]/).at(-1)]);
});

test('what is permitted stays; the rest is ignored where the options say so, and the key remains', () => {
  const left = (fields: string, join: string[], unknown?: 'ignore') => {
    const parsed = check({ fields, join }, { ...QUERY, unknown });
    return [parsed.fields, ...parsed.join.map(({ field, select }) => `${field}: ${select?.join()}`)];
  };
  expect(left('email,name', ['c||name,id', 'cp'])).toEqual([['email', 'name'], 'c: name,id', 'cp: undefined']);
  expect(left('email,password,nope', ['projects', 'c||name,domain', 'nope'], 'ignore')).toEqual([['email'], 'c: name']);
  expect(left('password', ['c||domain'], 'ignore')).toEqual([['id'], 'c: id']);
});

test('the text of a value for a JSON key gets the type that JSON gives it, unless the operator is one of texts', () => {
  const or = 'settings.x||in||1,a,true,false,01,1e10';
  expect(check({ or }, {}).condition).toEqual({ 'settings.x': { $in: [1, 'a', true, false, '01', 1e10] } });
  const filter = ['settings.a||ne||true', 'settings.b||eq||dark', 'settings.x||cont||5', 'email||eq||5'];
  const typed = [{ 'settings.a': { $ne: true } }, { 'settings.b': { $eq: 'dark' } }];
  const kept = [{ 'settings.x': { $cont: '5' } }, { email: { $eq: '5' } }];
  expect(check({ filter }, {}).condition).toEqual({ $and: [...typed, ...kept] });
  expect(check({ s: '{"settings.x": "5"}' }, {}).condition).toEqual({ 'settings.x': { $eq: '5' } });
  const join =
    'company.users||id||on[0]=company.users.settings.size||in||5\\,a,on[1]=company.users.settings.a||cont||5';
  const on = [
    { field: 'company.users.settings.size', operator: 'in', value: [5, 'a'] },
    { field: 'company.users.settings.a', operator: 'cont', value: '5' },
  ];
  expect(check({ join }, { join: { 'company.users': {} } }).join).toMatchObject([{ field: 'company.users', on }]);
});

test.each([
  [{ sort: '-email' }, 'Unknown field. Did you mean email,DESC?'],
  [{ sort: '-password' }, 'Unknown field'],
  [{ filter: '-email||notnull' }, 'Unknown field'],
  [{ join: 'nope' }, 'Unknown relation'],
  [{ join: 'users' }, 'Unknown relation. Did you mean company.users?'],
])('%j is refused, with the way to descend or the whole path', (query, message) =>
  expect(() => check(query)).toThrow(expect.objectContaining({ message })),
);

test('what is joined for conditions alone is in no cursor, group or total; keys in JSON are told from columns', () => {
  const options: QueryOptions = { join: { company: { select: false }, 'company.projects': {}, profile: {} } };
  for (const catalog of [users, undefined]) {
    const permissions = makePermissions(options, catalog);
    expect(['company.name', 'profile.city'].filter((name) => permissions.mayShow(name))).toEqual(['profile.city']);
    expect(permissions.findRelationsBySuffix('projects')).toEqual(['company.projects']);
  }
  const permissions = makePermissions(options, users);
  const closed = ['company.projects.name', 'projects.name', 'nope'];
  expect(closed.filter((name) => permissions.mayShow(name))).toEqual([]);
  expect(['profile', 'projects', 'nope'].filter((name) => permissions.maySelect('id', name))).toEqual(['profile']);
  expect(['settings.a', 'settings', 'nope'].filter((name) => permissions.isJsonKey(name))).toEqual(['settings.a']);
});

test('clients group by and aggregate what the options list and responses show, with a catalog or without', () => {
  const groupBy = ['email', 'password'];
  const aggregate = { groupBy, functions: { '*': ['count'], email: ['max'], password: ['max'] } } as const;
  for (const catalog of [users, undefined]) {
    const permissions = makePermissions({ exclude: ['password'], aggregate }, catalog);
    expect(['id', ...groupBy].map((name) => permissions.mayGroup(name, undefined))).toEqual([false, true, false]);
    const fields = ['id', '*', ...groupBy];
    expect(fields.map((field) => permissions.mayAggregate('max', field))).toEqual([false, false, true, false]);
    expect(fields.map((field) => permissions.mayAggregate('count', field))).toEqual([false, true, false, false]);
  }
});

test('without a catalog the options alone decide', () => {
  const options: QueryOptions = {
    exclude: ['password', 'meta.secret'],
    join: { company: { alias: 'c', allow: ['name'] }, 'company.projects': {} },
  };
  const permissions = makePermissions(options, undefined);
  const open = ['email', 'meta.open', 'company.name', 'c.name', 'company.projects.any'];
  const closed = ['password', 'password.x', 'meta', 'meta.secret', 'meta.secret.x', 'company.domain', 'c.domain'];
  const names = [...open, ...closed, '', 'a..b', 'a\0'];
  expect(names.filter((name) => permissions.mayCompare(name))).toEqual(open);
  const relations = ['company', 'c', 'company.projects', 'projects', 'toString'];
  expect(relations.filter((name) => permissions.mayJoin(name))).toEqual(['company', 'c', 'company.projects']);
  const selected: [name: string, relation?: string][] = [['name', 'c'], ['domain', 'c'], ['password']];
  expect(selected.map((names) => permissions.maySelect(...names))).toEqual([true, false, false]);
});

test('a nested relation needs its own option, those before it do not', () => {
  const ask = (query: Record<string, string>) => check(query, { join: { 'parent.parent': {} } }, categories);
  const codeOf = (query: Record<string, string>) => refusalOf(() => ask(query)).code;
  expect(() => ask({ filter: 'parent.parent.name||eq||a', join: 'parent.parent' })).not.toThrow();
  expect(codeOf({ filter: 'parent.name||eq||a' })).toBe('CRUD_UNKNOWN_FIELD');
  expect(codeOf({ join: 'parent' })).toBe('CRUD_UNKNOWN_RELATION');
});
