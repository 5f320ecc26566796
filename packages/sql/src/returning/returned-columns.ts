import { type Catalog, getOrInsert, optionsOf, planRead, type ReadPlan } from '@nestwright/crud/adapter';
import { LruCache } from '../lru-cache.js';
import { compileReturned, printPlanShape, type Returned } from '../select/index.js';
import { readOptions, withoutJoins, type WriteContext } from '../statements/write-context.js';
import { isOwnRead } from './reasons-against.js';
import { getDatabase } from '../database/database.js';

const compiled = new LruCache<Returned>();

/** The columns of a plan, whatever its condition. */
export function compilePlanColumns({ request, store }: WriteContext, { where: _, ...plan }: ReadPlan): Returned {
  const database = getDatabase(store.executor);
  const options = readOptions(request);

  return compiled.get(database, printPlanShape(plan, database, options), (weigh) =>
    compileReturned(plan, database, options, weigh),
  );
}

/** The columns, or that the answer needs more than the row, by the options of `query`. */
const byOptions = new WeakMap<object, WeakMap<Catalog, { readonly columns: Returned | undefined }>>();

/**
 * The columns that a request is answered with; undefined if the answer needs more than the row.
 *
 * @param shallow Whether joined relations are left out of the answer.
 */
export function returnedColumns(context: WriteContext, shallow: boolean): Returned | undefined {
  const request = shallow ? withoutJoins(context.request) : context.request;
  const { fields, join, includeDeleted } = request.parsed;
  const query = optionsOf(request)?.query;

  // Frozen options do not change, so only the request's fields, joins and deleted records can change the result.
  if (!query || !Object.isFrozen(query) || fields?.length || join?.length || includeDeleted)
    return planned({ ...context, request });

  const byCatalog = getOrInsert(byOptions, query, () => new WeakMap());

  return getOrInsert(byCatalog, context.catalog, () => ({ columns: planned({ ...context, request }) })).columns;
}

function planned(context: WriteContext): Returned | undefined {
  const { request, catalog } = context;
  const plan = planRead({ ...request, parsed: { ...request.parsed, search: {} } }, catalog, 'one');

  return isOwnRead(plan) ? compilePlanColumns(context, plan) : undefined;
}
