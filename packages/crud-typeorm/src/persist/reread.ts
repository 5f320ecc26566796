/** Keys of records just written go in, the records as the request wants to see them come out; a record that left the request's scope is refused with a 400, which undoes the write. */
import {
  crudError,
  type CrudRequest,
  type CrudRequestOptions,
  optionsOf,
  planRead,
  planRecord,
  project,
  type ReadPlan,
  scopeOf,
} from '@nestwright/crud';
import type { SCondition } from '@nestwright/crud-request';
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { read } from '../sql/index.js';
import { keyText } from './values.js';
import { type Key, readOptions, type WriteContext } from './write-context.js';

/** Most keys of one statement. */
const KEYS = 1000;

/** How a record is read again. */
export interface RereadOptions {
  /** Whether the answer leaves joined relations out. */
  readonly shallow: boolean;
}

/**
 * Reads one record again, within the request's scope, with its joins or without.
 *
 * @example
 * const user = await reread(context, runner, { id: 3 }, { shallow: false });
 */
export async function reread(
  { request, catalog }: WriteContext,
  runner: QueryRunner,
  key: Key,
  { shallow }: RereadOptions,
): Promise<ObjectLiteral> {
  const [record] = await read(
    planRecord(shallow ? withoutJoins(request) : request, catalog, key),
    runner,
    readOptions(request),
  );

  return record ?? refuse();
}

/** Reads the records of a bulk insert again, without joins, in the order of their keys. */
export async function rereadAll(
  { request, catalog }: WriteContext,
  runner: QueryRunner,
  keys: readonly Key[],
): Promise<ObjectLiteral[]> {
  const paths = catalog.primary.map(({ path }) => path);
  const found = new Map<string, ObjectLiteral>();
  const bare = withoutJoins(request);

  for (let start = 0; start < keys.length; start += KEYS) {
    const search: SCondition = { $and: [anyOf(paths, keys.slice(start, start + KEYS)), scopeOf(request)] };
    const { plan, trim } = withVisibleKey(planRead({ ...bare, parsed: { ...bare.parsed, search } }, catalog, 'one'));

    for (const record of await read(plan, runner, readOptions(request))) {
      found.set(keyText(paths.map((path) => at(record, path))), trim(record));
    }
  }

  return keys.map((key) => found.get(keyText(paths.map((path) => key[path]))) ?? refuse());
}

function refuse(): never {
  throw crudError('CRUD_OUT_OF_SCOPE');
}

/** One of several keys; a list where the key is one column. */
function anyOf(paths: readonly string[], keys: readonly Key[]): SCondition {
  const [only, ...others] = paths;
  const condition =
    only !== undefined && others.length === 0 ? { [only]: { $in: keys.map((key) => key[only]) } } : { $or: keys };

  return condition as SCondition;
}

/** Records are told apart by their key, though it may be one that must not leave. */
function withVisibleKey(plan: ReadPlan): { plan: ReadPlan; trim: (record: ObjectLiteral) => ObjectLiteral } {
  return plan.root.hidden.size === 0
    ? { plan, trim: (record) => record }
    : { plan: { ...plan, root: { ...plan.root, hidden: new Set() } }, trim: (record) => project(record, plan.root) };
}

function at(record: ObjectLiteral, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as ObjectLiteral | undefined)?.[name], record);
}

const NO_OPTIONS: CrudRequestOptions = {};

const optionsWithoutJoins = new WeakMap<object, CrudRequestOptions>();

/** The same request without joined relations in its answer; its conditions may still name them. */
export function withoutJoins(request: CrudRequest): CrudRequest {
  const options = optionsOf(request) ?? NO_OPTIONS;
  let bare = Object.isFrozen(options) ? optionsWithoutJoins.get(options) : undefined;

  // Kept, since planning keeps what it knows of options by their identity.
  if (!bare) {
    const join = Object.fromEntries(
      Object.entries(options.query?.join ?? {}).map(([path, option]) => [
        path,
        { ...option, eager: false, required: false },
      ]),
    );

    // Frozen, so that planning knows that what it learns of them stays true.
    bare = { ...options, query: Object.freeze({ ...options.query, join, cache: false }) };
    optionsWithoutJoins.set(options, bare);
  }

  return { ...request, options: bare, parsed: { ...request.parsed, join: [] } };
}
