/** A request and a body in, the stored record out: the writing verbs over a TypeORM repository, on top of the reading ones; no SQL here. */
import { NotFoundException } from '@nestjs/common';
import {
  type CreateManyDto,
  type CrudRequest,
  ERRORS,
  planWrite,
  type ReadingVerb,
  type ReportReason,
  scopeOf,
  type TextVerb,
  WRITE_JSON,
  type WritePlan,
} from '@nestwright/crud';
import type { ParsedRequestParams, SCondition } from '@nestwright/crud-request';
import type { ObjectLiteral } from 'typeorm';
import { type BodyOptions, scopedBody } from './persist/body.js';
import { insertRecord, insertRecords } from './persist/insert.js';
import { recoverRecord } from './persist/recover.js';
import { removeRecord } from './persist/remove.js';
import { replaceRecord } from './persist/replace.js';
import { updateRecord } from './persist/update.js';
import { keyIn, type WriteContext, type Written } from './persist/write-context.js';
import { textOrRecord, textOrRecords } from './persist/written-text.js';
import { TypeOrmTextService } from './typeorm-text.service.js';

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
  async createOne(request: CrudRequest, dto: T | Partial<T>): Promise<T> {
    return this.answer(request, await this.store(request, dto), request.options?.routes?.createOneBase?.returnShallow);
  }

  async createMany(request: CrudRequest, dto: CreateManyDto<T | Partial<T>>): Promise<T[]> {
    return (await this.storeAll(request, dto)).map(({ record }) => record as T);
  }

  async updateOne(request: CrudRequest, dto: T | Partial<T>): Promise<T> {
    return this.answer(request, await this.change(request, dto), request.options?.routes?.updateOneBase?.returnShallow);
  }

  async replaceOne(request: CrudRequest, dto: T | Partial<T>): Promise<T> {
    const { returnShallow, allowParamsOverride, merge } = request.options?.routes?.replaceOneBase ?? {};
    const body = this.scoped(dto, request.parsed, { allowParamsOverride });

    if (merge) {
      const written = await this.update(request, planWrite(this.catalog, body, 'update'), returnShallow);

      return this.answer(request, written, returnShallow);
    }

    const plans = {
      replace: planWrite(this.catalog, body, 'replace'),
      insert: () => planWrite(this.catalog, body, 'insert'),
      replaceable: await this.isShown(request),
    };

    return this.answer(
      request,
      await replaceRecord(this.writing(request), plans, { shallow: returnShallow }),
      returnShallow,
    );
  }

  async deleteOne(request: CrudRequest): Promise<void | T> {
    const { query, routes } = request.options ?? {};
    const options = { soft: query?.softDelete, returnDeleted: routes?.deleteOneBase?.returnDeleted };

    await this.requireShown(request);

    return (await removeRecord(this.writing(request), options)) as void | T;
  }

  async recoverOne(request: CrudRequest): Promise<void | T> {
    const { returnRecovered } = request.options?.routes?.recoverOneBase ?? {};

    await this.requireShown(request, true);

    const recovered = await recoverRecord(this.writing(request), { returnRecovered });

    return recovered && this.answer(request, recovered);
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

    const reason = this.reasonAgainstText(SEEING[verb], TypeOrmCrudService.prototype, model);

    if (reason !== undefined) {
      report(reason);

      return undefined;
    }

    switch (verb) {
      case 'createOne':
        return this.store(request, body as T).then((written) => textOrRecord(written, report));
      case 'updateOne':
        return this.change(request, body as T).then((written) => textOrRecord(written, report));
      case 'createMany':
        return this.storeAll(request, body as CreateManyDto<T>).then((written) => textOrRecords(written, report));
    }
  }

  /**
   * The body of POST as it is to be stored; called for each record of a bulk. Override it to change a record before it is planned; undefined refuses it as empty.
   * Whatever it returns, path values and `persist` are put in again.
   */
  protected prepareEntityBeforeSave(dto: T | Partial<T>, parsed: ParsedRequestParams): T | undefined {
    if (typeof dto !== 'object' || dto === null) {
      return undefined;
    }

    const entity = this.scoped(dto, parsed);

    return Object.keys(entity).length > 0 ? (entity as unknown as T) : undefined;
  }

  /** Path values by field, as they are put into every body that is stored. Override it to store others. */
  protected getParamFilters(parsed: ParsedRequestParams): ObjectLiteral {
    return Object.fromEntries((parsed.paramsFilter ?? []).map(({ field, value }) => [field, value as unknown]));
  }

  private scoped<B extends object>(body: B, parsed: ParsedRequestParams, options?: BodyOptions): B {
    const persist = parsed.authPersist as ObjectLiteral | undefined;

    return scopedBody(body, { path: this.getParamFilters(parsed), persist }, this.catalog, options);
  }

  private bodyToInsert(request: CrudRequest, dto: T | Partial<T>): object {
    const entity = this.prepareEntityBeforeSave(dto, request.parsed) ?? this.refuseEmpty();
    const own = this.prepareEntityBeforeSave !== TypeOrmCrudService.prototype.prepareEntityBeforeSave;

    return own ? this.scoped(entity, request.parsed) : entity;
  }

  private async store(request: CrudRequest, dto: T | Partial<T>): Promise<Written> {
    const { returnShallow, allowGeneratedKey } = request.options?.routes?.createOneBase ?? {};
    const plan = planWrite(this.catalog, this.bodyToInsert(request, dto), 'insert');

    return insertRecord(this.writing(request), plan, { shallow: returnShallow, allowGeneratedKey });
  }

  private async storeAll(
    request: CrudRequest,
    dto: CreateManyDto<T | Partial<T>>,
  ): Promise<readonly Pick<Written, 'record' | 'json'>[]> {
    const { allowGeneratedKey } = request.options?.routes?.createOneBase ?? {};
    const bulk: unknown = (dto as CreateManyDto | undefined)?.bulk;

    if (!Array.isArray(bulk) || bulk.length === 0) return this.refuseEmpty();

    const plans = bulk.map((item: T | Partial<T>, index) =>
      planWrite(this.catalog, this.bodyToInsert(request, item), 'insert', { path: `bulk.${index}` }),
    );

    return insertRecords(this.writing(request), plans, { allowGeneratedKey });
  }

  private async change(request: CrudRequest, dto: T | Partial<T>): Promise<Written> {
    const { returnShallow, allowParamsOverride } = request.options?.routes?.updateOneBase ?? {};
    const plan = planWrite(this.catalog, this.scoped(dto, request.parsed, { allowParamsOverride }), 'update');

    return this.update(request, plan, returnShallow);
  }

  private async update(request: CrudRequest, plan: WritePlan, shallow?: boolean): Promise<Written> {
    await this.requireShown(request);

    return updateRecord(this.writing(request), plan, { shallow });
  }

  /** The answer of a write: as it was read again in the transaction, or by the application's own way of reading a record. */
  private async answer(request: CrudRequest, { record, key }: Written, shallow = false): Promise<T> {
    const own = this.overrides('getPrimaryParams') && keyIn(record, this.getPrimaryParams(request.options));

    if (shallow || !(own || this.readsByHook)) {
      return record as T;
    }

    const search = { $and: [(own || key) as SCondition, scopeOf(request)] };

    return this.getOneOrFail({ ...request, parsed: { ...request.parsed, search } });
  }

  /** Whether the application reads single records in its own way, whose filters then hold for writes too. */
  private get readsByHook(): boolean {
    return this.overrides('createBuilder') || this.overrides('getOneOrFail');
  }

  /** Whether a write may act on the record of the request, so far as the application's own way of reading says. */
  private async isShown(request: CrudRequest, withDeleted = false): Promise<boolean> {
    try {
      return !this.readsByHook || Boolean(await this.getOneOrFail(request, false, withDeleted));
    } catch (error) {
      if (error instanceof NotFoundException) {
        return false;
      }

      throw error;
    }
  }

  private async requireShown(request: CrudRequest, withDeleted = false): Promise<void> {
    if (!(await this.isShown(request, withDeleted))) this.refuseUnknown();
  }

  private refuseEmpty(): never {
    throw this.throwBadRequestException(ERRORS.CRUD_EMPTY_BODY.message, 'CRUD_EMPTY_BODY');
  }

  private writing(request: CrudRequest): WriteContext {
    return {
      manager: this.repo.manager,
      catalog: this.catalog,
      request,
      notFound: () => this.refuseUnknown(),
    };
  }
}
