/** A planned request in, records out: the two reading verbs over a TypeORM repository, and the hooks that services override to read in their own way; no SQL here. */
import {
  CATALOG,
  type Catalog,
  CHECK_START,
  crudError,
  type CrudRequest,
  type CrudRequestOptions,
  CrudService,
  type GetManyDefaultResponse,
  handOver,
  reportOutcome,
  type ResourceDefinition,
} from '@nestwright/crud';
import type { ClassType, ParsedRequestParams } from '@nestwright/crud-request';
import type {
  DataSource,
  DataSourceOptions,
  DeepPartial,
  EntityManager,
  FindManyOptions,
  ObjectLiteral,
  Repository,
  SelectQueryBuilder,
} from 'typeorm';
import { catalogOf } from './catalog/catalog.js';
import { legacyOverrides } from './legacy-overrides.js';
import { modelMismatch } from './model-mismatch.js';
import {
  type Count,
  guarded,
  isRequest,
  planAll,
  planMany,
  planOne,
  planPage,
  readOptionsOf,
  readTarget,
  withoutReturnedJoins,
} from './read-requests.js';
import { buildQuery, count, read, readPage, trimRecords } from './sql/index.js';
import { takeTurnsInTransactions } from './turn.js';
import { DATA_SOURCE, serviceWithin } from './within.js';

/** Hooks that change how requests are read once a service overrides them. */
type ReadingHook = 'createBuilder' | 'doGetMany' | 'getOneOrFail' | 'getPrimaryParams';

/**
 * The reading half of a service. Whatever is no verb and no hook is a function beside the class, so that applications may give their own members any other name.
 */
export abstract class TypeOrmReadService<T extends ObjectLiteral> extends CrudService<T, DeepPartial<T>> {
  constructor(protected readonly repo: Repository<T>) {
    super();
    // Unit tests may give less than a repository.
    if (repo?.manager?.connection?.manager) takeTurnsInTransactions(repo.manager.connection);
  }

  /**
   * This service on a manager, whose transaction its verbs join: what fails in a verb is undone, what it did is committed or rolled back with the transaction. Overrides, fields
   * and dependencies are this service's; repositories, `TypeOrmCrudService`s, the manager and the data source among them are on the manager, too. A service with `#private`
   * members must override it.
   *
   * @throws Error where the manager is of another data source, or, here or in a later call on what it returns, its transaction has ended.
   * @example
   * await this.repo.manager.transaction(async (manager) => {
   *   const task = await this.within(manager).updateOne(request, { status: 'done' });
   *   await manager.insert(Comment, { taskId: task.id, body: 'Done' });
   * });
   */
  within(manager: EntityManager): this {
    return serviceWithin(this, manager);
  }

  /** Marks what {@link within} can be called on. */
  get [DATA_SOURCE](): DataSource {
    return this.repo.manager.connection;
  }

  override get [CATALOG](): Catalog {
    return catalogOf(this.repo.metadata);
  }

  /** TypeORM's `find` on the repository: no request, no scope. */
  get find(): Repository<T>['find'] {
    return this.repo.find.bind(this.repo);
  }

  /** TypeORM's `findOne` on the repository: no request, no scope. */
  get findOne(): Repository<T>['findOne'] {
    return this.repo.findOne.bind(this.repo);
  }

  /** TypeORM's `findOneBy` on the repository: no request, no scope. */
  get findOneBy(): Repository<T>['findOneBy'] {
    return this.repo.findOneBy.bind(this.repo);
  }

  /**
   * How many records a request would list in all, under its scope and its conditions, whatever page it asks for; otherwise TypeORM's `count` on the repository.
   *
   * @example
   * `@Get('count') @UseInterceptors(CrudRequestInterceptor) count(@ParsedRequest() request: CrudRequest) { return this.service.count(request); }`
   */
  get count(): Count<T> {
    return (asked?: CrudRequest | FindManyOptions<T>) =>
      isRequest(asked) ? countListed(this, asked) : this.repo.count(asked);
  }

  /** The entity's class. */
  protected get entityType(): ClassType<T> {
    return this.repo.target as ClassType<T>;
  }

  /** Kind of the database: `postgres`, `mysql`, `better-sqlite3` … */
  protected get dbName(): DataSourceOptions['type'] {
    return this.repo.metadata.connection.options.type;
  }

  /** Names of the entity's columns; those of embedded objects are paths. */
  protected get entityColumns(): string[] {
    return this.repo.metadata.columns.map(nameOf);
  }

  /** Names of the columns of the primary key. */
  protected get entityPrimaryColumns(): string[] {
    return this.repo.metadata.primaryColumns.map(nameOf);
  }

  /** Database paths of the columns, by their names in the entity. */
  protected get entityColumnsHash(): Record<string, string> {
    return Object.fromEntries(this.repo.metadata.columns.map((column) => [nameOf(column), column.databasePath]));
  }

  /** Whether the entity has a delete date. */
  protected get entityHasDeleteColumn(): boolean {
    return this.repo.metadata.deleteDateColumn !== undefined;
  }

  /** Alias of the root in a builder: the entity's name. */
  protected get alias(): string {
    return this[CATALOG].model;
  }

  override [CHECK_START]({ model, options: { query } }: ResourceDefinition): readonly string[] {
    const mismatch = modelMismatch(model, this.repo);
    const uncached =
      typeof query.cache === 'number' && query.cache > 0 && !this.repo.manager.connection.queryResultCache;

    return [
      ...legacyOverrides(this, TypeOrmReadService.prototype),
      ...(mismatch === undefined ? [] : [mismatch]),
      ...(uncached
        ? [`query.cache is ${String(query.cache)}, but the data source has no cache: set its option \`cache\``]
        : []),
    ];
  }

  async getMany(request: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]> {
    if (overrides(this, 'createBuilder') || overrides(this, 'doGetMany')) {
      handOver(request);
      const builder = await this.createBuilder(request.parsed, request.options);

      return guarded(this.repo, () => this.doGetMany(builder, request.parsed, request.options));
    }

    return guarded(this.repo, () => readMany(this, request));
  }

  async getOne(request: CrudRequest): Promise<T> {
    return this.getOneOrFail(overrides(this, 'getOneOrFail') ? handOver(request) : request);
  }

  /**
   * A TypeORM builder that answers the request: joins, condition, order and page are on it. Override it to change the query; lists and single records are then read through
   * it. Its aliases are the entity's name for the root, and for a relation its `alias` option or the last segment of its path.
   *
   * @param many `false` leaves order and page away. Default: `true`.
   * @param withDeleted Whether soft-deleted records are read. Default: as the request says.
   * @example
   * override async createBuilder(parsed: ParsedRequestParams, options: CrudRequestOptions, many?: boolean, withDeleted?: boolean) {
   *   const builder = await super.createBuilder(parsed, options, many, withDeleted);
   *   return builder.andWhere('User.isActive = :active', { active: true });
   * }
   */
  async createBuilder(
    parsed: ParsedRequestParams,
    options: CrudRequestOptions,
    many = true,
    withDeleted = false,
  ): Promise<SelectQueryBuilder<T>> {
    const plan = planPage(this, { parsed, options }, many ? 'many' : 'one');

    return buildQuery(withDeleted ? { ...plan, withDeleted } : plan, this.repo, readOptionsOf({ parsed, options }));
  }

  /** Executes the builder of a list, with a total where the answer is enveloped. */
  protected async doGetMany(
    builder: SelectQueryBuilder<T>,
    query: ParsedRequestParams,
    options: CrudRequestOptions,
  ): Promise<GetManyDefaultResponse<T> | T[]> {
    if (this.decidePagination(query, options)) {
      const [records, total] = await builder.getManyAndCount();
      const { take = 0, skip = 0 } = builder.expressionMap;

      return this.createPageInfo(trimRecords(builder, records), total, take, skip);
    }

    return trimRecords(builder, await builder.getMany());
  }

  /**
   * The one record that the request's condition describes; none is a 404, several are a 409.
   *
   * @param shallow Whether joined relations are left out. Default: `false`.
   * @param withDeleted Whether a soft-deleted record is found. Default: as the request says.
   */
  protected async getOneOrFail(request: CrudRequest, shallow = false, withDeleted = false): Promise<T> {
    return soleRecord(this, await guarded(this.repo, () => readOne(this, request, shallow, withDeleted)));
  }
}

type Reading<T extends ObjectLiteral> = TypeOrmReadService<T>;

function nameOf({ propertyPath }: { readonly propertyPath: string }): string {
  return propertyPath;
}

/** The only one of the records that were found; none is a 404, several are a 409. */
export function soleRecord<T extends ObjectLiteral, R>(service: Reading<T>, records: readonly R[]): R {
  if (records.length > 1) {
    throw crudError('CRUD_CONFLICT', { message: `Several records of ${service[CATALOG].model} match` });
  }

  return records[0] ?? refuseUnknown(service);
}

async function readOne<T extends ObjectLiteral>(
  service: Reading<T>,
  request: CrudRequest,
  shallow: boolean,
  withDeleted: boolean,
): Promise<T[]> {
  if (overrides(service, 'createBuilder') && !shallow) {
    const { parsed, options } = handOver(request);
    const builder = await service.createBuilder(parsed, options, false, withDeleted);

    // TypeORM's getOne() reads all that match, too, and would hide that there are several.
    return trimRecords(builder, await builder.getMany());
  }

  const plan = planOne(request, service[CATALOG], withDeleted);

  return read<T>(shallow ? withoutReturnedJoins(plan) : plan, readTarget(service['repo']), readOptionsOf(request));
}

async function readMany<T extends ObjectLiteral>(
  service: Reading<T>,
  request: CrudRequest,
): Promise<GetManyDefaultResponse<T> | T[]> {
  const { plan, most, isPage } = planMany(service, request);
  const options = readOptionsOf(request);

  if (isPage) {
    const { records, total } = await readPage<T>(plan, readTarget(service['repo']), options);

    return service.createPageInfo(records, total, plan.limit ?? 0, plan.offset ?? 0);
  }

  const records = await read<T>(plan, readTarget(service['repo']), options);
  if (most === undefined) return records;

  if (records.length > most) reportOutcome(request, { truncated: true });

  return records.slice(0, most);
}

async function countListed<T extends ObjectLiteral>(service: Reading<T>, request: CrudRequest): Promise<number> {
  if (overrides(service, 'createBuilder')) {
    const { parsed, options } = handOver(request);
    const builder = await service.createBuilder(parsed, options);

    return guarded(service['repo'], () => builder.getCount());
  }

  return guarded(service['repo'], () =>
    count(planAll(request, service[CATALOG]), readTarget(service['repo']), readOptionsOf(request)),
  );
}

/** Whether a subclass or an instance has its own version of a hook. */
export function overrides<T extends ObjectLiteral>(service: Reading<T>, hook: ReadingHook): boolean {
  return service[hook] !== TypeOrmReadService.prototype[hook];
}

export function refuseUnknown<T extends ObjectLiteral>(service: Reading<T>): never {
  throw service.throwNotFoundException(service[CATALOG].model);
}
