/**
 * Reads records just written as the request wants to see them. A record that is out of the request's scope now is a
 * 400, which rolls the write back.
 */
import { crudError, planRecords, project, type ReadPlan } from '@nestwright/crud/adapter';
import { noteTag } from '../scope/row-tag.js';
import { count, read } from '../select/index.js';
import { batches, type Key, keyText } from '../statements/values.js';
import { readOptions, withoutJoins, type Write, type WriteContext, type Written } from '../statements/write-context.js';
import type { Connection, Entity } from '../database/database.js';

/**
 * Reads the records of a write as its answer has them; the tag of a single one is noted. Of an update without an answer
 * it is only checked that the records are still in scope.
 */
export async function readBack(write: Write, connection: Connection, keys: readonly Key[]): Promise<Written[]> {
  const { verb, context, items, answer } = write;
  if (answer === 'none') {
    if (verb === 'update') await requireInScope(context, connection, keys);

    return [];
  }
  // A bulk has no tag.
  if (verb !== 'remove' && items[0]?.path === '') await noteTag(context, connection, keys[0]!);

  return readRecords(context, connection, keys, answer === 'shallow');
}

/** Refuses a change that takes a record out of the request's scope. */
async function requireInScope(
  { request, catalog }: WriteContext,
  connection: Connection,
  keys: readonly Key[],
): Promise<void> {
  const bare = withoutJoins(request);

  for (const some of batches(keys)) {
    const inScope = await count(planRecords(bare, catalog, some), connection, readOptions(request));
    if (inScope !== some.length) throw crudError('CRUD_OUT_OF_SCOPE');
  }
}

/** Reads records by their keys, in this order. */
async function readRecords(
  { request, catalog }: WriteContext,
  connection: Connection,
  keys: readonly Key[],
  shallow: boolean,
): Promise<Written[]> {
  const paths = catalog.primary.map(({ path }) => path);
  const shaped = shallow ? withoutJoins(request) : request;
  const found = new Map<string, Entity>();
  const readSome = async (some: readonly Key[]): Promise<Entity[]> => {
    const { plan, trim } = withVisibleKey(planRecords(shaped, catalog, some));

    return (await read(plan, connection, readOptions(request))).map((record) => {
      const text = keyText(paths.map((path) => at(record, path)));
      const trimmed = trim(record);
      found.set(text, trimmed);

      return trimmed;
    });
  };

  let first: Entity | undefined;
  for (const some of batches(keys)) first = (await readSome(some))[0];
  const written: Written[] = [];

  for (const key of keys) {
    const text = keyText(paths.map((path) => key[path]));
    // The database may print a stored key in another way (`1.5` as `1.50`).
    const record = found.get(text) ?? (keys.length === 1 ? first : (await readSome([key]))[0]);
    written.push({ record: record ?? refuse(), key });
  }

  return written;
}

function refuse(): never {
  throw crudError('CRUD_OUT_OF_SCOPE');
}

/** Reads the key even if it is hidden, to tell the records apart. */
function withVisibleKey(plan: ReadPlan): { plan: ReadPlan; trim: (record: Entity) => Entity } {
  return plan.root.hidden.size === 0
    ? { plan, trim: (record) => record }
    : { plan: { ...plan, root: { ...plan.root, hidden: new Set() } }, trim: (record) => project(record, plan.root) };
}

function at(record: Entity, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Entity | undefined)?.[name], record);
}
