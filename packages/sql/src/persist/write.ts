/**
 * Every write, of one record or of many: by a statement that returns its rows if nothing stands against it, else in a
 * transaction. All or none; database errors become exceptions with code and field.
 */
import { reportOutcome, type Stored } from '@nestwright/crud/adapter';
import { readFault } from '../errors/fault.js';
import { insertReturning } from '../returning/insert-returning.js';
import { updateReturning } from '../returning/update-returning.js';
import { findTargets, lockTargets, type Target } from '../scope/targets.js';
import type { Key } from '../statements/values.js';
import { findThenWrite, type Write, type Written } from '../statements/write-context.js';
import { batchedOrSingly } from './batches.js';
import { readBack } from './read-back.js';
import { recoverRecords, recoverUnlocked } from './recover.js';
import { removeRecords, removeUnlocked } from './remove.js';
import { changeUnlocked, storeRecords } from './store-records.js';
import { findUnlocked, type UnlockedTarget } from './unlocked.js';
import type { Connection } from '../database/database.js';

/** How an attempt to write differs from the first one. */
interface Attempt {
  /** Whether one statement may change several records. Default: `true`. */
  readonly batched?: boolean;
  /** Whether another request has changed a record since the last attempt, so that all are locked first. */
  readonly raced: boolean;
}

/** What is done with the records of a write. */
interface Verb {
  /** Writes a record that is not locked; `false` if it does not match, or nothing had to be written. */
  readonly unlocked: (asked: Write, connection: Connection, target: UnlockedTarget) => Promise<boolean>;
  /** Writes locked records and new ones; the keys have their order. */
  readonly locked: (
    asked: Write,
    connection: Connection,
    targets: readonly Target[],
    batched: boolean,
  ) => Promise<Key[]>;
}

const STORE: Verb = { unlocked: changeUnlocked, locked: storeRecords };

const VERBS: Readonly<Record<Write['verb'], Verb>> = {
  insert: STORE,
  update: STORE,
  replace: STORE,
  remove: { unlocked: removeUnlocked, locked: removeRecords },
  recover: { unlocked: recoverUnlocked, locked: recoverRecords },
};

/** Carries out a write, by one statement that returns its rows if that is possible, otherwise in a transaction. */
export async function write(asked: Write): Promise<Stored> {
  const returned = await writeReturning(asked);
  if (returned && returned !== 'unmatched') return { affected: returned.length, written: returned };

  try {
    return await writeInTransaction(asked, { raced: returned === 'unmatched' });
  } catch (error) {
    // Another request may have created the record in the meantime; then it is replaced, even if the application's
    // transaction does not see it yet.
    if (asked.verb !== 'replace' || readFault((error as Error).cause)?.kind !== 'unique') throw error;

    return writeInTransaction(asked, { raced: true });
  }
}

/** Writes by statements that return the rows; undefined if that is not possible. */
function writeReturning({ verb, context, items, answer }: Write): Promise<Written[] | 'unmatched' | undefined> {
  const options = { shallow: answer === 'shallow' };
  const [only] = items;

  if (verb === 'insert') return insertReturning(context, items, options);
  // An error of a bulk names the item.
  if (verb === 'update' && only?.path === '') return updateReturning(context, only.plan, options);

  return Promise.resolve(undefined);
}

function writeInTransaction(asked: Write, attempt: Attempt): Promise<Stored> {
  return batchedOrSingly((batched) => writeOnce(asked, { ...attempt, batched }));
}

function writeOnce(asked: Write, { batched = true, raced }: Attempt): Promise<Stored> {
  const { verb, context } = asked;
  const store = VERBS[verb];
  const find = (connection: Connection) => findTargets(asked, connection, !raced);

  return findThenWrite(context, find, async (connection, found) => {
    const unlocked = raced ? undefined : findUnlocked(asked, connection, found);
    if (unlocked && (await store.unlocked(asked, connection, unlocked)))
      return { affected: 1, written: await readBack(asked, connection, [unlocked.key]) };

    const targets = await lockTargets(asked, connection, found);
    const removed = verb === 'remove' ? await readBack(asked, connection, listKeys(targets)) : undefined;
    const keys = await store.locked(asked, connection, targets, batched);
    if (verb === 'replace') reportOutcome(context.request, { created: targets.some(({ isNew }) => isNew) });

    return { affected: keys.length, written: removed ?? (await readBack(asked, connection, keys)) };
  });
}

function listKeys(targets: readonly Target[]): Key[] {
  return targets.map(({ key }) => key ?? {});
}
