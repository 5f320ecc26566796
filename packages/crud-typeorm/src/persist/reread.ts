/**
 * Reads records just written as the request wants to see them. A record that is out of the request's scope now is a
 * 400, which rolls the write back.
 */
import { crudError, planRecord, planRecords, project, type ReadPlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { noteTag } from '../scope/row-tag.js';
import { read } from '../sql/index.js';
import { batches, type Key, keyText } from '../statements/values.js';
import { readOptions, withoutJoins, type WriteContext, type Written } from '../statements/write-context.js';

interface RereadOptions {
  /** Whether the answer leaves joined relations out. */
  readonly shallow: boolean;
}

/** Reads one record again, within the request's scope, with its joins or without; its tag is noted for the answer. */
export async function reread(
  context: WriteContext,
  runner: QueryRunner,
  key: Key,
  { shallow }: RereadOptions,
): Promise<Written> {
  const { request, catalog } = context;
  await noteTag(context, runner, key);
  const [record] = await read(
    planRecord(shallow ? withoutJoins(request) : request, catalog, key),
    runner,
    readOptions(request),
  );

  return { record: record ?? refuse(), key };
}

/** Reads the records of a bulk again, in the order of their keys. */
export async function rereadAll(
  { request, catalog }: WriteContext,
  runner: QueryRunner,
  keys: readonly Key[],
  { shallow }: RereadOptions = { shallow: true },
): Promise<Written[]> {
  const paths = catalog.primary.map(({ path }) => path);
  const shaped = shallow ? withoutJoins(request) : request;
  const found = new Map<string, ObjectLiteral>();
  const readSome = async (some: readonly Key[]): Promise<ObjectLiteral[]> => {
    const { plan, trim } = withVisibleKey(planRecords(shaped, catalog, some));

    return (await read(plan, runner, readOptions(request))).map((record) => {
      const text = keyText(paths.map((path) => at(record, path)));
      const trimmed = trim(record);
      found.set(text, trimmed);

      return trimmed;
    });
  };

  for (const some of batches(keys)) await readSome(some);
  const written: Written[] = [];
  // The database may print a stored key in another way (`1.5` as `1.50`).
  for (const key of keys) {
    const text = keyText(paths.map((path) => key[path]));
    written.push({ record: found.get(text) ?? (await readSome([key]))[0] ?? refuse(), key });
  }

  return written;
}

function refuse(): never {
  throw crudError('CRUD_OUT_OF_SCOPE');
}

/** Reads the key even if it is hidden, to tell the records apart. */
function withVisibleKey(plan: ReadPlan): { plan: ReadPlan; trim: (record: ObjectLiteral) => ObjectLiteral } {
  return plan.root.hidden.size === 0
    ? { plan, trim: (record) => record }
    : { plan: { ...plan, root: { ...plan.root, hidden: new Set() } }, trim: (record) => project(record, plan.root) };
}

function at(record: ObjectLiteral, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as ObjectLiteral | undefined)?.[name], record);
}
