/** A planned body of PATCH in, the record as it is then out, by one UPDATE that returns it; undefined where only the plain way gives the right answer, a record that is not found included. */
import { planScope, type WritePlan } from '@nestwright/crud';
import type { DataSource, EntityMetadata } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { type Changes, RESET, settersOf } from '../persist/changes.js';
import { changesOf } from '../persist/relations.js';
import { type Key, keyOfPath, readOptions, type WriteContext, type Written } from '../persist/write-context.js';
import { ownPieces } from '../sql/index.js';
import { answerOf } from './answer.js';
import { isOffered, isOwnRead, isOwnWrite, reasonAgainst, tell } from './coverage.js';
import { Recent } from './recent.js';
import { runReturning } from './statement.js';
import { join, type SetTemplate, setTemplate } from './template.js';

/** Most shapes of changes that a data source keeps. */
const CAPACITY = 1000;

const templates = new WeakMap<DataSource, Recent<{ readonly template: SetTemplate | undefined }>>();

/** Updates one record and answers with it. */
export async function updateReturning(
  context: WriteContext,
  plan: WritePlan,
  { shallow }: { readonly shallow: boolean },
): Promise<Written | undefined> {
  if (!isOffered(context, 'update')) {
    return undefined;
  }

  const { manager, catalog, request } = context;
  const { connection } = manager;
  const metadata = entityMetadataOf(catalog);
  const key = keyOfPath(request, catalog);
  const reason =
    reasonAgainst(context, 'update', metadata) ?? (isOwnWrite(plan) ? undefined : 'the body carries related records');

  if (!key || reason !== undefined) {
    return tell(connection, metadata, reason ?? 'the path has no key');
  }

  const scope = planScope(request, catalog);
  const answer = isOwnRead(scope) ? answerOf(context, { shallow, key }) : undefined;

  if (!answer) {
    return tell(connection, metadata, 'the scope or the answer has joined records');
  }

  const changes = changesOf(plan);
  const template = templateOf(connection, metadata, changes);

  // Nothing to write: whether the record is there is a question of its own.
  if (!template) {
    return undefined;
  }

  const options = readOptions(request);
  const { bound } = dialectOf(connection);
  const own = ownPieces(scope, connection, options);
  const conditions = [
    { column: undefined, texts: own.texts, values: own.parameters.map((source) => source({ plan: scope })) },
    ...equalities(metadata, key, plan.expectedVersion),
  ];
  const texts = [...template.set];
  const parameters = template.columns.map((column) =>
    bound(connection.driver.preparePersistentValue(changes.get(column), column)),
  );

  append(texts, [' WHERE (']);

  conditions.forEach((condition, index) => {
    append(texts, [index === 0 ? '' : ' AND (']);
    append(texts, condition.texts);
    append(texts, [')']);
    parameters.push(...condition.values);
  });

  append(texts, [' RETURNING ']);
  append(texts, answer.texts);

  const [row] = await runReturning(
    context,
    [
      {
        sql: join(connection, texts, 0),
        parameters: [...parameters, ...answer.parameters],
        context: { metadata, operation: 'store', paths: [''], rows: [settersOf(metadata, changes)] },
      },
    ],
    answer,
  );

  return row && { record: answer.recordOf(row), key: answer.keyOf(row) };
}

/** Writes a text after another, both cut at their values. */
function append(texts: string[], others: readonly string[]): void {
  const [first = '', ...rest] = others;

  texts[texts.length - 1] += first;
  texts.push(...rest);
}

/** The conditions that the record has the key, and the version where one is expected. */
function equalities(
  metadata: EntityMetadata,
  key: Key,
  version: number | undefined,
): { readonly texts: string[]; readonly values: unknown[] }[] {
  const { driver } = metadata.connection;
  const named: (readonly [ColumnMetadata, unknown])[] = metadata.primaryColumns.map((column) => [
    column,
    key[column.propertyPath],
  ]);

  if (metadata.versionColumn && version !== undefined) {
    named.push([metadata.versionColumn, version]);
  }

  return named.map(([column, value]) => ({
    texts: [`${driver.escape(column.databaseName)} = `, ''],
    values: [driver.preparePersistentValue(value, column)],
  }));
}

function templateOf(connection: DataSource, metadata: EntityMetadata, changes: Changes): SetTemplate | undefined {
  const columns = [...changes].filter(([column]) => column.isUpdate && !column.isPrimary);

  if (columns.length === 0) {
    return undefined;
  }

  let store = templates.get(connection);

  if (!store) {
    store = new Recent(CAPACITY);
    templates.set(connection, store);
  }

  const shape = JSON.stringify([
    metadata.tablePath,
    columns.map(([column, value]) => (value === RESET ? `-${column.databaseName}` : `+${column.databaseName}`)),
  ]);

  return store.get(shape, () => ({
    template: setTemplate(
      connection,
      metadata,
      settersOf(metadata, changes),
      columns.filter(([, value]) => value !== RESET).map(([column]) => column),
    ),
  })).template;
}
