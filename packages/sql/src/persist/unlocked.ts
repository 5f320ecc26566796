import { isConditional, planScope, type WritePlan } from '@nestwright/crud/adapter';
import { makeLinkConditions } from '../scope/link-conditions.js';
import { hasPersistedKey } from '../scope/persisted-key.js';
import type { StoredTarget, Target } from '../scope/targets.js';
import { compileWhere, joinAll, type Sql } from '../select/index.js';
import { hasRelations } from '../statements/changes.js';
import { equal, type Key, keyPredicate } from '../statements/values.js';
import { readOptions, type Write, type WriteContext } from '../statements/write-context.js';
import { namesParent } from './tree.js';
import { getColumn, getTable } from '../database/links.js';
import type { Connection, Table } from '../database/database.js';

/** A record that is not locked: the statement that writes it finds it, too. */
export interface UnlockedTarget extends StoredTarget {
  /** That it is in scope, and has the version that the client expects. */
  readonly where: Sql;
}

/** The record of a write that one statement can find and change, since nothing else is done with it. */
export function findUnlocked(
  write: Write,
  connection: Connection,
  [target, ...others]: readonly Target[],
): UnlockedTarget | undefined {
  if (!target?.key || target.isNew || others.length > 0) return undefined;

  const { item, key } = target;
  const { catalog, request } = item.context;
  const table = getTable(catalog);
  const scope = planScope(request, catalog, { withDeleted: write.verb === 'recover' });
  const dependsOnRecord =
    isConditional(request) ||
    item.context.hooks !== undefined ||
    item.replaceable === false ||
    // Such a scope is not evaluated again after waiting for the record's lock.
    scope.root.joins.length > 0 ||
    (write.verb === 'remove' && write.answer !== 'none') ||
    table.database.listeners.observe(table, nameEvent(write)) ||
    (write.verb !== 'remove' && write.verb !== 'recover' && needsRecord(item.context, item.plan, key));
  if (dependsOnRecord) return undefined;

  const where = compileWhere(scope, connection, readOptions(request));

  return { ...target, key, where: withVersion(table, where, item.plan.expectedVersion) };
}

/** The event of a write that replaces, updates, removes or recovers. */
export function nameEvent({ verb, soft = false }: Pick<Write, 'verb' | 'soft'>) {
  if (verb === 'remove') return soft ? 'SoftRemove' : 'Remove';

  return verb === 'recover' ? 'Recover' : 'Update';
}

/** Related records and checks of the key must not be touched if the record is out of scope or has another version. */
function needsRecord(context: WriteContext, plan: WritePlan, key: Key): boolean {
  const columns = plan.values.map(({ column }) => getColumn(column));

  return (
    hasRelations(plan) ||
    makeLinkConditions(context).concern(plan) ||
    !hasPersistedKey(context, key) ||
    namesParent(getTable(context.catalog), columns)
  );
}

function withVersion({ versionColumn }: Table, where: Sql, expected: number | undefined): Sql {
  return versionColumn && expected !== undefined ? joinAll([where, equal([versionColumn], [expected])]) : where;
}

/** The condition of the statement that writes a record. */
export function targetPredicate(table: Table, { where, key }: UnlockedTarget): Sql {
  return joinAll([where, keyPredicate(table, key)]);
}
