/** Mistakes in the options of a resource, by what the start says of them. */
import { type Type } from '@nestjs/common';
import { CrudRoutesFactory } from '@nestwright/crud';

export class User {
  id!: number;
}

export interface Setup {
  options?: Record<string, unknown>;
  auth?: Record<string, unknown>;
  path?: string;
  /** Puts methods on the class, in the manner of decorators. */
  build?: () => Type<object>;
}

export const query = (value: object): Setup => ({ options: { query: value } });
const routes = (value: object): Setup => ({ options: { routes: value } });
const params = (value: object, path?: string): Setup => ({ options: { params: value }, ...(path && { path }) });

class Lost extends CrudRoutesFactory {
  protected setSwaggerOperation(): void {
    // Nothing calls it.
  }
}

class Named {
  static readonly '~standard' = { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) };
}

/** Setups by what the start says of them. */
export const MISTAKES: Record<string, Setup> = {
  'qeury is {}, but there is no such option; did you mean query?': { options: { qeury: {} } },
  'query.maxlimit is 5, but there is no such option; did you mean maxLimit?': query({ maxlimit: 5 }),
  'dto.create is {"name":"text"}, but must be a class or a Standard Schema': {
    options: { dto: { create: { name: 'text' } } },
  },
  'model.type is Named, a Standard Schema, which cannot validate the partial bodies of updateOneBase: name dto.update':
    { options: { model: { type: Named }, routes: { only: ['updateOneBase'] } } },
  'routes.updateOneBase.requireMatch is true, but answers have no tags to match: set query.etag': routes({
    updateOneBase: { requireMatch: true },
  }),
  'openapi.operationIds is "tiny", but must be one of long, short': { options: { openapi: { operationIds: 'tiny' } } },
  'openapi.singular is "a user", but must be a name of letters, digits and _': {
    options: { openapi: { singular: 'a user' } },
  },
  'query.join.company.eagre is true, but there is no such option': query({ join: { company: { eagre: true } } }),
  'routes.deleteOneBase.returnDelete is true, but there is no such option': routes({
    deleteOneBase: { returnDelete: true },
  }),
  'routes.getAllBase is {}, but there is no such option; known are exclude, only, getManyBase,': routes({
    getAllBase: {},
  }),
  'params.id.feild is "id", but there is no such option; did you mean field?': params({ id: { feild: 'id' } }),
  'query.limits.conditionz is 5, but there is no such option': query({ limits: { conditionz: 5 } }),
  'serialize.getAll is User, but there is no such option': { options: { serialize: { getAll: User } } },
  'dto.insert is User, but there is no such option; known are create, update, replace': {
    options: { dto: { insert: User } },
  },
  'routes.only is ["getMany"], but must name routes: getManyBase,': routes({ only: ['getMany'] }),
  'routes.exclude is ["deleteBase"], but must name routes:': routes({ exclude: ['deleteBase'] }),
  'query.limit is 0, but must be an integer above 0': query({ limit: 0 }),
  'query.maxLimit is "100", but must be an integer above 0, or false': query({ maxLimit: '100' }),
  'query.cache is -1, but must be milliseconds from 0, or false': query({ cache: -1 }),
  'query.limits.joins is 0, but must be an integer above 0': query({ limits: { joins: 0 } }),
  'query.alwaysPaginate is "yes", but must be true or false': query({ alwaysPaginate: 'yes' }),
  'query.sort[0].order is "UP", but must be one of ASC, DESC': query({ sort: [{ field: 'id', order: 'UP' }] }),
  'query.unknown is "skip", but must be one of error, ignore': query({ unknown: 'skip' }),
  'query.join is ["company"], but must be an object': query({ join: ['company'] }),
  'query.conditions is "email", but must be a list of names': query({ conditions: 'email' }),
  'query.conditions names "emial", but User has no such field; it has id, email,': query({ conditions: ['emial'] }),
  'query.conditions names "company.nmae", but Company has no such field; it has id, name': query({
    conditions: ['company.nmae'],
    join: { company: {} },
  }),
  'query.conditions names "company.name", but User has no such field; it has id, email,': query({
    conditions: ['company.name'],
  }),
  'query.exclude is "email", but must be a list of names': query({ exclude: 'email' }),
  'dto.create is {}, but must be a class': { options: { dto: { create: {} } } },
  'validation is true, but must be the options of a ValidationPipe, with columns: all or declared, or false': {
    options: { validation: true },
  },
  'params.id.type is "int", but must be one of number, string, uuid': params({ id: { type: 'int', primary: true } }),
  '@CrudAuth: fliter is a function, but there is no such option; did you mean filter?': {
    auth: { fliter: () => ({}) },
  },
  '@CrudAuth: relations.company is true, but must be a function, or false, or an object': {
    auth: { relations: { company: true } },
  },
  '@CrudAuth: relations.company.id is 1, but there is no such option; known are filter, persist': {
    auth: { relations: { company: { id: 1 } } },
  },
  '@CrudAuth: relations.company.presist is a function, but there is no such option; did you mean persist?': {
    auth: { relations: { company: { presist: () => ({ name: 'x' }) } } },
  },
  '@CrudAuth: relations.company.persist is {"name":"x"}, but must be a function': {
    auth: { relations: { company: { persist: { name: 'x' } } } },
  },
  '@CrudAuth: relations.friends.persist names "mail", but User has no such field; it has id, email': {
    auth: { relations: { friends: { persist: (user: { id: number }) => ({ company: user.id, mail: 'x' }) } } },
  },
  '@CrudAuth: relations names "compnay", but User has no relation compnay; it has company, friends': {
    auth: { relations: { compnay: { persist: () => ({ name: 'x' }) } } },
  },
  '@CrudAuth: relations names "company.nope", but Company has no relation nope; it has none': {
    auth: { relations: { company: () => ({ id: 1 }), 'company.nope': false } },
  },
  '@CrudAuth: filter is {"id":1}, but must be a function': { auth: { filter: { id: 1 } } },
  'query.allow names "mail", but User has no such field; it has id, email, name.first, settings, avatar, companyId':
    query({ allow: ['id', 'mail'] }),
  'query.exclude names "pasword", but User has no such field': query({ exclude: ['pasword'] }),
  'query.persist names "created", but User has no such field': query({ persist: ['created'] }),
  'query.persist names "email", which query.exclude keeps from every response': query({
    persist: ['email'],
    exclude: ['email'],
  }),
  'query.join names "compnay", but User has no relation compnay; it has company, friends': query({
    join: { compnay: {} },
  }),
  'query.join names "company.owner", but Company has no relation owner; it has none': query({
    join: { company: {}, 'company.owner': {} },
  }),
  'query.join names "company.owner.role", but Company has no relation owner; it has none': query({
    join: { company: {}, 'company.owner.role': {} },
  }),
  'query.join.company.exclude names "secret", but Company has no such field; it has id, name': query({
    join: { company: { exclude: ['secret'] } },
  }),
  'query.join.company.persist names "name", which query.join.company.exclude keeps from every response': query({
    join: { company: { persist: ['name'], exclude: ['name'] } },
  }),
  'query.join.friends.alias is "X", which is the name of query.join.company': query({
    join: { company: { alias: 'x' }, friends: { alias: 'X' } },
  }),
  'query.join.company.alias is "user", which is the name of the model itself': query({
    join: { company: { alias: 'user' } },
  }),
  'query.sort[0].field is "age", but User has no such field': query({ sort: [{ field: 'age', order: 'ASC' }] }),
  'query.sort[0].field is "company.nmae", but Company has no field nmae': query({
    join: { company: {} },
    sort: [{ field: 'company.nmae', order: 'ASC' }],
  }),
  'query.sort[0].field is "friends.email", which may be several values of one record': query({
    join: { friends: {} },
    sort: [{ field: 'friends.email', order: 'ASC' }],
  }),
  'query.sort[0].field is "settings.theme", which has no order (json)': query({
    sort: [{ field: 'settings.theme', order: 'ASC' }],
  }),
  'query.sort[0].field is "avatar", which has no order (binary)': query({ sort: [{ field: 'avatar', order: 'ASC' }] }),
  'query.filter names "emial", but User has no such field': query({ filter: { $and: [{ emial: 'x' }] } }),
  'query.filter names "mail", but User has no such field': query({
    filter: [{ field: 'mail', operator: '$eq', value: 1 }],
  }),
  'query.filter is {"email":{"$like":"x"}}: ': query({ filter: { email: { $like: 'x' } } }),
  'params.id.field is "uid", but User has no such field': params({
    id: { field: 'uid', type: 'number', primary: true },
  }),
  'params.companyId is {"field":"companyId","type":"number"}, but the path "users" has no :companyId': params({
    companyId: { field: 'companyId', type: 'number' },
  }),
  ['the path "companies/:companyId/users" has :companyId, but params does not name it, so that getManyBase would serve the same records whatever :companyId is: ' +
  "add companyId: { field: '<a column>', type: 'string' } to params, or companyId: { disabled: true } where it selects no records"]:
    { path: 'companies/:companyId/users' },
  'params.id is primary, so that routes of one record end in :id, but the path "users/:id" has it already': params(
    { id: { field: 'id', type: 'number', primary: true } },
    'users/:id',
  ),
  'query.softDelete is true, but User has no delete-date column': query({ softDelete: true }),
  'query.cache is 500, but there is no cache': query({ cache: 500 }),
  'params has no primary parameter, so that getOneBase cannot tell which record is meant: add @CrudAuth({ filter })': {
    options: { params: { id: { disabled: true } }, routes: { only: ['getOneBase'] } },
  },
  'routes has getManyBase and getOneBase, but without a primary parameter both are GET on the same path': {
    options: { params: { id: { disabled: true } } },
    auth: { filter: () => ({ id: 1 }) },
  },
  'operators.custom.eq has the name of a built-in operator': {
    options: { operators: { custom: { eq: { query: () => '' } } } },
  },
  'operators.custom.near.query is undefined, but must be a function': {
    options: { operators: { custom: { near: {} } } },
  },
  'routesFactory is Lost, which overrides setSwaggerOperation; nothing calls it here: override setDecorators': {
    options: { routesFactory: Lost },
  },
};
