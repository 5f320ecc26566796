/** Planned bodies of POST in, the stored records out, by one INSERT that returns them; undefined where only the plain way gives the right answer. */
import type { WritePlan } from '@nestwright/crud';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import type { StatementContext } from '../errors/statement-error.js';
import { linkConditionsOf } from '../persist/link-conditions.js';
import { newEntity } from '../persist/relations.js';
import { chunks, generateUuids } from '../persist/rows.js';
import type { WriteContext, Written } from '../persist/write-context.js';
import { type Answer, answerOf } from './answer.js';
import { bringsCountedKey, isOffered, isOwnWrite, reasonAgainst, tell } from './coverage.js';
import { rowOf } from './row.js';
import { bindingOf, bindRow, isPlain } from './row-binding.js';
import { rowsText } from './rows-text.js';
import { type BoundStatement, runReturning } from './statement.js';
import { join, type RowTemplate } from './template.js';

/** A record to insert and its place in the body. */
export interface Sent {
  readonly plan: WritePlan;
  readonly path: string;
}

/**
 * Inserts records and answers with them, in the order given.
 *
 * @example
 * const [user] = (await insertReturning(context, [{ plan, path: '' }], { shallow: false })) ?? [];
 */
export async function insertReturning(
  context: WriteContext,
  records: readonly Sent[],
  { shallow }: { readonly shallow: boolean },
): Promise<Written[] | undefined> {
  if (!isOffered(context, 'insert')) {
    return undefined;
  }

  const { manager, catalog } = context;
  const { connection } = manager;
  const metadata = entityMetadataOf(catalog);
  const links = linkConditionsOf(context);
  const reason =
    reasonAgainst(context, 'insert', metadata) ??
    (records.every(({ plan }) => isOwnWrite(plan)) ? undefined : 'the body carries related records') ??
    (records.some(({ plan }) => links.concern(plan)) ? 'a link must be looked up' : undefined) ??
    (records.some(({ plan }) => bringsCountedKey(plan)) ? 'the body carries a counted key' : undefined);
  const answer = reason === undefined ? answerOf(context, { shallow }) : undefined;

  if (!answer) {
    return tell(connection, metadata, reason ?? 'the answer has joined records');
  }

  const statements: BoundStatement[] = [];

  for (const chunk of chunks(records, metadata)) {
    const bound = bindRows(metadata, chunk, answer);

    if (!bound) {
      return tell(connection, metadata, 'a value is an expression');
    }

    statements.push(bound);
  }

  return runReturning(context, statements, answer);
}

function bindRows(metadata: EntityMetadata, chunk: readonly Sent[], answer: Answer): BoundStatement | undefined {
  const { connection } = metadata;
  const plain = isPlain(metadata);
  const templates: RowTemplate[] = [];
  const parameters: unknown[] = [];
  const entities = new Map<Sent, ObjectLiteral>();

  for (const record of chunk) {
    const { plan } = record;
    const binding = plain
      ? bindingOf(metadata, plan, () => rowOf(connection, metadata, newEntity(metadata, plan)))
      : undefined;

    if (binding && bindRow(binding, plan, parameters)) {
      templates.push(binding.template);
      continue;
    }

    const entity = newEntity(metadata, plan);

    generateUuids(metadata, entity);

    const row = rowOf(connection, metadata, entity);

    if (!row) {
      return undefined;
    }

    entities.set(record, entity);
    templates.push(row.template);
    parameters.push(...row.values);
  }

  return {
    sql: `${rowsText(connection, templates)} RETURNING ${join(connection, answer.texts, parameters.length)}`,
    recurs: chunk.length === 1,
    parameters: answer.parameters.length === 0 ? parameters : [...parameters, ...answer.parameters],
    context: contextOf(metadata, chunk, entities),
  };
}

/** What the statement is about, which only its error asks. */
function contextOf(
  metadata: EntityMetadata,
  chunk: readonly Sent[],
  entities: ReadonlyMap<Sent, ObjectLiteral>,
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
