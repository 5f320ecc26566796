/** Planned bodies of POST in, the stored records out, by one INSERT that returns them; undefined where only the plain way gives the right answer. */
import type { WritePlan } from '@nestwright/crud';
import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { numberOf } from '../number-of.js';
import { Recent } from '../recent.js';
import { newEntity } from '../persist/relations.js';
import { chunks, generateUuids } from '../persist/rows.js';
import type { NewRow } from '../persist/values.js';
import type { WriteContext, Written } from '../persist/write-context.js';
import { type Answer, answerOf } from './answer.js';
import { bringsCountedKey, isOffered, isOwnWrite, reasonAgainst, tell } from './coverage.js';
import { type BoundStatement, runReturning } from './statement.js';
import { columnsToInsert, join, type RowTemplate, rowTemplate, storedValue } from './template.js';

/** A record to insert and its place in the body. */
export interface Sent {
  readonly plan: WritePlan;
  readonly path: string;
}

interface Row {
  readonly template: RowTemplate;
  readonly values: readonly unknown[];
}

const templates = new Recent<{ readonly template: RowTemplate | undefined }>();

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
  const reason =
    reasonAgainst(context, 'insert', metadata) ??
    (records.every(({ plan }) => isOwnWrite(plan)) ? undefined : 'the body carries related records') ??
    (records.some(({ plan }) => bringsCountedKey(plan)) ? 'the body carries a counted key' : undefined);
  const answer = reason === undefined ? answerOf(context, { shallow }) : undefined;

  if (!answer) {
    return tell(connection, metadata, reason ?? 'the answer has joined records');
  }

  const rows = records.map(({ plan, path }) => ({ entity: newEntity(metadata, plan), path }));

  rows.forEach(({ entity }) => generateUuids(metadata, entity));

  const statements: BoundStatement[] = [];

  for (const chunk of chunks(rows, metadata)) {
    const bound = bindRows(connection, metadata, chunk, answer);

    if (!bound) {
      return tell(connection, metadata, 'a value is an expression');
    }

    statements.push(bound);
  }

  return runReturning(context, statements, answer);
}

function bindRows(
  connection: DataSource,
  metadata: EntityMetadata,
  chunk: readonly NewRow[],
  answer: Answer,
): BoundStatement | undefined {
  const rows: Row[] = [];

  for (const { entity } of chunk) {
    const row = rowOf(connection, metadata, entity);

    if (!row) {
      return undefined;
    }

    rows.push(row);
  }

  let text = rows[0]!.template.head;
  const parameters: unknown[] = [];

  rows.forEach(({ template, values }, index) => {
    text += (index === 0 ? '' : ', ') + join(connection, template.row, parameters.length);
    parameters.push(...values);
  });

  const sql = `${text} RETURNING ${join(connection, answer.texts, parameters.length)}`;

  return {
    sql,
    recurs: rows.length === 1,
    parameters: [...parameters, ...answer.parameters],
    context: {
      metadata,
      operation: 'store',
      paths: chunk.map(({ path }) => path),
      rows: chunk.map(({ entity }) => entity),
    },
  };
}

function rowOf(connection: DataSource, metadata: EntityMetadata, entity: ObjectLiteral): Row | undefined {
  const { bound } = dialectOf(connection);
  const columns = insertedColumns(metadata);
  const values = columns.map((column) => storedValue(column, entity));

  if (values.some((value) => typeof value === 'function')) {
    return undefined;
  }

  // Several classes may have one table.
  const shape = `${numberOf(metadata)} ${values.map((value) => (value === undefined ? '0' : '1')).join('')}`;
  const { template } = templates.get(connection, shape, () => ({
    template: rowTemplate(
      connection,
      metadata,
      entity,
      columns.filter((_, index) => values[index] !== undefined),
    ),
  }));

  return template && { template, values: values.filter((value) => value !== undefined).map(bound) };
}

const inserted = new WeakMap<EntityMetadata, ReturnType<typeof columnsToInsert>>();

function insertedColumns(metadata: EntityMetadata): ReturnType<typeof columnsToInsert> {
  let columns = inserted.get(metadata);

  if (!columns) {
    columns = columnsToInsert(metadata);
    inserted.set(metadata, columns);
  }

  return columns;
}
