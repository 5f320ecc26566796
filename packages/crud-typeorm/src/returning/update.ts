/** A planned body of PATCH in, the record as it is then out, by one UPDATE that returns it; undefined where only the plain way gives the right answer, a record that is not found included. */
import { planScope, type ReadPlan, type WritePlan } from '@nestwright/crud';
import { entityMetadataOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { numberOf } from '../number-of.js';
import { Recent } from '../recent.js';
import { type Changes, RESET, settersOf } from '../persist/changes.js';
import { changesOf } from '../persist/relations.js';
import { keyOfPath, readOptions, type WriteContext, type Written } from '../persist/write-context.js';
import { ownPieces, type ParameterSource, shapeOfPlan } from '../sql/index.js';
import { type Answer, answerOf } from './answer.js';
import { isOffered, isOwnRead, isOwnWrite, reasonAgainst, tell } from './coverage.js';
import { runReturning } from './statement.js';
import { join, setTemplate } from './template.js';

const statements = new Recent<{ readonly statement: UpdateStatement | undefined }>();

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
  const answer = isOwnRead(scope) ? answerOf(context, { shallow, key, target: scope }) : undefined;

  if (!answer) {
    return tell(connection, metadata, 'the scope or the answer has joined records');
  }

  const changes = changesOf(plan);
  const named = [...changes].filter(([column]) => column.isUpdate && !column.isPrimary);

  // Whether the record is there is a question of its own.
  if (named.length === 0) {
    return undefined;
  }

  const names = named.map(([column, value]) => (value === RESET ? '-' : '+') + column.databaseName);
  const scopeShape = shapeOfPlan(scope, connection, readOptions(request));
  const versioned = plan.expectedVersion !== undefined;
  // Each part ends where it says that it does, so that no two lists of them give the same text.
  const shape = `${numberOf(metadata)}${JSON.stringify(names)}${versioned}${scopeShape.length}:${scopeShape}${answer.shape}`;
  const { statement } = statements.get(connection, shape, () => ({
    statement: compileUpdate(context, { changes, scope, answer, versioned }),
  }));

  if (!statement) {
    return tell(connection, metadata, 'the statement cannot be bound to other values');
  }

  const { bound } = dialectOf(connection);
  const { driver } = connection;
  const parameters = [
    ...statement.columns.map((column) => bound(driver.preparePersistentValue(changes.get(column), column))),
    ...statement.scope.map((source) => source({ plan: scope })),
    ...statement.equal.map((column) =>
      driver.preparePersistentValue(column.isVersion ? plan.expectedVersion : key[column.propertyPath], column),
    ),
    ...answer.parameters,
  ];
  const [updated] = await runReturning(
    context,
    [
      {
        sql: statement.sql,
        parameters,
        recurs: true,
        context: {
          metadata,
          operation: 'store',
          paths: [''],
          // Only the statement's error asks for them.
          get rows() {
            return [settersOf(metadata, changes)];
          },
        },
      },
    ],
    answer,
  );

  return updated;
}

/** The text of an update, and where its values come from. */
interface UpdateStatement {
  readonly sql: string;
  readonly columns: readonly ColumnMetadata[];
  readonly scope: readonly ParameterSource[];
  /** Columns of the key, and of the version where one is expected. */
  readonly equal: readonly ColumnMetadata[];
}

interface Change {
  readonly changes: Changes;
  readonly scope: ReadPlan;
  readonly answer: Answer;
  readonly versioned: boolean;
}

function compileUpdate(
  { manager, catalog, request }: WriteContext,
  { changes, scope, answer, versioned }: Change,
): UpdateStatement | undefined {
  const { connection } = manager;
  const metadata = entityMetadataOf(catalog);
  const template = setTemplate(
    connection,
    metadata,
    settersOf(metadata, changes),
    [...changes]
      .filter(([column, value]) => value !== RESET && column.isUpdate && !column.isPrimary)
      .map(([column]) => column),
  );

  if (!template) {
    return undefined;
  }

  const own = ownPieces(scope, connection, readOptions(request));
  const version = versioned ? metadata.versionColumn : undefined;
  const equal = [...metadata.primaryColumns, ...(version ? [version] : [])];
  const texts = [...template.set];

  append(texts, [' WHERE (']);
  append(texts, own.texts);
  equal.forEach((column) => append(texts, [`) AND (${connection.driver.escape(column.databaseName)} = `, '']));
  append(texts, [') RETURNING ']);
  append(texts, answer.texts);

  return { sql: join(connection, texts, 0), columns: template.columns, scope: own.parameters, equal };
}

/** Writes a text after another, both cut at their values. */
function append(texts: string[], others: readonly string[]): void {
  const [first = '', ...rest] = others;

  texts[texts.length - 1] += first;
  texts.push(...rest);
}
