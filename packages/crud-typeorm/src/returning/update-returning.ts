/** PATCH as one UPDATE that returns its row; undefined if a transaction and a read are needed. */
import { planScope, type ReadPlan, type WritePlan } from '@nestwright/crud/adapter';
import { entityMetadataOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { numberOf } from '../number-of.js';
import { LruCache } from '../lru-cache.js';
import { type Changes, changesOf, isWritten, RESET, rowOfChanges, setText } from '../statements/changes.js';
import { differencesOf } from '../statements/difference.js';
import { hasTag } from '../scope/row-tag.js';
import { keyOfPath, readOptions, type WriteContext, type Written } from '../statements/write-context.js';
import { ownCondition, type ParameterSource, shapeOfPlan, tableSql, VALUE, withPlaceholders } from '../sql/index.js';
import { type ReturningClause, returningClauseOf } from './returning-clause.js';
import { isEligible, isOwnRead, logReason, reasonAgainst } from './reasons-against.js';
import { runReturning } from './run-returning.js';
import { PARAMETER_BYTES, textBytes } from '../weight.js';

const statements = new LruCache<{ readonly statement: UpdateStatement | undefined }>();

/**
 * Updates one record and returns it, also if it has all the values already; `unmatched` if no such record is in scope,
 * or it has another version.
 */
export async function updateReturning(
  context: WriteContext,
  plan: WritePlan,
  { shallow }: { readonly shallow: boolean },
): Promise<Written | 'unmatched' | undefined> {
  if (!isEligible(context, 'update') || hasTag(context)) return undefined;

  const { manager, catalog, request } = context;
  const { connection } = manager;
  const metadata = entityMetadataOf(catalog);
  const key = keyOfPath(request, catalog);
  const reason = reasonAgainst(context, 'update', [plan]);

  if (!key || reason !== undefined) return logReason(metadata, reason ?? 'the path has no key');

  const scope = planScope(request, catalog);
  const answer = isOwnRead(scope) ? returningClauseOf(context, { shallow, key, target: scope }) : undefined;

  if (!answer) return logReason(metadata, 'the scope or the answer has joined records');

  const changes = changesOf(plan);
  const named = [...changes].filter(([column]) => isWritten(column));

  // Whether the record exists is checked separately.
  if (named.length === 0) return undefined;

  const names = named.map(([column, value]) => (value === RESET ? '-' : '+') + column.databaseName);
  const scopeShape = shapeOfPlan(scope, connection, readOptions(request));
  const versioned = plan.expectedVersion !== undefined;
  // Each part has its length, so that different lists of parts never give the same key.
  const shape = `${numberOf(metadata)}${JSON.stringify(names)}${versioned}${scopeShape.length}:${scopeShape}${answer.shape}`;
  const { statement } = statements.get(connection, shape, (weigh) => {
    const compiled = compileUpdate(context, { changes, scope, answer, versioned });

    if (compiled) {
      const { sql, unchanged = '', columns, scope: sources, equal, compared } = compiled;
      const parameters = columns.length + sources.length + equal.length + compared.length;

      weigh(textBytes(sql) + textBytes(unchanged) + parameters * PARAMETER_BYTES);
    }

    return { statement: compiled };
  });

  if (!statement) return logReason(metadata, 'the statement cannot be bound to other values');

  const { bound } = dialectOf(connection);
  const { driver } = connection;
  const stored = new Map(
    statement.columns.map((column) => [column, bound(driver.preparePersistentValue(changes.get(column), column))]),
  );
  const condition = [
    ...statement.scope.map((source) => source({ plan: scope })),
    ...statement.equal.map((column) =>
      driver.preparePersistentValue(column.isVersion ? plan.expectedVersion : key[column.propertyPath], column),
    ),
    ...statement.compared.map((column) => stored.get(column)),
  ];
  const run = (sql: string, parameters: readonly unknown[]): Promise<Written[]> =>
    runReturning(
      context,
      [
        {
          sql,
          parameters,
          recurs: true,
          context: {
            metadata,
            operation: 'store',
            paths: [''],
            // Only needed if the statement fails.
            get rows() {
              return [rowOfChanges(changes)];
            },
          },
        },
      ],
      answer,
    );
  const [updated] = await run(statement.sql, [...stored.values(), ...condition, ...answer.parameters]);
  if (updated || statement.unchanged === undefined) return updated ?? 'unmatched';

  const [unchanged] = await run(statement.unchanged, [...answer.parameters, ...condition]);

  return unchanged ?? 'unmatched';
}

/** The text of an update, and where its values come from. */
interface UpdateStatement {
  readonly sql: string;
  /**
   * Reads the record if it has all values already; bound to the values of the answer and of the condition. Undefined if
   * the database cannot tell.
   */
  readonly unchanged: string | undefined;
  readonly columns: readonly ColumnMetadata[];
  readonly scope: readonly ParameterSource[];
  /** Columns of the key, and of the version if one is expected. */
  readonly equal: readonly ColumnMetadata[];
  /** Columns of which one at least must change. */
  readonly compared: readonly ColumnMetadata[];
}

interface Change {
  readonly changes: Changes;
  readonly scope: ReadPlan;
  readonly answer: ReturningClause;
  readonly versioned: boolean;
}

function compileUpdate(
  { manager, catalog, request }: WriteContext,
  { changes, scope, answer, versioned }: Change,
): UpdateStatement | undefined {
  const { connection } = manager;
  const metadata = entityMetadataOf(catalog);
  const set = setText(metadata, changes);

  if (set.hasSql) return undefined;

  const own = ownCondition(scope, connection, readOptions(request));
  const version = versioned ? metadata.versionColumn : undefined;
  const equal = [...metadata.primaryColumns, ...(version ? [version] : [])];
  const matching = [own.sql, ...equal.map((column) => `${connection.driver.escape(column.databaseName)} = ${VALUE}`)]
    .map((condition) => `(${condition})`)
    .join(' AND ');
  const differences = differencesOf(changes, { place: () => VALUE }).map(({ sql }) => sql);
  const different = differences.includes(undefined) ? undefined : `(${differences.join(' OR ')})`;
  const table = tableSql(metadata);
  const where = different === undefined ? matching : `${matching} AND ${different}`;
  const update = `UPDATE ${table} SET ${set.sql} WHERE ${where} RETURNING ${answer.sql}`;
  const read = `SELECT ${answer.sql} FROM ${table} WHERE ${matching} AND NOT ${different}`;

  return {
    sql: withPlaceholders(connection, update),
    unchanged: different === undefined ? undefined : withPlaceholders(connection, read),
    columns: set.columns,
    scope: own.parameters,
    equal,
    compared:
      different === undefined
        ? []
        : [...changes].flatMap(([column, value]) => (value !== RESET && isWritten(column) ? column : [])),
  };
}
