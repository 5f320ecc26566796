/** Which query parameters a route reads. Other parameters are ignored, not checked. */
import type { ParameterName } from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/query-options.js';
import type { BaseRouteName } from '../routes/route-table.js';

const SHAPE: readonly ParameterName[] = ['fields', 'join', 'cache', 'extra'];
const CONDITION: readonly ParameterName[] = ['search', 'filter', 'or'];
const PART: readonly ParameterName[] = ['limit', 'offset', 'page'];
const LIST: readonly ParameterName[] = ['sort', ...PART];
const CURSOR: readonly ParameterName[] = ['cursor', 'total'];

const shape = parameterSets(SHAPE);
const narrowed = parameterSets([...SHAPE, ...CONDITION]);
const matching = parameterSets([...SHAPE, ...CONDITION, ...LIST]);
/** What decides on the records of a list: a joined relation may be `required`. */
const counted = parameterSets([...CONDITION, 'join', 'extra']);
/** The rows of an answer are sorted and paged as records are. */
const aggregated = parameterSets([...CONDITION, ...LIST, 'join', 'extra', 'groupBy', 'aggregate', 'having']);
const list = parameterSets([...SHAPE, ...CONDITION, ...LIST]);
const listByCursor = parameterSets([...SHAPE, ...CONDITION, ...LIST, ...CURSOR]);
const exported = parameterSets([...SHAPE, ...CONDITION, ...LIST, 'format']);
const exportedByCursor = parameterSets([...SHAPE, ...CONDITION, ...LIST, ...CURSOR, 'format']);

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
  countBase: counted,
  aggregateBase: aggregated,
  updateManyBase: shape,
  replaceManyBase: shape,
  deleteManyBase: shape,
  recoverManyBase: shape,
} satisfies Record<BaseRouteName, ReturnType<typeof parameterSets>>;

/** Parameters that a route reads; a handler of the application's own, which has no route name, reads all. */
export function parametersOf(
  route: BaseRouteName | undefined,
  { softDelete, cursor, export: exports }: Pick<QueryOptions, 'softDelete' | 'cursor' | 'export'>,
): ReadonlySet<ParameterName> {
  const sets = route === undefined ? list : PARAMETERS[route];
  const wide = exports && route ? (cursor ? exportedByCursor : exported) : cursor ? listByCursor : list;

  return (sets === list ? wide : sets)[softDelete ? 'soft' : 'hard'];
}

/** Without soft delete `includeDeleted` means nothing and is ignored. */
function parameterSets(names: readonly ParameterName[]): Record<'soft' | 'hard', ReadonlySet<ParameterName>> {
  return { hard: new Set(names), soft: new Set<ParameterName>([...names, 'includeDeleted']) };
}

/** Parameters of a route that writes all records which a condition matches; those for a part of them are read to be refused. */
export function matchingParameters({ softDelete }: Pick<QueryOptions, 'softDelete'>): ReadonlySet<ParameterName> {
  return matching[softDelete ? 'soft' : 'hard'];
}
