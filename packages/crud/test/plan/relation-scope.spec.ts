/** Conditions of a request on related records, and the relations of which entities they hold for. */
import { describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { SCondition } from '@nestwright/crud-request';
import type { CatalogColumn } from '../../src/plan/catalog.js';
import { planReach } from '../../src/plan/read.js';
import { isOwnEntity, relationScopes } from '../../src/plan/relation-scope.js';
import type { CrudRequest } from '../../src/crud-request.js';
import { catalog, categories, column, companies, projects, recordClass, relation, users } from './catalogs.js';
import { print, requestOf } from './plans.js';

type Scoping = { relations?: CrudRequest['parsed']['authRelations']; linkScope?: SCondition };
const scopes = ({ relations, linkScope }: Scoping, root = users) =>
  relationScopes({ ...requestOf({ ...(relations && { authRelations: relations }) }), linkScope }, root);

const of = (entity: typeof users, path: string) => [entity, entity.relations.get(path)!] as const;
const members = { isActive: true };

test('a condition on a path holds wherever the property at its end is reached', () => {
  const { reading, linking } = scopes({ relations: { 'company.users': members } });
  const direct = scopes({ relations: { users: members } }, companies);
  for (const scope of [reading, linking, direct.reading]) expect(scope(...of(companies, 'users'))).toBe(members);
});

test('a condition by path holds for no other relation, to the same entity or from it', () => {
  const { reading, linking } = scopes({ relations: { 'company.users': members } });
  expect(scopes({}).reading(...of(companies, 'users'))).toBeUndefined();
  const others = [of(projects, 'users'), of(users, 'company'), of(companies, 'projects'), of(users, 'projects')];
  for (const other of others) expect([reading(...other), linking(...other)]).toEqual([undefined, undefined]);
});

test('conditions by path on one relation must all hold, those that free it left out', () => {
  const relations = { company: { id: 1 }, 'projects.users.company': { name: 'x' }, 'company.users.company': false };
  const { reading } = scopes({ relations } as Scoping);
  expect(reading(...of(users, 'company'))).toStrictEqual({ $and: [{ id: 1 }, { name: 'x' }] });
  for (const free of [false, {}] as const) {
    const { reading, linking } = scopes({ relations: { company: free } });
    expect([reading(...of(users, 'company')), linking(...of(users, 'company'))]).toEqual([undefined, undefined]);
  }
});

test.each(['nope', 'company.name', '__proto__'])('a condition by %j, which is no path, is a mistake', (path) =>
  expect(() => scopes({ relations: { [path]: false } })).toThrow('but User has no such relation'),
);

test('a condition by path that is not given matches nothing, and is logged', () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const found = scopes({ relations: { company: undefined, 'projects.company': false } });
  expect(error).not.toHaveBeenCalled();
  for (const scope of [found.reading, found.linking]) expect(scope(...of(users, 'company'))).toEqual({ $or: [] });
  expect(scopes({ relations: { company: null as never } }).reading(...of(users, 'company'))).toEqual({ $or: [] });
  expect(error.mock.calls.flat().join()).toContain('@CrudAuth.relations["company"] gave no condition');
  error.mockRestore();
});

class Person {}
class Employee extends Person {}
class Guest extends Person {}

test('a condition by path holds for entities that share the relation by inheritance', () => {
  const company = relation('company', 'many-to-one', () => companies);
  const inherited = relation('company', 'many-to-one', () => companies);
  const id = column('id', 'integer', { primary: true });
  const people = { ...catalog('Person', [id], [company]), target: Person };
  const employees = { ...catalog('Employee', [id], [inherited]), target: Employee };
  expect(scopes({ relations: { company: { id: 1 } } }, people).reading(employees, inherited)).toEqual({ id: 1 });
  expect(scopes({ relations: { company: { id: 1 } } }, employees).reading(people, company)).toEqual({ id: 1 });
  const named = { ...people, target: 'people' };
  expect(scopes({ relations: { company: { id: 1 } } }, people).reading(named, inherited)).toBeUndefined();
  const others = [relation('former', 'many-to-one', () => companies), relation('company', 'many-to-one', () => users)];
  const { reading } = scopes({ relations: { company: { id: 1 } } }, people);
  expect(others.map((other) => reading(employees, other))).toStrictEqual([undefined, undefined]);
});

describe('a relation to the own entity, without a condition of its own', () => {
  const [linkScope, own] = [{ name: 'acme' }, of(categories, 'parent')];

  test("has the resource's filter for links, not for reading, from whichever entity it is reached", () => {
    const { reading, linking } = scopes({ linkScope }, categories);
    const ofUsers = scopes({ linkScope }, users);
    expect([linking(...own), linking(...of(categories, 'children'))]).toEqual([linkScope, linkScope]);
    expect(reading(...own)).toBeUndefined();
    expect(ofUsers.linking(...of(projects, 'users'))).toBe(linkScope);
    expect(ofUsers.linking(...of(users, 'company'))).toBeUndefined();
  });

  test('a condition by path stands in for the filter, also one that frees the relation', () => {
    const linked = (parent: false | object) => scopes({ linkScope, relations: { parent } }, categories).linking(...own);
    expect([linked(false), linked({}), linked({ id: 1 })]).toEqual([undefined, undefined, { id: 1 }]);
  });

  test.each<[filter: object, passedOver: boolean]>([
    [{ id: 7 }, true],
    [{ $or: [{ id: 7 }, { id: { $in: [8] } }] }, true],
    [{ id: 7, name: 'acme' }, false],
    [{ id: { $nope: 1 } }, false],
  ])('a filter that is on the primary key alone says nothing of others: %j', (filter, passedOver) =>
    expect(scopes({ linkScope: filter }, categories).linking(...own)).toEqual(passedOver ? undefined : filter),
  );

  test('a part of a composite key is no whole one', () => {
    const key: Partial<CatalogColumn> = { primary: true };
    const parent = relation('parent', 'many-to-one', () => tasks);
    const tasks = catalog('Task', [column('tenant', 'text', key), column('id', 'integer', key)], [parent]);
    const own = of(tasks, 'parent');
    expect(scopes({ linkScope: { tenant: 'a' } }, tasks).linking(...own)).toEqual({ tenant: 'a' });
    expect(scopes({ linkScope: { tenant: 'a', id: 1 } }, tasks).linking(...own)).toBeUndefined();
  });
});

test('conditions on the own entity use the short names of the resource, those on other entities do not', () => {
  const request = requestOf({}, { join: { company: { alias: 'c' } } });
  const asked = { root: users, condition: { 'c.name': 'x' }, keys: [[1], [2]] };
  const reach = (target: typeof users) => planReach(request, { ...asked, target, columns: target.primary });
  expect(print(reach(users).where)).toBe('(c.name eq $0 AND User.id in $1)');
  expect(() => reach(projects)).toThrow('Unknown field');
});

test('the own entity is the same one, or one that shares its table by inheritance', () => {
  const entity = (target: unknown, ...heirs: unknown[]) => {
    const recordClasses = [target, ...heirs].map((one) => recordClass(one));
    return { ...catalog('Entity', []), target, recordClasses };
  };
  const person = entity(Person, Employee, Guest);
  expect([isOwnEntity(person, entity(Person)), isOwnEntity(person, entity(Employee))]).toEqual([true, true]);
  expect([isOwnEntity(entity(Employee), person), isOwnEntity(entity(Employee), entity(Guest))]).toEqual([true, false]);
  expect(isOwnEntity(entity(Person), entity(Employee))).toBe(false);
  expect(isOwnEntity({ ...person, recordClasses: undefined }, entity(Employee))).toBe(false);
  expect([isOwnEntity(users, { ...users }), isOwnEntity(users, companies)]).toEqual([true, false]);
});
