/** Children that their parent let go go in, and are unlinked, deleted or left as they are, as their relation says; refuses nothing. */
import {
  type EntityMetadata,
  getMetadataArgsStorage,
  type ObjectLiteral,
  type QueryRunner,
  type RelationMetadata,
} from 'typeorm';
import { attempt } from '../errors/statement-error.js';
import { changeRow } from './change-row.js';
import { keyPredicate } from './changes.js';
import { changeMark } from './deletion-mark.js';
import { keyOf } from './values.js';

/** Children that a replaced list left out: unlinked or deleted only where `orphanedRowAction` of their relation says so in as many words. */
export async function settleOrphans(
  runner: QueryRunner,
  { inverseRelation, inverseEntityMetadata }: RelationMetadata,
  orphans: readonly ObjectLiteral[],
): Promise<void> {
  const action = inverseRelation && orphanedRowAction(inverseRelation);

  for (const orphan of action ? orphans : []) {
    const key = keyOf(inverseEntityMetadata, orphan) ?? {};

    if (action === 'nullify') {
      await changeRow(
        runner,
        { metadata: inverseEntityMetadata, key, path: '' },
        new Map(inverseRelation?.joinColumns.map((column) => [column, null])),
      );
    } else {
      await removeOrphan(runner, inverseEntityMetadata, key, action === 'soft-delete');
    }
  }
}

/** TypeORM's metadata says `nullify` where nothing was said; what was said stands in the decorator's own arguments. */
function orphanedRowAction({
  orphanedRowAction: action,
  entityMetadata,
  propertyName,
}: RelationMetadata): 'nullify' | 'delete' | 'soft-delete' | undefined {
  if (action !== 'nullify') {
    return action === 'disable' ? undefined : action;
  }

  const said = getMetadataArgsStorage().relations.some(
    ({ target, propertyName: name, options }) =>
      name === propertyName &&
      options.orphanedRowAction === 'nullify' &&
      entityMetadata.inheritanceTree.some((one) => one === target),
  );

  return said ? 'nullify' : undefined;
}

async function removeOrphan(
  runner: QueryRunner,
  metadata: EntityMetadata,
  key: Readonly<Record<string, unknown>>,
  soft: boolean,
): Promise<void> {
  const predicate = keyPredicate(metadata, key);

  if (soft) {
    await changeMark(runner, metadata, predicate, 'set');

    return;
  }

  const statement = runner.manager.createQueryBuilder().delete().from(metadata.target);

  await attempt({ metadata, operation: 'remove', paths: [''], rows: [] }, () =>
    statement.where(predicate.sql, predicate.parameters).execute(),
  );
}
