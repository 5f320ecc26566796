import {
  type AggregateResponseRow,
  type CountResponse,
  type CrudRequest,
  type CrudRequestOptions,
  CrudService,
  type GetManyDefaultResponse,
} from '@nestwright/crud';
import {
  CATALOG,
  catalogFor,
  type Catalog,
  CHECK_START,
  forApplication,
  planRead,
  type ResourceDefinition,
} from '@nestwright/crud/adapter';
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
import { aggregateListed, aggregateMistakes } from './aggregate-answer.js';
import { joined } from './ambient-transactions.js';
import { getCatalog } from './catalog/catalog.js';
import { legacyOverrides } from './legacy-overrides.js';
import { type Count, isRequest, makeReadOptions, planPage, readTarget, runRead } from './read-requests.js';
import { noteTagForReadHooks, readMany, readOne, reportLinks, requireSole } from './results.js';
import { buildQuery, count, trimRecords } from './sql/index.js';
import { serializeTransactions } from './shared-connection.js';
import { startMistakes, warnOfExports } from './start-mistakes.js';
import { bindService, DATA_SOURCE } from './within.js';

/** Hooks whose overrides change how requests are read. */
type ReadingHook = 'createBuilder' | 'doGetMany' | 'getOneOrFail' | 'getPrimaryParams';

/**
 * The reading half of a service. Only verbs and hooks are members; everything else is a function outside the class, so
 * that applications may use any other name.
 */
export abstract class TypeOrmReadService<T extends ObjectLiteral> extends CrudService<T, DeepPartial<T>> {
  constructor(protected readonly repo: Repository<T>) {
    super();
    // Unit tests may pass a partial repository.
    if (repo?.manager?.connection?.manager) serializeTransactions(repo.manager.connection);
  }

  /**
   * This service on a manager, whose transaction its verbs join: what fails in a verb is undone, what it did is
   * committed or rolled back with the transaction. Overrides, fields and dependencies are this service's; repositories,
   * `TypeOrmCrudService`s, the manager and the data source among them are on the manager, too. A service with
   * `#private` members must override it.
   *
   * @throws Error if the manager is of another data source, or, here or in a later call on what it returns, its
   * transaction has ended.
   * @example
   * await this.repo.manager.transaction(async (manager) => {
   *   const task = await this.within(manager).updateOne(request, { status: 'done' });
   *   await manager.insert(Comment, { taskId: task.id, body: 'Done' });
   * });
   */
  within(manager: EntityManager): this {
    return bindService(this, manager);
  }

  /** Marks what {@link within} can be called on. */
  get [DATA_SOURCE](): DataSource {
    return this.repo.manager.connection;
  }

  override get [CATALOG](): Catalog {
    return getCatalog(this.repo.metadata);
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
   * How many records a request would list in all, under its scope and its conditions, whatever page it asks for;
   * otherwise TypeORM's `count` on the repository.
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
    return this.repo.metadata.columns.map(readPropertyPath);
  }

  /** Names of the columns of the primary key. */
  protected get entityPrimaryColumns(): string[] {
    return this.repo.metadata.primaryColumns.map(readPropertyPath);
  }

  /** Database paths of the columns, by their names in the entity. */
  protected get entityColumnsHash(): Record<string, string> {
    return Object.fromEntries(
      this.repo.metadata.columns.map((column) => [readPropertyPath(column), column.databasePath]),
    );
  }

  /** Whether the entity has a delete date. */
  protected get entityHasDeleteColumn(): boolean {
    return this.repo.metadata.deleteDateColumn !== undefined;
  }

  /** Alias of the root in a builder: the entity's name. */
  protected get alias(): string {
    return this[CATALOG].model;
  }

  override [CHECK_START](definition: ResourceDefinition): readonly string[] {
    const overridesReading = overridesListReading(this);
    warnOfExports(definition, this.repo);
    const overridesAggregates = this.aggregateMany !== TypeOrmReadService.prototype.aggregateMany;

    return [
      ...legacyOverrides(this, TypeOrmReadService.prototype),
      ...startMistakes(definition, this.repo, { overridesReading }),
      ...aggregateMistakes(definition, catalogFor(this, definition), overridesReading && !overridesAggregates),
    ];
  }

  async getMany(request: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]> {
    const service = joined(this, this.repo.manager);

    if (overridesListReading(this)) {
      forApplication(request);
      const builder = await service.createBuilder(request.parsed, request.options);
      const answer = await runRead(service.repo, () => service.doGetMany(builder, request.parsed, request.options));
      // An override may answer with anything.
      const { total } = (answer ?? {}) as Partial<GetManyDefaultResponse<T>>;
      if (total !== undefined) reportLinks(request, { limit: builder.expressionMap.take, total });

      return answer;
    }

    return (await readMany(service, service.repo, request)).records();
  }

  async getOne(request: CrudRequest): Promise<T> {
    const service = joined(this, this.repo.manager);

    if (!overrides(this, 'getOneOrFail') && !overrides(this, 'createBuilder'))
      return (await readOne(service, service.repo, request, { tagged: true })).records();

    await noteTagForReadHooks(service, service.repo, request);

    return service.getOneOrFail(overrides(this, 'getOneOrFail') ? forApplication(request) : request);
  }

  /**
   * Counts the records that the request would list, on all pages; an overridden `createBuilder` is used. Override it
   * too if the service reads lists in another way.
   */
  override async countMany(request: CrudRequest): Promise<CountResponse> {
    return { count: await countListed(joined(this, this.repo.manager), request) };
  }

  /**
   * Groups the records that the request would list, and computes functions of each group. Override it too if the
   * service reads lists in another way.
   */
  override async aggregateMany(
    request: CrudRequest,
  ): Promise<GetManyDefaultResponse<AggregateResponseRow> | AggregateResponseRow[]> {
    const service = joined(this, this.repo.manager);

    return aggregateListed(service, service.repo, request);
  }

  /**
   * A TypeORM builder that answers the request: joins, condition, order and page are on it. Override it to change the
   * query; lists and single records are then read through it. Its aliases are the entity's name for the root, and for a
   * relation its `alias` option or the last segment of its path.
   *
   * @param many `false` omits order and page. Default: `true`.
   * @param withDeleted Whether soft-deleted records are read. Default: as the request says.
   * @example
   * override async createBuilder(
   *   parsed: ParsedRequestParams,
   *   options: CrudRequestOptions,
   *   many?: boolean,
   *   withDeleted?: boolean,
   * ) {
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

    return buildQuery(withDeleted ? { ...plan, withDeleted } : plan, this.repo, makeReadOptions({ parsed, options }));
  }

  /** Executes the builder of a list, with a total if the answer is enveloped. */
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
    if (!overrides(this, 'createBuilder') || shallow)
      return (await readOne(this, this.repo, request, { shallow, withDeleted })).records();

    const records = await runRead(this.repo, async () => {
      const { parsed, options } = forApplication(request);
      const builder = await this.createBuilder(parsed, options, false, withDeleted);

      // TypeORM's getOne() also reads all matches, and would hide that there are several.
      return trimRecords(builder, await builder.getMany());
    });

    requireSole(this, records);

    return records[0]!;
  }
}

type Reading<T extends ObjectLiteral> = TypeOrmReadService<T>;

function readPropertyPath({ propertyPath }: { readonly propertyPath: string }): string {
  return propertyPath;
}

async function countListed<T extends ObjectLiteral>(service: Reading<T>, request: CrudRequest): Promise<number> {
  if (overrides(service, 'createBuilder')) {
    const { parsed, options } = forApplication(request);
    const builder = await service.createBuilder(parsed, options);

    return runRead(service['repo'], () => builder.getCount());
  }

  return runRead(service['repo'], () => {
    const plan = planRead(request, catalogFor(service, request), 'many', { take: null, skip: null });

    return count(plan, readTarget(service['repo']), makeReadOptions(request));
  });
}

/** Whether a service overrides how lists are read. */
export function overridesListReading<T extends ObjectLiteral>(service: Reading<T>): boolean {
  return overrides(service, 'createBuilder') || overrides(service, 'doGetMany');
}

/** Whether a subclass or instance overrides a hook. */
export function overrides<T extends ObjectLiteral>(service: Reading<T>, hook: ReadingHook): boolean {
  return service[hook] !== TypeOrmReadService.prototype[hook];
}
