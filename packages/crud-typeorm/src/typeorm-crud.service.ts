import type { AffectedResponse, BulkDto, CreateManyDto, CrudRequest, SetDto } from '@nestwright/crud';
import {
  catalogFor,
  type CrudResult,
  EXPORT,
  type ListExport,
  NeedsRecords,
  noteVerbs,
  RESULT,
  type Verb,
} from '@nestwright/crud/adapter';
import type { DeepPartial, ObjectLiteral } from 'typeorm';
import { joined } from './ambient-transactions.js';
import { deleteBulk, recoverBulk, replaceBulk, updateBulk } from './bulk-writes.js';
import { exportList } from './export/export-list.js';
import { deleteMatching, setMatching } from './matching-writes.js';
import { readMany, readOne, writtenMany, writtenOne } from './results.js';
import { TypeOrmHooksService } from './typeorm-hooks.service.js';
import { overridesListReading } from './typeorm-read.service.js';
import {
  bulkWrite,
  deleteShown,
  insertBodies,
  insertBody,
  recoverShown,
  replaceByBody,
  updateByBody,
} from './write-requests.js';
import { answer } from './writes-under-hooks.js';

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
    const { returnShallow } = request.options?.routes?.createOneBase ?? {};

    return answer(service, request, await insertBody(service, request, dto), returnShallow);
  }

  async createMany(request: CrudRequest, dto: CreateManyDto<DeepPartial<T>>): Promise<T[]> {
    const service = joined(this, this.repo.manager);

    return (await insertBodies(service, request, dto)).map(({ record }) => record as T);
  }

  async updateOne(request: CrudRequest, dto: DeepPartial<T>): Promise<T> {
    const service = joined(this, this.repo.manager);
    const { returnShallow } = request.options?.routes?.updateOneBase ?? {};

    return answer(service, request, await updateByBody(service, request, dto), returnShallow);
  }

  async replaceOne(request: CrudRequest, dto: DeepPartial<T>): Promise<T> {
    const service = joined(this, this.repo.manager);
    const { returnShallow } = request.options?.routes?.replaceOneBase ?? {};

    return answer(service, request, await replaceByBody(service, request, dto), returnShallow);
  }

  async deleteOne(request: CrudRequest): Promise<void | T> {
    const deleted = await deleteShown(joined(this, this.repo.manager), request);

    return deleted?.record as void | T;
  }

  async recoverOne(request: CrudRequest): Promise<void | T> {
    const service = joined(this, this.repo.manager);
    const recovered = await recoverShown(service, request);

    return recovered && answer(service, request, recovered);
  }

  /**
   * Updates the record of each item's key with the item's properties, all or none; returns the records in the order of
   * the items.
   */
  override async updateMany(request: CrudRequest, dto: BulkDto<DeepPartial<T>>): Promise<T[]> {
    return updateBulk(bulkWrite(joined(this, this.repo.manager), request, 'updateManyBase'), dto);
  }

  /** Replaces the records of the items' keys, or creates them if clients own the key; all or none. */
  override async replaceMany(request: CrudRequest, dto: BulkDto<DeepPartial<T>>): Promise<T[]> {
    return replaceBulk(bulkWrite(joined(this, this.repo.manager), request, 'replaceManyBase'), dto);
  }

  /** Deletes the records that the items name by their keys, all or none; returns them if `returnDeleted` says so. */
  override async deleteMany(request: CrudRequest, dto: BulkDto<DeepPartial<T>>): Promise<void | T[]> {
    return deleteBulk(bulkWrite(joined(this, this.repo.manager), request, 'deleteManyBase'), dto);
  }

  /** Brings back the soft-deleted records that the items name by their keys, all or none. */
  override async recoverMany(request: CrudRequest, dto: BulkDto<DeepPartial<T>>): Promise<void | T[]> {
    return recoverBulk(bulkWrite(joined(this, this.repo.manager), request, 'recoverManyBase'), dto);
  }

  /** Changes all records that the request's condition matches, all or none: at most `maxAffected`. */
  override async updateMatching(request: CrudRequest, dto: SetDto<DeepPartial<T>>): Promise<AffectedResponse> {
    return setMatching(bulkWrite(joined(this, this.repo.manager), request, 'updateManyBase'), dto);
  }

  /** Deletes all records that the request's condition matches, all or none: at most `maxAffected`. */
  override async deleteMatching(request: CrudRequest): Promise<AffectedResponse> {
    return deleteMatching(bulkWrite(joined(this, this.repo.manager), request, 'deleteManyBase'));
  }

  /** The result of a verb, unless a subclass overrides a method involved. */
  [RESULT](verb: Verb, request: CrudRequest, body?: unknown): Promise<CrudResult> | NeedsRecords | undefined {
    const { run, methods = [] } = RESULTS[verb] ?? {};
    const library = TypeOrmCrudService.prototype as unknown as Record<string, unknown>;
    const own = methods.find((name) => (this as unknown as Record<string, unknown>)[name] !== library[name]);

    return own === undefined
      ? run?.(joined(this, this.repo.manager), request, body)
      : new NeedsRecords(`the service's own ${own}`);
  }

  /** The export of a request's list, unless a subclass overrides how lists are read. */
  [EXPORT](request: CrudRequest): ListExport | undefined {
    return this.getMany === TypeOrmCrudService.prototype.getMany && !overridesListReading(this)
      ? exportList(catalogFor(this, request), this.repo, request)
      : undefined;
  }
}

/** How a verb makes its result, and the methods whose overrides see or replace its records. */
interface VerbResult {
  readonly methods: readonly string[];
  // A service of any entity.
  run(service: TypeOrmCrudService<any>, request: CrudRequest, body: unknown): Promise<CrudResult>;
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
      writtenOne(await insertBody(service, request, body as ObjectLiteral), service['repo']),
  },
  createMany: {
    methods: ['createMany'],
    run: async (service, request, body) =>
      writtenMany(await insertBodies(service, request, body as CreateManyDto), service['repo']),
  },
  updateOne: {
    methods: ['updateOne', 'createBuilder', 'getOneOrFail', 'getPrimaryParams'],
    run: async (service, request, body) =>
      writtenOne(await updateByBody(service, request, body as ObjectLiteral), service['repo']),
  },
};
