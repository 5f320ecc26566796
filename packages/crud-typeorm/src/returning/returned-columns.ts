/** The columns that a write returns, computed once if only the options decide them. */
import { type Catalog, optionsOf, planRead, type ReadPlan } from '@nestwright/crud/adapter';
import { readOptions, withoutJoins, type WriteContext } from '../statements/write-context.js';
import { LruCache } from '../lru-cache.js';
import { compileReturned, type Returned, shapeOfPlan } from '../sql/index.js';
import { isOwnRead } from './reasons-against.js';

/** The RETURNING list. */
export interface ReturnedColumns {
  readonly list: Returned;
  /** Equal for equal lists. */
  readonly shape: string;
}

const returned = new LruCache<Returned>();

/** The columns of a plan, of which the condition counts for nothing. */
export function columnsOfPlan({ request, manager }: WriteContext, { where: _, ...plan }: ReadPlan): ReturnedColumns {
  const { connection } = manager;
  const options = readOptions(request);
  const shape = shapeOfPlan(plan, connection, options);

  return { list: returned.get(connection, shape, (weigh) => compileReturned(plan, connection, options, weigh)), shape };
}

type Answered = { readonly columns: ReturnedColumns | undefined };

const shallowly = new WeakMap<object, WeakMap<Catalog, Answered>>();
const deeply = new WeakMap<object, WeakMap<Catalog, Answered>>();

/**
 * The columns that a request is answered with if nothing is asked of the row.
 *
 * @param shallow Whether joined relations are left out of the answer.
 */
export function returnedColumns(context: WriteContext, shallow: boolean): ReturnedColumns | undefined {
  const { request, catalog } = context;
  const { parsed } = request;
  const query = optionsOf(request)?.query;

  // Frozen options do not change, so only the request's fields, joins and deleted records can change the result.
  if (
    !query ||
    !Object.isFrozen(query) ||
    parsed.fields?.length ||
    parsed.includeDeleted ||
    (!shallow && parsed.join?.length)
  ) {
    return planned(context, shallow);
  }

  const kept = shallow ? shallowly : deeply;
  let byCatalog = kept.get(query);

  if (!byCatalog) {
    byCatalog = new WeakMap();
    kept.set(query, byCatalog);
  }

  let known = byCatalog.get(catalog);

  if (!known) {
    known = { columns: planned(context, shallow) };
    byCatalog.set(catalog, known);
  }

  return known.columns;
}

function planned(context: WriteContext, shallow: boolean): ReturnedColumns | undefined {
  const bare = shallow ? withoutJoins(context.request) : context.request;
  const plan = planRead({ ...bare, parsed: { ...bare.parsed, search: {} } }, context.catalog, 'one');

  return isOwnRead(plan) ? columnsOfPlan(context, plan) : undefined;
}
