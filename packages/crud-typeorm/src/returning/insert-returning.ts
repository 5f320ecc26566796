/** POST as one INSERT that returns its rows; undefined if a transaction and a read are needed. */
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import type { StatementContext } from '../errors/statement-error.js';
import { hasTag } from '../scope/row-tag.js';
import { insertSql, bindEntity } from '../statements/insert-text.js';
import { chunks, generateUuids, newEntity, type NewRecord } from '../statements/new-entity.js';
import type { WriteContext, Written } from '../statements/write-context.js';
import { makeReturningClause, type ReturningClause } from './returning-clause.js';
import { hasAutoIncrementKey, isEligible, findObstacle, logReason } from './reasons-against.js';
import { isPlain, bindPlan } from './row-binding.js';
import { type BoundStatement, runReturning } from './run-returning.js';

/** Inserts records and answers with them, in the order given. */
export async function insertReturning(
  context: WriteContext,
  records: readonly NewRecord[],
  { shallow }: { readonly shallow: boolean },
): Promise<Written[] | undefined> {
  if (!isEligible(context, 'insert') || (records.length === 1 && hasTag(context))) return undefined;

  const { catalog } = context;
  const metadata = getEntityMetadata(catalog);
  const plans = records.map(({ plan }) => plan);
  const reason =
    findObstacle(context, 'insert', plans) ??
    (plans.some(hasAutoIncrementKey) ? 'the body has a value for an auto-increment key' : undefined);
  const answer = reason === undefined ? makeReturningClause(context, { shallow }) : undefined;
  if (!answer) return logReason(metadata, reason ?? 'the answer has joined records');

  const statements: BoundStatement[] = [];

  for (const chunk of chunks(records, metadata)) {
    const bound = bindRows(metadata, chunk, answer);
    if (!bound) return logReason(metadata, 'a value is an expression');

    statements.push(bound);
  }

  return runReturning(context, statements, answer);
}

function bindRows(
  metadata: EntityMetadata,
  chunk: readonly NewRecord[],
  answer: ReturningClause,
): BoundStatement | undefined {
  const plain = isPlain(metadata);
  const entities = new Map<NewRecord, ObjectLiteral>();
  const rows = chunk.map((record) => {
    if (plain) return bindPlan(metadata, record.plan);

    const entity = newEntity(metadata, record.plan);
    generateUuids(metadata, entity);
    entities.set(record, entity);

    return bindEntity(metadata, entity);
  });

  if (rows.some(({ hasSql }) => hasSql)) return undefined;

  const returning = { text: answer.sql, values: answer.parameters };

  return { ...insertSql(metadata.connection, rows, returning), context: makeContext(metadata, chunk, entities) };
}

/** The context of the statement, only made if it fails. */
function makeContext(
  metadata: EntityMetadata,
  chunk: readonly NewRecord[],
  entities: ReadonlyMap<NewRecord, ObjectLiteral>,
): StatementContext {
  return {
    metadata,
    operation: 'store',
    get paths() {
      return chunk.map(({ path }) => path);
    },
    get rows() {
      return chunk.map((record) => entities.get(record) ?? newEntity(metadata, record.plan));
    },
  };
}
