/** A request and a body in, the stored record out: the writing verbs over a TypeORM repository, on top of the reading ones; no SQL here. */
import {
  CATALOG,
  type CreateManyDto,
  type CrudRequest,
  ERRORS,
  noteVerbs,
  planWrite,
  type ReadingVerb,
  type ReportReason,
  type TextVerb,
  WRITE_JSON,
  type WriteMode,
  type WritePlan,
} from '@nestwright/crud';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import type { DeepPartial, ObjectLiteral } from 'typeorm';
import { type BodyOptions, type BodyScope, relatedScope, scopedBody } from './persist/body.js';
import { insertRecord, insertRecords } from './persist/insert.js';
import { recoverRecord } from './persist/recover.js';
import { removeRecord } from './persist/remove.js';
import { replaceRecord } from './persist/replace.js';
import { updateRecord } from './persist/update.js';
import type { WriteContext, Written } from './persist/write-context.js';
import { textOrRecord, textOrRecords } from './persist/written-text.js';
import { refuseUnknown } from './typeorm-read.service.js';
import { reasonAgainstText, TypeOrmTextService } from './typeorm-text.service.js';
import { answer, isShown, requireShown } from './writes-under-hooks.js';

/** Methods that see or replace the record of a verb once a service overrides them. */
const SEEING = {
  createOne: ['createOne', 'createBuilder', 'getOneOrFail', 'getPrimaryParams'],
  createMany: ['createMany'],
  updateOne: ['updateOne', 'createBuilder', 'getOneOrFail', 'getPrimaryParams'],
} as const satisfies Record<Exclude<TextVerb, ReadingVerb>, readonly string[]>;

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
export class TypeOrmCrudService<T extends ObjectLiteral> extends TypeOrmTextService<T> {
  static {
    noteVerbs(this.prototype);
  }

  async createOne(request: CrudRequest, dto: DeepPartial<T>): Promise<T> {
    return answer(
      this,
      request,
      await store(this, request, dto),
      request.options?.routes?.createOneBase?.returnShallow,
    );
  }

  async createMany(request: CrudRequest, dto: CreateManyDto<DeepPartial<T>>): Promise<T[]> {
    return (await storeAll(this, request, dto)).map(({ record }) => record as T);
  }

  async updateOne(request: CrudRequest, dto: DeepPartial<T>): Promise<T> {
    return answer(
      this,
      request,
      await change(this, request, dto),
      request.options?.routes?.updateOneBase?.returnShallow,
    );
  }

  async replaceOne(request: CrudRequest, dto: DeepPartial<T>): Promise<T> {
    const { returnShallow, allowParamsOverride, merge } = request.options?.routes?.replaceOneBase ?? {};
    const body = scoped(this, dto, request.parsed, { allowParamsOverride });

    if (merge) {
      const written = await updatePlanned(this, request, planned(this, request, body, 'update'), returnShallow);

      return answer(this, request, written, returnShallow);
    }

    const plans = {
      replace: planned(this, request, body, 'replace'),
      insert: () => planned(this, request, body, 'insert'),
      replaceable: await isShown(this, request),
    };

    return answer(
      this,
      request,
      await replaceRecord(writing(this, request), plans, { shallow: returnShallow }),
      returnShallow,
    );
  }

  async deleteOne(request: CrudRequest): Promise<void | T> {
    const { query, routes } = request.options ?? {};
    const options = { soft: query?.softDelete, returnDeleted: routes?.deleteOneBase?.returnDeleted };

    await requireShown(this, request);

    return (await removeRecord(writing(this, request), options)) as void | T;
  }

  async recoverOne(request: CrudRequest): Promise<void | T> {
    const { returnRecovered } = request.options?.routes?.recoverOneBase ?? {};

    await requireShown(this, request, true);

    const recovered = await recoverRecord(writing(this, request), { returnRecovered });

    return recovered && answer(this, request, recovered);
  }

  /** The verbs' answers as text; a write that was stored without telling its text is answered with the record. */
  override [WRITE_JSON](
    verb: TextVerb,
    request: CrudRequest,
    model: unknown,
    report: ReportReason,
    body?: unknown,
  ): Promise<unknown> | undefined {
    if (verb === 'getMany' || verb === 'getOne') return super[WRITE_JSON](verb, request, model, report);

    const reason = reasonAgainstText(this, SEEING[verb], TypeOrmCrudService.prototype, model);

    if (reason !== undefined) {
      report(reason);

      return undefined;
    }

    switch (verb) {
      case 'createOne':
        return store(this, request, body as T).then((written) => textOrRecord(written, report));
      case 'updateOne':
        return change(this, request, body as T).then((written) => textOrRecord(written, report));
      case 'createMany':
        return storeAll(this, request, body as CreateManyDto<T>).then((written) => textOrRecords(written, report));
    }
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

function scoped<T extends ObjectLiteral, B extends object>(
  service: Writing<T>,
  body: B,
  parsed: ParsedRequestParams,
  options?: BodyOptions,
): B {
  return scopedBody(body, scopeOfBodies(service, parsed), service[CATALOG], options);
}

function scopeOfBodies<T extends ObjectLiteral>(service: Writing<T>, parsed: ParsedRequestParams): BodyScope {
  return { path: service['getParamFilters'](parsed), persist: parsed.authPersist as ObjectLiteral | undefined };
}

function planned<T extends ObjectLiteral>(
  service: Writing<T>,
  { parsed }: CrudRequest,
  body: object,
  mode: WriteMode,
  path?: string,
): WritePlan {
  const catalog = service[CATALOG];

  return planWrite(catalog, body, mode, {
    ...(path !== undefined && { path }),
    related: relatedScope(scopeOfBodies(service, parsed), catalog),
  });
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
  const { returnShallow, allowGeneratedKey } = request.options?.routes?.createOneBase ?? {};
  const plan = planned(service, request, bodyToInsert(service, request, dto), 'insert');

  return insertRecord(writing(service, request), plan, { shallow: returnShallow, allowGeneratedKey });
}

async function storeAll<T extends ObjectLiteral>(
  service: Writing<T>,
  request: CrudRequest,
  dto: CreateManyDto<DeepPartial<T>>,
): Promise<readonly Pick<Written, 'record' | 'json'>[]> {
  const { allowGeneratedKey } = request.options?.routes?.createOneBase ?? {};
  const bulk: unknown = (dto as CreateManyDto | undefined)?.bulk;

  if (!Array.isArray(bulk) || bulk.length === 0) return refuseEmpty(service);

  const plans = bulk.map((item: DeepPartial<T>, index) =>
    planned(service, request, bodyToInsert(service, request, item), 'insert', `bulk.${index}`),
  );

  return insertRecords(writing(service, request), plans, { allowGeneratedKey });
}

async function change<T extends ObjectLiteral>(
  service: Writing<T>,
  request: CrudRequest,
  dto: DeepPartial<T>,
): Promise<Written> {
  const { returnShallow, allowParamsOverride } = request.options?.routes?.updateOneBase ?? {};
  const body = scoped(service, dto, request.parsed, { allowParamsOverride });

  return updatePlanned(service, request, planned(service, request, body, 'update'), returnShallow);
}

async function updatePlanned<T extends ObjectLiteral>(
  service: Writing<T>,
  request: CrudRequest,
  plan: WritePlan,
  shallow?: boolean,
): Promise<Written> {
  await requireShown(service, request);

  return updateRecord(writing(service, request), plan, { shallow });
}

function refuseEmpty<T extends ObjectLiteral>(service: Writing<T>): never {
  throw service.throwBadRequestException(ERRORS.CRUD_EMPTY_BODY.message, 'CRUD_EMPTY_BODY');
}

function writing<T extends ObjectLiteral>(service: Writing<T>, request: CrudRequest): WriteContext {
  return {
    manager: service['repo'].manager,
    catalog: service[CATALOG],
    request,
    notFound: () => refuseUnknown(service),
  };
}
