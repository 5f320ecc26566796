/** Resource definitions as literals, for tests of requests. */
import type { ParamsOptions } from '@nestwright/crud-request';
import type { SettledRoutesOptions } from '../../src/definition/route-options.js';
import type { OperatorsOptions } from '../../src/definition/options.js';
import type { QueryOptions } from '../../src/definition/query-options.js';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';

export class User {}

export const ID: ParamsOptions = { id: { field: 'id', type: 'number', primary: true } };

export function define(
  query: QueryOptions = {},
  params: ParamsOptions = ID,
  routes: SettledRoutesOptions = {},
  operators: OperatorsOptions = {},
): ResourceDefinition {
  return {
    controller: 'UsersController',
    model: User,
    modelName: 'User',
    options: Object.freeze({ query: Object.freeze(query), routes, params, operators }),
    dto: {},
    serialize: {},
    validation: {},
    language: {},
    routes: new Set(),
  };
}
