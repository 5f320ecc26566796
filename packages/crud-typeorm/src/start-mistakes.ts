import { Logger } from '@nestjs/common';
import type { QueryOptions } from '@nestwright/crud';
import {
  aggregatedFields,
  aggregatedPlace,
  type Catalog,
  DEFAULT_CONCURRENT,
  type ResourceDefinition,
} from '@nestwright/crud/adapter';
import { getColumn, uniqueColumns } from '@nestwright/sql';
import { type EntityMetadata, getMetadataArgsStorage, type ObjectLiteral, type Repository } from 'typeorm';
import { toCatalog } from './typeorm/entity-tables.js';
import { getDialect } from './typeorm/dialect-of.js';
import { toTable } from './typeorm/entity-tables.js';

/** What a service overrides, and the catalog that it has for the resource. */
interface CheckedService {
  /** Whether it reads lists in another way. */
  readonly overridesReading: boolean;
  readonly overridesAggregates: boolean;
  readonly catalog: Catalog;
}

/**
 * The metadata of a service's entity.
 *
 * @throws Error that says what to change if there is no repository, or the data source does not know the entity
 */
export function readMetadata<T extends ObjectLiteral>(
  service: object,
  repository: Repository<T> | undefined,
): EntityMetadata {
  if (repository === undefined) {
    throw new Error(
      `${service.constructor.name} has no repository: hand it to super(), and declare no field repo, which would hide it`,
    );
  }

  try {
    return repository.metadata;
  } catch (error) {
    throw new Error(
      `${(error as Error).message} Add it to entities of the data source, or set autoLoadEntities: true for ` +
        'TypeOrmModule.forRoot()',
      { cause: error },
    );
  }
}

/** What is wrong with a resource. */
export function startMistakes<T extends ObjectLiteral>(
  definition: ResourceDefinition,
  repository: Repository<T>,
  service: CheckedService,
): string[] {
  return [
    ...conflictMistakes(definition, repository),
    ...modelMistakes(definition.model, repository),
    ...queryMistakes(definition.options.query, repository, service),
    ...zonelessGroups(definition, service.catalog),
    ...bypassedGroups(definition, service),
  ];
}

/** The names in `onConflict` must form a unique constraint. */
function conflictMistakes<T extends ObjectLiteral>(
  { routes, options }: ResourceDefinition,
  { metadata }: Repository<T>,
): string[] {
  return (['createOneBase', 'createManyBase'] as const).flatMap((route) => {
    const names = options.routes[route]?.onConflict;
    const columns = names && routes.has(route) ? uniqueColumns(toTable(metadata), names) : [];

    return typeof columns === 'string'
      ? [`routes.${route}.onConflict is ${JSON.stringify(names)}, but ${columns}`]
      : [];
  });
}

/** The model must be the entity, a class that it extends, or no entity at all (the class of a response). */
function modelMistakes<T extends ObjectLiteral>(model: unknown, { metadata }: Repository<T>): string[] {
  const { target, name } = metadata;
  const isEntity = getMetadataArgsStorage().tables.some((table) => table.target === model);
  const isBaseClass = Object.prototype.isPrototypeOf.call(model as object, target);
  if (model === target || !isEntity || isBaseClass) return [];
  const { name: given } = model as { readonly name: string };

  return [
    `model.type is ${given}, but its service stores ${name}: hand the service of ${given} to the controller, or name ` +
      `${name} in model.type`,
  ];
}

function queryMistakes<T extends ObjectLiteral>(
  query: QueryOptions,
  repository: Repository<T>,
  { overridesReading }: CheckedService,
): string[] {
  const { connection } = repository.manager;
  const catalog = toCatalog(repository.metadata);
  const mistakes: string[] = [];

  if (query.cursor && overridesReading) {
    mistakes.push(
      'query.cursor is true, but the service overrides createBuilder or doGetMany, whose lists have no cursors',
    );
  }
  if (query.export && overridesReading) {
    mistakes.push(
      'query.export is set, but the service overrides createBuilder or doGetMany, whose lists cannot be read ' +
        'part by part',
    );
  }
  if (query.export && getDialect(connection).sharedConnection && catalog.primary.length === 0) {
    mistakes.push(
      `query.export is set, but ${catalog.model} has no primary key, without which its records cannot be ` +
        'read part by part on a connection that all share',
    );
  }
  if (query.cache && !connection.queryResultCache)
    mistakes.push(`query.cache is ${query.cache}, but the data source has no cache: set its option \`cache\``);

  return mistakes;
}

function bypassedGroups({ routes }: ResourceDefinition, service: CheckedService): string[] {
  if (!service.overridesReading || service.overridesAggregates || !routes.has('aggregateBase')) return [];

  return [
    'query.aggregate is set, but the service overrides createBuilder or doGetMany, which groups would pass ' +
      'by: override aggregateMany, too',
  ];
}

/** Groups by columns whose time zone is unknown. */
function zonelessGroups(definition: ResourceDefinition, catalog: Catalog): string[] {
  return [...aggregatedFields(definition)].flatMap(({ option, field, function: name }) => {
    const column = name === undefined ? aggregatedPlace(definition, catalog, field)?.column : undefined;
    const stored = column?.kind === 'datetime' ? getColumn(column) : undefined;
    const reason = stored && stored.table.database.dialect.aggregates.unknownZone(stored);

    return reason === undefined ? [] : [`${option}, ${reason}`];
  });
}

/** Size of a pool if the options do not say: that of all supported drivers. */
const DEFAULT_POOL = 10;

/** Warns if exports may occupy all connections of the pool, so that every other request waits for their readers. */
export function warnOfExports<T extends ObjectLiteral>(
  { modelName, options: { query } }: ResourceDefinition,
  { manager: { connection } }: Repository<T>,
): void {
  if (!query.export || getDialect(connection).sharedConnection) return;

  const { poolSize, extra } = connection.options as {
    poolSize?: number;
    extra?: { max?: number; connectionLimit?: number };
  };
  const size = poolSize ?? extra?.max ?? extra?.connectionLimit ?? DEFAULT_POOL;
  const { concurrent = DEFAULT_CONCURRENT } = query.export;
  if (concurrent < size) return;

  new Logger('Crud').warn(
    `${modelName}: ${concurrent} exports may run at a time (query.export.concurrent), and the pool has ` +
      `${size} connections: all other requests would wait for the readers of exports.`,
  );
}
