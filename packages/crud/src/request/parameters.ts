/** A route and its resource in, the query parameters that are read there out; what is not read is not even checked. */
import type { ParameterName } from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/options.js';
import type { BaseRouteName } from '../routes/route-table.js';

const SHAPE: readonly ParameterName[] = ['fields', 'join', 'cache', 'extra'];
const CONDITION: readonly ParameterName[] = ['search', 'filter', 'or'];
const LIST: readonly ParameterName[] = ['sort', 'limit', 'offset', 'page'];

const shape = parameterSets(SHAPE);
const narrowed = parameterSets([...SHAPE, ...CONDITION]);
const list = parameterSets([...SHAPE, ...CONDITION, ...LIST]);

/** Writes are never narrowed by a client's condition, and single records are neither sorted nor paged. */
const PARAMETERS = {
  getManyBase: list,
  getOneBase: narrowed,
  createOneBase: shape,
  createManyBase: shape,
  updateOneBase: shape,
  replaceOneBase: shape,
  deleteOneBase: shape,
  recoverOneBase: shape,
} satisfies Record<BaseRouteName, ReturnType<typeof parameterSets>>;

/** Parameters that a route reads; a handler of the application's own, which has no route name, reads all. */
export function parametersOf(
  route: BaseRouteName | undefined,
  { softDelete }: Pick<QueryOptions, 'softDelete'>,
): ReadonlySet<ParameterName> {
  return (route === undefined ? list : PARAMETERS[route])[softDelete ? 'soft' : 'hard'];
}

/** Without soft delete `includeDeleted` means nothing and is ignored. */
function parameterSets(names: readonly ParameterName[]): Record<'soft' | 'hard', ReadonlySet<ParameterName>> {
  return { hard: new Set(names), soft: new Set<ParameterName>([...names, 'includeDeleted']) };
}
