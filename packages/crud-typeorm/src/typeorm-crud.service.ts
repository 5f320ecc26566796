import type { AffectedResponse, BaseRouteName, BulkDto, CreateManyDto, CrudRequest, SetDto } from '@nestwright/crud';
import {
  applyScope,
  type BodyScope,
  bodyScope,
  CATALOG,
  ERRORS,
  EXPORT,
  type CrudResult,
  type ListExport,
  NeedsRecords,
  noteVerbs,
  RESULT,
  type Verb,
  planWrite,
  type WriteMode,
  type WritePlan,
} from '@nestwright/crud/adapter';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import type { DeepPartial, ObjectLiteral } from 'typeorm';
import { joined } from './ambient-transactions.js';
import { type BulkWrite, deleteBulk, recoverBulk, replaceBulk, updateBulk } from './bulk-writes.js';
import { hooksOf } from './change-hooks.js';
import { exportList } from './export/export-list.js';
import { withPlainRelations } from './persist/lazy-relations.js';
import { insertRecord, insertRecords } from './persist/insert.js';
import { deleteMatching, setMatching } from './matching-writes.js';
import { recoverRecord } from './persist/recover.js';
import { removeRecord } from './persist/remove.js';
import { replaceRecord } from './persist/replace.js';
import { updateRecord } from './persist/update.js';
import { upsertMany, upsertOne } from './upsert-writes.js';
import type { WriteContext, Written } from './statements/write-context.js';
import { readMany, readOne, refuseUnknown, writtenMany, writtenOne } from './results.js';
import { TypeOrmHooksService } from './typeorm-hooks.service.js';
import { readsItself } from './typeorm-read.service.js';
import { answer, isShown, requireShown } from './writes-under-hooks.js';

/**
 * Serves one entity from its repository.
 *
 * @example
 * @Injectable()
 * export class UsersService extends TypeOrmCrudService<User> {
 *   constructor(@InjectRepository(User) users: Repository<User>) {
 *     super(users);
 *   }
 * }
 */
export class TypeOrmCrudService<T extends ObjectLiteral> extends TypeOrmHooksService<T> {
  static {
    noteVerbs(this.prototype);
  }

  async createOne(request: CrudRequest, dto: DeepPartial<T>): Promise<T> {
    const service = joined(this, this.repo.manager);

    return answer(
      service,
      request,
      await store(service, request, dto),
      request.options?.routes?.createOneBase?.returnShallow,
    );
  }

  async createMany(request: CrudRequest, dto: CreateManyDto<DeepPartial<T>>): Promise<T[]> {
    const service = joined(this, this.repo.manager);

    return (await storeAll(service, request, dto)).map(({ record }) => record as T);
  }

  async updateOne(request: CrudRequest, dto: DeepPartial<T>): Promise<T> {
    const service = joined(this, this.repo.manager);

    return answer(
      service,
      request,
      await change(service, request, dto),
      request.options?.routes?.updateOneBase?.returnShallow,
    );
  }

  async replaceOne(request: CrudRequest, dto: DeepPartial<T>): Promise<T> {
    const service = joined(this, this.repo.manager);
    const { returnShallow, allowParamsOverride, merge } = request.options?.routes?.replaceOneBase ?? {};
    const body = scoped(service, dto, request.parsed, allowParamsOverride);

    if (merge) {
      const written = await updatePlanned(service, request, planned(service, request, body, 'update'), {
        shallow: returnShallow,
        route: 'replaceOneBase',
      });

      return answer(service, request, written, returnShallow);
    }

    const plans = {
      replace: planned(service, request, body, 'replace'),
      insert: () => planned(service, request, body, 'insert'),
      replaceable: await isShown(service, request),
    };

    return answer(
      service,
      request,
      await replaceRecord(writing(service, request, 'replaceOneBase'), plans, { shallow: returnShallow }),
      returnShallow,
    );
  }

  async deleteOne(request: CrudRequest): Promise<void | T> {
    const service = joined(this, this.repo.manager);
    const { query, routes } = request.options ?? {};
    const options = { soft: query?.softDelete, returnDeleted: routes?.deleteOneBase?.returnDeleted };

    await requireShown(service, request);

    return (await removeRecord(writing(service, request, 'deleteOneBase'), options)) as void | T;
  }

  async recoverOne(request: CrudRequest): Promise<void | T> {
    const service = joined(this, this.repo.manager);
    const { returnRecovered } = request.options?.routes?.recoverOneBase ?? {};

    await requireShown(service, request, true);

    const recovered = await recoverRecord(writing(service, request, 'recoverOneBase'), { returnRecovered });

    return recovered && answer(service, request, recovered);
  }

  /** Changes what each item carries of the record that its key names, all or none; the records come in the order of the items. */
  override async updateMany(request: CrudRequest, dto: BulkDto<DeepPartial<T>>): Promise<T[]> {
    return updateBulk(bulk(joined(this, this.repo.manager), request, 'updateManyBase'), dto);
  }

  /** Puts full records in the place of those that their keys name, or creates them where clients own the key; all or none. */
  override async replaceMany(request: CrudRequest, dto: BulkDto<DeepPartial<T>>): Promise<T[]> {
    return replaceBulk(bulk(joined(this, this.repo.manager), request, 'replaceManyBase'), dto);
  }

  /** Deletes the records that the items name by their keys, all or none; returns them where `returnDeleted` says so. */
  override async deleteMany(request: CrudRequest, dto: BulkDto<DeepPartial<T>>): Promise<void | T[]> {
    return deleteBulk(bulk(joined(this, this.repo.manager), request, 'deleteManyBase'), dto);
  }

  /** Brings back the soft-deleted records that the items name by their keys, all or none. */
  override async recoverMany(request: CrudRequest, dto: BulkDto<DeepPartial<T>>): Promise<void | T[]> {
    return recoverBulk(bulk(joined(this, this.repo.manager), request, 'recoverManyBase'), dto);
  }

  /** Changes all records that the request's condition matches, all or none: at most `maxAffected`. */
  override async updateMatching(request: CrudRequest, dto: SetDto<DeepPartial<T>>): Promise<AffectedResponse> {
    return setMatching(bulk(joined(this, this.repo.manager), request, 'updateManyBase'), dto);
  }

  /** Deletes all records that the request's condition matches, all or none: at most `maxAffected`. */
  override async deleteMatching(request: CrudRequest): Promise<AffectedResponse> {
    return deleteMatching(bulk(joined(this, this.repo.manager), request, 'deleteManyBase'));
  }

  /** What a verb answers with, where no method of a subclass has a part in it. */
  [RESULT](verb: Verb, request: CrudRequest, body?: unknown): Promise<CrudResult> | NeedsRecords | undefined {
    const { run, methods = [] } = RESULTS[verb] ?? {};
    const library = TypeOrmCrudService.prototype as unknown as Record<string, unknown>;
    const own = methods.find((name) => (this as unknown as Record<string, unknown>)[name] !== library[name]);

    return own === undefined
      ? run?.(joined(this, this.repo.manager), request, body)
      : new NeedsRecords(`the service's own ${own}`);
  }

  /** The list of a request as it is sent while it is read, where no method of a subclass has a part in reading lists. */
  [EXPORT](request: CrudRequest): ListExport | undefined {
    return this.getMany === TypeOrmCrudService.prototype.getMany && !readsItself(this)
      ? exportList(this[CATALOG], this.repo, request)
      : undefined;
  }

  /**
   * The body of POST as it is to be stored; called for each record of a bulk. Override it to change a record before it is planned; undefined refuses it as empty.
   * Whatever it returns, path values and `persist` are put in again.
   */
  protected prepareEntityBeforeSave(dto: DeepPartial<T>, parsed: ParsedRequestParams): T | undefined {
    if (typeof dto !== 'object' || dto === null) {
      return undefined;
    }

    const entity = scoped(this, dto, parsed);

    return Object.keys(entity).length > 0 ? (entity as unknown as T) : undefined;
  }

  /** Path values by field, as they are put into every body that is stored. Override it to store others. */
  protected getParamFilters(parsed: ParsedRequestParams): ObjectLiteral {
    return Object.fromEntries((parsed.paramsFilter ?? []).map(({ field, value }) => [field, value as unknown]));
  }
}

type Writing<T extends ObjectLiteral> = TypeOrmCrudService<T>;

/** How a verb makes its result, and the methods that see or replace its records once a subclass overrides them. */
interface VerbResult {
  readonly methods: readonly string[];
  // A service of any entity.
  run(service: Writing<any>, request: CrudRequest, body: unknown): Promise<CrudResult>;
}

const RESULTS: { readonly [V in Verb]?: VerbResult } = {
  getMany: {
    methods: ['getMany', 'createBuilder', 'doGetMany', 'createPageInfo'],
    run: (service, request) => readMany(service, service['repo'], request),
  },
  getOne: {
    methods: ['getOne', 'getOneOrFail', 'createBuilder'],
    run: (service, request) => readOne(service, service['repo'], request, { tagged: true }),
  },
  createOne: {
    methods: ['createOne', 'createBuilder', 'getOneOrFail', 'getPrimaryParams'],
    run: async (service, request, body) =>
      writtenOne(await store(service, request, body as ObjectLiteral), service['repo']),
  },
  createMany: {
    methods: ['createMany'],
    run: async (service, request, body) =>
      writtenMany(await storeAll(service, request, body as CreateManyDto), service['repo']),
  },
  updateOne: {
    methods: ['updateOne', 'createBuilder', 'getOneOrFail', 'getPrimaryParams'],
    run: async (service, request, body) =>
      writtenOne(await change(service, request, body as ObjectLiteral), service['repo']),
  },
};

/** A copy of a body that says what path and `persist` say: the interceptor has put it in before, but handlers of the application and requests made by hand rely on the service alone. */
function scoped<T extends ObjectLiteral, B extends object>(
  service: Writing<T>,
  body: B,
  parsed: ParsedRequestParams,
  allowParamsOverride?: boolean,
): B {
  const copy = withPlainRelations(body, service[CATALOG]);
  applyScope(copy, scopeOfBodies(service, parsed, allowParamsOverride));

  return copy;
}

function scopeOfBodies<T extends ObjectLiteral>(
  service: Writing<T>,
  parsed: ParsedRequestParams,
  allowParamsOverride?: boolean,
): BodyScope {
  const path = Object.entries(service['getParamFilters'](parsed));

  return bodyScope({ path, persist: parsed.authPersist as object | undefined, allowParamsOverride }, service[CATALOG]);
}

function planned<T extends ObjectLiteral>(
  service: Writing<T>,
  { parsed }: CrudRequest,
  body: object,
  mode: WriteMode,
  path?: string,
): WritePlan {
  return planWrite(service[CATALOG], body, mode, { path, scope: scopeOfBodies(service, parsed) });
}

function bodyToInsert<T extends ObjectLiteral>(service: Writing<T>, request: CrudRequest, dto: DeepPartial<T>): object {
  const entity = service['prepareEntityBeforeSave'](dto, request.parsed) ?? refuseEmpty(service);
  const own = service['prepareEntityBeforeSave'] !== TypeOrmCrudService.prototype['prepareEntityBeforeSave'];

  return own ? scoped(service, entity, request.parsed) : entity;
}

async function store<T extends ObjectLiteral>(
  service: Writing<T>,
  request: CrudRequest,
  dto: DeepPartial<T>,
): Promise<Written> {
  const { returnShallow: shallow, allowGeneratedKey, onConflict } = request.options?.routes?.createOneBase ?? {};
  const body = bodyToInsert(service, request, dto);
  const plan = planned(service, request, body, 'insert');
  if (onConflict) {
    const item = { body, insert: plan, path: '' };

    return upsertOne(bulk(service, request, 'createOneBase'), item, { onConflict, shallow, allowGeneratedKey });
  }

  return insertRecord(writing(service, request, 'createOneBase'), plan, { shallow, allowGeneratedKey });
}

async function storeAll<T extends ObjectLiteral>(
  service: Writing<T>,
  request: CrudRequest,
  dto: CreateManyDto<DeepPartial<T>>,
): Promise<readonly Pick<Written, 'record' | 'json'>[]> {
  const { allowGeneratedKey } = request.options?.routes?.createOneBase ?? {};
  const { onConflict } = request.options?.routes?.createManyBase ?? {};
  const records: unknown = (dto as CreateManyDto | undefined)?.bulk;

  if (!Array.isArray(records) || records.length === 0) return refuseEmpty(service);

  const scope = scopeOfBodies(service, request.parsed);
  const items = records.map((record: DeepPartial<T>, index) => {
    const path = `bulk.${index}`;
    const body = bodyToInsert(service, request, record);

    return { body, path, insert: planWrite(service[CATALOG], body, 'insert', { path, scope }) };
  });
  if (onConflict) return upsertMany(bulk(service, request, 'createManyBase'), items, { onConflict, allowGeneratedKey });

  return insertRecords(
    writing(service, request, 'createManyBase'),
    items.map(({ insert }) => insert),
    { allowGeneratedKey },
  );
}

async function change<T extends ObjectLiteral>(
  service: Writing<T>,
  request: CrudRequest,
  dto: DeepPartial<T>,
): Promise<Written> {
  const { returnShallow, allowParamsOverride } = request.options?.routes?.updateOneBase ?? {};
  const body = scoped(service, dto, request.parsed, allowParamsOverride);

  return updatePlanned(service, request, planned(service, request, body, 'update'), {
    shallow: returnShallow,
    route: 'updateOneBase',
  });
}

async function updatePlanned<T extends ObjectLiteral>(
  service: Writing<T>,
  request: CrudRequest,
  plan: WritePlan,
  { shallow, route }: { readonly shallow: boolean | undefined; readonly route: BaseRouteName },
): Promise<Written> {
  await requireShown(service, request);

  return updateRecord(writing(service, request, route), plan, { shallow });
}

/** What the verbs of many records need of the service. */
function bulk<T extends ObjectLiteral>(service: Writing<T>, request: CrudRequest, route: BaseRouteName): BulkWrite<T> {
  return {
    service,
    context: writing(service, request, route),
    plan: (item, mode, { path, request: own, allowParamsOverride }) =>
      planned(service, own, scoped(service, item, own.parsed, allowParamsOverride), mode, path),
  };
}

function refuseEmpty<T extends ObjectLiteral>(service: Writing<T>): never {
  throw service.throwBadRequestException(ERRORS.CRUD_EMPTY_BODY.message, 'CRUD_EMPTY_BODY');
}

/** What a verb's write is given: with the hooks of the service, where it has any. */
function writing<T extends ObjectLiteral>(
  service: Writing<T>,
  request: CrudRequest,
  route: BaseRouteName,
): WriteContext {
  const { manager } = service['repo'];
  const hooks = hooksOf(service, TypeOrmHooksService.prototype, () => ({
    request,
    route,
    manager: manager.connection.manager,
    scope: scopeOfBodies(service, request.parsed),
  }));

  return {
    manager,
    ...(hooks && { hooks }),
    catalog: service[CATALOG],
    request,
    notFound: () => refuseUnknown(service),
  };
}
