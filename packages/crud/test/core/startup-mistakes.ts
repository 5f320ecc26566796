/** Mistakes in the options of a resource, by what the start says of them. */
import { CrudRoutesFactory } from '@nestwright/crud';

export class User {
  id!: number;
}

type Options = Record<string, unknown>;
export type Setup = { options?: Options; auth?: Options; path?: string };

class Lost extends CrudRoutesFactory {
  protected setSwaggerOperation(): void {}
}

class Named {
  static readonly '~standard' = { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) };
}

/** Options `query`. */
const QUERY: Record<string, Options> = {
  'limits.conditionz is 5, but there is no such option': { limits: { conditionz: 5 } },
  'limit is 0, but must be an integer above 0': { limit: 0 },
  'maxLimit is "100", but must be an integer above 0, or false': { maxLimit: '100' },
  'cache is -1, but must be milliseconds from 0, or false': { cache: -1 },
  'limits.joins is 0, but must be an integer above 0': { limits: { joins: 0 } },
  'alwaysPaginate is "yes", but must be true or false': { alwaysPaginate: 'yes' },
  'sort[0].order is "UP", but must be one of ASC, DESC': { sort: [{ field: 'id', order: 'UP' }] },
  'unknown is "skip", but must be one of error, ignore': { unknown: 'skip' },
  'join is ["company"], but must be an object': { join: ['company'] },
  'exclude is "email", but must be a list of names': { exclude: 'email' },
  'cache is 500, but there is no cache': { cache: 500 },
};

const id = { type: 'number', primary: true };

/** Any options. */
const OPTIONS: Record<string, Options> = {
  'qeury is {}, but there is no such option; did you mean query?': { qeury: {} },
  'dto.create is {"name":"text"}, but must be a class or a Standard Schema': { dto: { create: { name: 'text' } } },
  'dto.insert is User, but there is no such option; known are create, update, replace': { dto: { insert: User } },
  'model.type is Named, a Standard Schema, which cannot validate the partial bodies of updateOneBase: name dto.update':
    { model: { type: Named }, routes: { only: ['updateOneBase'] } },
  'routes has aggregateBase, but no field may be grouped or computed: list in query.aggregate what clients may group': {
    routes: { aggregateBase: true },
  },
  'service has no method updateMatching, which updateManyBase calls since routes.updateManyBase.byCondition is true': {
    routes: { updateManyBase: { byCondition: true } },
  },
  'openapi.operationIds is "tiny", but must be one of long, short': { openapi: { operationIds: 'tiny' } },
  'openapi.singular is "a user", but must be a name of letters, digits and _': { openapi: { singular: 'a user' } },
  'validation is true, but must be the options of a ValidationPipe, with columns: all or declared, or false': {
    validation: true,
  },
  'routes.updateOneBase.requireMatch is true, but answers have no tags to match: set query.etag': {
    routes: { updateOneBase: { requireMatch: true } },
  },
  'routes.deleteOneBase.returnDelete is true, but there is no such option': {
    routes: { deleteOneBase: { returnDelete: true } },
  },
  'routes.getAllBase is {}, but there is no such option; known are exclude, only,': { routes: { getAllBase: {} } },
  'routes.only is ["getMany"], but must name routes: getManyBase,': { routes: { only: ['getMany'] } },
  'params.id.type is "int", but must be one of number, string, uuid': { params: { id: { ...id, type: 'int' } } },
  'params.companyId is {"field":"companyId","type":"number"}, but the path "users" has no :companyId': {
    params: { companyId: { field: 'companyId', type: 'number' } },
  },
  'params has no primary parameter, so that getOneBase cannot tell which record is meant: add @CrudAuth({ filter })': {
    params: { id: { disabled: true } },
    routes: { only: ['getOneBase'] },
  },
  'operators.custom.eq has the name of a built-in operator': { operators: { custom: { eq: { query: () => '' } } } },
  'operators.custom.near.query is undefined, but must be a function': { operators: { custom: { near: {} } } },
  'routesFactory is Lost, which overrides setSwaggerOperation; nothing calls it here: override setDecorators': {
    routesFactory: Lost,
  },
};

/** Options of `@CrudAuth()`. */
const AUTH: Record<string, Options> = {
  'filter is {"id":1}, but must be a function': { filter: { id: 1 } },
  'relations.company is true, but must be a function, or false, or an object': { relations: { company: true } },
  'relations.company.id is 1, but there is no such option; known are filter, persist': {
    relations: { company: { id: 1 } },
  },
  'relations.company.persist is {"name":"x"}, but must be a function': {
    relations: { company: { persist: { name: 'x' } } },
  },
};

/** Setups by what the start says of them. */
export const MISTAKES: readonly (readonly [message: string, setup: Setup])[] = [
  ...Object.entries(QUERY).map(([message, query]) => [`query.${message}`, { options: { query } }] as const),
  ...Object.entries(OPTIONS).map(([message, options]) => [message, { options }] as const),
  ...Object.entries(AUTH).map(([message, auth]) => [`@CrudAuth: ${message}`, { auth }] as const),
  [
    'the path "companies/:companyId/users" has :companyId, but params does not name it, so that getManyBase would serve the same records whatever :companyId is: ' +
      "add companyId: { field: '<a column>', type: 'string' } to params, or companyId: { disabled: true } where it selects no records",
    { path: 'companies/:companyId/users' },
  ],
  [
    'params.id is primary, so that routes of one record end in :id, but the path "users/:id" has it already',
    { options: { params: { id: { ...id, field: 'id' } } }, path: 'users/:id' },
  ],
  [
    'routes has getManyBase and getOneBase, but without a primary parameter both are GET on the same path',
    { options: { params: { id: { disabled: true } } }, auth: { filter: () => ({ id: 1 }) } },
  ],
];

const ofOne = { model: { type: Named }, routes: { only: ['updateOneBase'] } };

/** Setups in which nothing is wrong. */
export const SOUND: readonly (readonly [what: string, setup: Setup])[] = [
  [
    'names of fields, of relations and of aliases',
    {
      options: {
        query: {
          join: { company: { alias: 'c', allow: ['name'] }, friends: { persist: ['email'] } },
          exclude: ['name'],
          persist: ['email'],
          sort: [{ field: 'c.name', order: 'ASC' }],
          filter: [{ field: 'c.name', operator: '$eq', value: 'x' }],
          limits: { joins: 3 },
        },
      },
    },
  ],
  [
    'a key in the path, where no route adds it',
    { options: { params: { id: { ...id, field: 'id' } }, routes: { only: ['getManyBase'] } }, path: 'users/:id' },
  ],
  [
    'no key, where no route needs it',
    { options: { params: { id: { disabled: true } }, routes: { only: ['getManyBase'] } } },
  ],
  ['a schema of whole records that validates nothing', { options: { ...ofOne, validation: false } }],
  [
    'one that does not validate the route',
    { options: { ...ofOne, routes: { ...ofOne.routes, updateOneBase: { validation: false } } } },
  ],
  ['an operator whose name has a $', { options: { operators: { custom: { e$q: { query: () => '' } } } } }],
];
