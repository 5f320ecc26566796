/** A planned request in, records out: the two reading verbs over a TypeORM repository, and the hooks that services override to read in their own way; no SQL here. */
import {
  type Catalog,
  crudError,
  type CrudRequest,
  type CrudRequestOptions,
  CrudService,
  type GetManyDefaultResponse,
  type PlannedSource,
  planRead,
  type ReadPlan,
  reportOutcome,
  type ResourceDefinition,
} from '@nestwright/crud';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import type { DataSource, ObjectLiteral, QueryRunner, Repository, SelectQueryBuilder } from 'typeorm';
import { catalogOf } from './catalog/catalog.js';
import { toCrudError } from './errors/to-crud-error.js';
import { legacyOverrides } from './legacy-overrides.js';
import { buildQuery, read, type ReadOptions, readPage, trimRecords } from './sql/index.js';

/** Hooks that change how requests are read once a service overrides them. */
type ReadingHook = 'createBuilder' | 'doGetMany' | 'getOneOrFail' | 'getPrimaryParams';

/** The reading half of a service. */
export abstract class TypeOrmReadService<T extends ObjectLiteral> extends CrudService<T> {
  constructor(protected readonly repo: Repository<T>) {
    super();
  }

  override get catalog(): Catalog {
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

  /** TypeORM's `count` on the repository: no request, no scope. */
  get count(): Repository<T>['count'] {
    return this.repo.count.bind(this.repo);
  }

  /** Alias of the root in a builder: the entity's name. */
  protected get alias(): string {
    return this.catalog.model;
  }

  override checkStart({ options: { query } }: ResourceDefinition): readonly string[] {
    const uncached =
      typeof query.cache === 'number' && query.cache > 0 && !this.repo.manager.connection.queryResultCache;

    return [
      ...legacyOverrides(this),
      ...(uncached
        ? [`query.cache is ${String(query.cache)}, but the data source has no cache: set its option \`cache\``]
        : []),
    ];
  }

  async getMany(request: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]> {
    if (this.overrides('createBuilder') || this.overrides('doGetMany')) {
      const builder = await this.createBuilder(request.parsed, request.options);

      return this.guarded(() => this.doGetMany(builder, request.parsed, request.options));
    }

    return this.guarded(() => this.readMany(request));
  }

  async getOne(request: CrudRequest): Promise<T> {
    return this.getOneOrFail(request);
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
    const plan = this.planFor({ parsed, options }, many ? 'many' : 'one');

    return buildQuery(withDeleted ? { ...plan, withDeleted } : plan, this.repo, readOptionsOf(options));
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
    const records = await this.guarded(() => this.readOne(request, shallow, withDeleted));

    return this.soleRecord(records);
  }

  protected soleRecord<R>(records: readonly R[]): R {
    if (records.length > 1) {
      throw crudError('CRUD_CONFLICT', { message: `Several records of ${this.catalog.model} match` });
    }

    return records[0] ?? this.refuseUnknown();
  }

  private async readOne(request: CrudRequest, shallow: boolean, withDeleted: boolean): Promise<T[]> {
    const { parsed, options } = request;

    if (this.overrides('createBuilder') && !shallow) {
      const builder = await this.createBuilder(parsed, options, false, withDeleted);

      // TypeORM's getOne() reads all that match, too, and would hide that there are several.
      return trimRecords(builder, await builder.getMany());
    }

    const plan = planOne(request, this.catalog, withDeleted);

    return read<T>(shallow ? withoutReturnedJoins(plan) : plan, this.readTarget, readOptionsOf(options));
  }

  private async readMany(request: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]> {
    const { plan, most, isPage } = this.planMany(request);
    const options = readOptionsOf(request.options);

    if (isPage) {
      const { records, total } = await readPage<T>(plan, this.readTarget, options);

      return this.createPageInfo(records, total, plan.limit ?? 0, plan.offset ?? 0);
    }

    const records = await read<T>(plan, this.readTarget, options);
    if (most === undefined) return records;

    if (records.length > most) reportOutcome(request, { truncated: true });

    return records.slice(0, most);
  }

  /** The plan of a list: whether it is a page with a total, and the most records where one more than those is read, since nobody asked for that page size. */
  protected planMany(request: CrudRequest): { plan: ReadPlan; most?: number; isPage: boolean } {
    const { parsed, options } = request;
    const plan = this.planFor(request, 'many');
    if (this.decidePagination(parsed, options)) return { plan, isPage: true };

    const asked = parsed.limit ?? options?.query?.limit;
    const isCeiling = plan.limit !== undefined && (asked === undefined || asked > plan.limit);

    return isCeiling
      ? { plan: { ...plan, limit: plan.limit! + 1 }, most: plan.limit!, isPage: false }
      : { plan, isPage: false };
  }

  private planFor(request: CrudRequest, mode: 'one' | 'many'): ReadPlan {
    const take = this.getTake(request.parsed, request.options?.query ?? {});
    const skip = this.getSkip(request.parsed, take);

    return planRead(request, this.catalog, mode, { take, skip });
  }

  /** Where reads run: in the manager's transaction if it is in one. */
  protected get readTarget(): QueryRunner | DataSource {
    return this.repo.manager.queryRunner ?? this.repo.manager.connection;
  }

  /** Whether a subclass or an instance has its own version of a hook. */
  protected overrides(hook: ReadingHook): boolean {
    return this[hook] !== TypeOrmReadService.prototype[hook];
  }

  protected async guarded<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw toCrudError(error, this.repo.metadata);
    }
  }

  protected refuseUnknown(): never {
    throw this.throwNotFoundException(this.catalog.model);
  }
}

export function readOptionsOf(options: CrudRequestOptions | undefined): ReadOptions {
  const operators = options?.operators?.custom;

  return operators ? { operators } : {};
}

/** The plan of one record; two are read where there are several, so that they are noticed. */
export function planOne(request: CrudRequest, catalog: Catalog, withDeleted: boolean): ReadPlan {
  const plan = planRead(request, catalog, 'one');

  return { ...plan, limit: 2, withDeleted: withDeleted || plan.withDeleted };
}

function withoutReturnedJoins(plan: ReadPlan): ReadPlan {
  const unreturned = (source: PlannedSource): PlannedSource => ({
    ...source,
    returned: false,
    joins: source.joins.map(unreturned),
  });

  return { ...plan, root: { ...plan.root, joins: plan.root.joins.map(unreturned) } };
}
