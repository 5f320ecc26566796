import type {
  CountResponse,
  CrudRequest,
  CrudRequestOptions,
  GetManyDefaultResponse,
  HookContext,
} from '@nestwright/crud';
import {
  CATALOG,
  catalogFor,
  type Catalog,
  CHECK_START,
  forApplication,
  JOINED,
  LIBRARY,
  makeReadOptions,
  noteVerbs,
  planPage,
  planRead,
  READS_BY_HOOK,
  reportLinks,
  requireSole,
  type ResourceDefinition,
  STORE,
  StoreService,
} from '@nestwright/crud/adapter';
import { runRead } from '@nestwright/sql';
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
import { inAmbientTransaction, joined, type TransactionOptions } from './ambient-transactions.js';
import { toCatalog } from './typeorm/entity-tables.js';
import { legacyOverrides } from './legacy-overrides.js';
import { buildQuery } from './typeorm/query-builder.js';
import { trimRecords } from './typeorm/surplus.js';
import { serializeTransactions } from './typeorm/database.js';
import { readMetadata, startMistakes, warnOfExports } from './start-mistakes.js';
import { getStore, type TypeOrmStore } from './typeorm-store.js';
import { bindService, DATA_SOURCE } from './within.js';

/** What a hook is given about the write that it is part of. */
export type ChangeContext = HookContext<EntityManager>;

/** What `count` takes: a request, or TypeORM's options. */
interface Count<T extends ObjectLiteral> {
  (request: CrudRequest): Promise<number>;
  (options?: FindManyOptions<T>): Promise<number>;
}

/** Hooks whose overrides change how requests are read. */
type ReadingHook = 'createBuilder' | 'doGetMany' | 'getOneOrFail' | 'getPrimaryParams';

/**
 * Serves one entity from its repository. Only verbs and hooks are members; everything else is a function outside the
 * class, so that applications may use any other name.
 *
 * @example
 * @Injectable()
 * export class UsersService extends TypeOrmCrudService<User> {
 *   constructor(@InjectRepository(User) users: Repository<User>) {
 *     super(users);
 *   }
 * }
 */
export class TypeOrmCrudService<T extends ObjectLiteral> extends StoreService<T, DeepPartial<T>, EntityManager> {
  static {
    noteVerbs(this.prototype);
  }

  /** @param repo The repository of the entity. */
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
    return toCatalog(readMetadata(this, this.repo));
  }

  override get [STORE](): TypeOrmStore {
    return getStore(this.repo);
  }

  override get [JOINED](): this {
    return joined(this, this.repo.manager);
  }

  override [LIBRARY](): object {
    return TypeOrmCrudService.prototype;
  }

  override get [READS_BY_HOOK](): boolean {
    return overrides(this, 'createBuilder') || overrides(this, 'getOneOrFail');
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
    warnOfExports(definition, this.repo);

    return [
      ...super[CHECK_START](definition),
      ...legacyOverrides(this, TypeOrmCrudService.prototype),
      ...startMistakes(definition, this.repo, {
        overridesReading: overridesListReading(this),
        overridesAggregates: this.aggregateMany !== TypeOrmCrudService.prototype.aggregateMany,
        catalog: catalogFor(this, definition),
      }),
    ];
  }

  override async getMany(request: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]> {
    if (!overridesListReading(this)) return super.getMany(request);

    forApplication(request);
    const service = this[JOINED];
    const builder = await service.createBuilder(request.parsed, request.options);
    const answer = await runRead(service[STORE], () => service.doGetMany(builder, request.parsed, request.options));
    // An override may answer with anything.
    const { total } = (answer ?? {}) as Partial<GetManyDefaultResponse<T>>;
    if (total !== undefined) reportLinks(request, { limit: builder.expressionMap.take, total });

    return answer;
  }

  override async getOne(request: CrudRequest): Promise<T> {
    if (!this[READS_BY_HOOK]) return super.getOne(request);

    const service = this[JOINED];
    await service[STORE].noteTag({ catalog: catalogFor(service, request), request });

    return service.getOneOrFail(overrides(this, 'getOneOrFail') ? forApplication(request) : request);
  }

  /**
   * Counts the records that the request would list, on all pages; an overridden `createBuilder` is used. Override it
   * too if the service reads lists in another way.
   */
  override async countMany(request: CrudRequest): Promise<CountResponse> {
    return { count: await countListed(this[JOINED], request) };
  }

  /**
   * Runs several calls in one transaction, which services of the data source join wherever `work` calls them, and
   * `service.within(manager)` joins anywhere. What fails undoes all of it; after a deadlock or a serialization failure
   * `work` is repeated. In a transaction that is open already it is a savepoint.
   *
   * @example
   * await this.transaction(async (manager) => {
   *   await this.updateOne(request, { status: 'done' });
   *   await manager.insert(Comment, { body: 'Done' });
   * }, { isolation: 'SERIALIZABLE', retries: 5 });
   */
  transaction<R>(work: (manager: EntityManager) => Promise<R>, options: TransactionOptions = {}): Promise<R> {
    return inAmbientTransaction(this.repo.manager, work, options);
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
  protected override async getOneOrFail(request: CrudRequest, shallow = false, withDeleted = false): Promise<T> {
    if (!overrides(this, 'createBuilder') || shallow) return super.getOneOrFail(request, shallow, withDeleted);

    const records = await runRead(this[STORE], async () => {
      const { parsed, options } = forApplication(request);
      const builder = await this.createBuilder(parsed, options, false, withDeleted);

      // TypeORM's getOne() also reads all matches, and would hide that there are several.
      return trimRecords(builder, await builder.getMany());
    });

    requireSole(this, records);

    return records[0]!;
  }
}

type Reading<T extends ObjectLiteral> = TypeOrmCrudService<T>;

function readPropertyPath({ propertyPath }: { readonly propertyPath: string }): string {
  return propertyPath;
}

async function countListed<T extends ObjectLiteral>(service: Reading<T>, request: CrudRequest): Promise<number> {
  if (overrides(service, 'createBuilder')) {
    const { parsed, options } = forApplication(request);
    const builder = await service.createBuilder(parsed, options);

    return runRead(service[STORE], () => builder.getCount());
  }

  const plan = planRead(request, catalogFor(service, request), 'many', { take: null, skip: null });

  return service[STORE].count(plan, makeReadOptions(request));
}

/** Whether the argument is a request; TypeORM's options have no such property. */
function isRequest(asked: unknown): asked is CrudRequest {
  return typeof asked === 'object' && asked !== null && 'parsed' in asked;
}

/** Whether a service overrides how lists are read. */
function overridesListReading<T extends ObjectLiteral>(service: Reading<T>): boolean {
  return overrides(service, 'createBuilder') || overrides(service, 'doGetMany');
}

/** Whether a subclass or instance overrides a hook. */
export function overrides<T extends ObjectLiteral>(service: Reading<T>, hook: ReadingHook): boolean {
  return service[hook] !== TypeOrmCrudService.prototype[hook];
}
