import { CHECK_START } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { catalogFor } from '../plan/changed-options.js';
import { planRead } from '../plan/read.js';
import { type CrudResult, type ListExport, NeedsRecords } from '../response/result.js';
import type {
  AffectedResponse,
  AggregateResponseRow,
  BulkDto,
  CountResponse,
  CreateManyDto,
  GetManyDefaultResponse,
  SetDto,
} from '../service/crud.service.js';
import { EXPORT, RESULT, type Verb } from '../service/run-verb.js';
import { aggregateListed } from './aggregates.js';
import { HookedService } from './hooked.service.js';
import { findOwnHooks } from './hooks.js';
import { makeReadOptions } from './pages.js';
import { readMany, readOne, writtenMany, writtenOne } from './reads.js';
import { answerWritten } from './shown.js';
import { STORE } from './store.js';
import { makeServiceWrite } from './write-context.js';
import { deleteBulk, recoverBulk, replaceBulk, updateBulk } from './write-many.js';
import { deleteMatching, setMatching } from './write-matching.js';
import { deleteShown, insertBodies, insertBody, recoverShown, replaceByBody, updateByBody } from './write-one.js';

/** For adapters: name of the property that has the service in the caller's transaction. */
export const JOINED = Symbol('joined');

/** For adapters: name of the method that returns the prototype with the library's own methods. */
export const LIBRARY = Symbol('library');

/**
 * For adapters: all verbs over a {@link Store}. An adapter's service extends it and has little more than its store.
 *
 * @example
 * class NotesService extends StoreService<Note> {
 *   readonly [STORE] = new NotesStore();
 *   get [CATALOG]() {
 *     return notes;
 *   }
 * }
 */
export abstract class StoreService<T, DTO = T | Partial<T>, Manager = unknown> extends HookedService<T, DTO, Manager> {
  /** This service in the transaction of the caller. Default: the service itself. */
  get [JOINED](): this {
    return this;
  }

  [LIBRARY](): object {
    return StoreService.prototype;
  }

  async getMany(request: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]> {
    return (await readMany(this[JOINED], request)).records();
  }

  async getOne(request: CrudRequest): Promise<T> {
    return (await readOne(this[JOINED], request, { tagged: true })).records();
  }

  async createOne(request: CrudRequest, dto: DTO): Promise<T> {
    const service = this[JOINED];
    const { returnShallow } = request.options?.routes?.createOneBase ?? {};

    return answerWritten(service, request, await insertBody(service, request, dto), returnShallow);
  }

  async createMany(request: CrudRequest, dto: CreateManyDto<DTO>): Promise<T[]> {
    return (await insertBodies(this[JOINED], request, dto)).map(({ record }) => record as T);
  }

  async updateOne(request: CrudRequest, dto: DTO): Promise<T> {
    const service = this[JOINED];
    const { returnShallow } = request.options?.routes?.updateOneBase ?? {};

    return answerWritten(service, request, await updateByBody(service, request, dto), returnShallow);
  }

  async replaceOne(request: CrudRequest, dto: DTO): Promise<T> {
    const service = this[JOINED];
    const { returnShallow } = request.options?.routes?.replaceOneBase ?? {};

    return answerWritten(service, request, await replaceByBody(service, request, dto), returnShallow);
  }

  async deleteOne(request: CrudRequest): Promise<void | T> {
    return (await deleteShown(this[JOINED], request))?.record as void | T;
  }

  async recoverOne(request: CrudRequest): Promise<void | T> {
    const service = this[JOINED];
    const recovered = await recoverShown(service, request);

    return recovered && answerWritten(service, request, recovered);
  }

  /**
   * Counts the records that the request would list, on all pages. Override it too if the service reads lists in another
   * way.
   */
  override async countMany(request: CrudRequest): Promise<CountResponse> {
    const { [STORE]: store } = this[JOINED];
    const plan = planRead(request, catalogFor(this, request), 'many', { take: null, skip: null });

    return { count: await store.count(plan, makeReadOptions(request)) };
  }

  /**
   * Groups the records that the request would list, and computes functions of each group. Override it too if the
   * service reads lists in another way.
   */
  override async aggregateMany(
    request: CrudRequest,
  ): Promise<GetManyDefaultResponse<AggregateResponseRow> | AggregateResponseRow[]> {
    return aggregateListed(this[JOINED], request);
  }

  /**
   * Updates the record of each item's key with the item's properties, all or none; returns the records in the order of
   * the items.
   */
  override async updateMany(request: CrudRequest, dto: BulkDto<DTO>): Promise<T[]> {
    return updateBulk(makeServiceWrite(this[JOINED], request, 'updateManyBase'), dto);
  }

  /** Replaces the records of the items' keys, or creates them if clients own the key; all or none. */
  override async replaceMany(request: CrudRequest, dto: BulkDto<DTO>): Promise<T[]> {
    return replaceBulk(makeServiceWrite(this[JOINED], request, 'replaceManyBase'), dto);
  }

  /** Deletes the records that the items name by their keys, all or none; returns them if `returnDeleted` says so. */
  override async deleteMany(request: CrudRequest, dto: BulkDto<DTO>): Promise<void | T[]> {
    return deleteBulk(makeServiceWrite(this[JOINED], request, 'deleteManyBase'), dto);
  }

  /** Brings back the soft-deleted records that the items name by their keys, all or none. */
  override async recoverMany(request: CrudRequest, dto: BulkDto<DTO>): Promise<void | T[]> {
    return recoverBulk(makeServiceWrite(this[JOINED], request, 'recoverManyBase'), dto);
  }

  /** Changes all records that the request's condition matches, all or none: at most `maxAffected`. */
  override async updateMatching(request: CrudRequest, dto: SetDto<DTO>): Promise<AffectedResponse> {
    return setMatching(makeServiceWrite(this[JOINED], request, 'updateManyBase'), dto);
  }

  /** Deletes all records that the request's condition matches, all or none: at most `maxAffected`. */
  override async deleteMatching(request: CrudRequest): Promise<AffectedResponse> {
    return deleteMatching(makeServiceWrite(this[JOINED], request, 'deleteManyBase'));
  }

  /** The result of a verb, unless a subclass overrides a method involved. */
  [RESULT](verb: Verb, request: CrudRequest, body?: unknown): Promise<CrudResult> | NeedsRecords | undefined {
    const result = RESULTS[verb];
    const own = result && findOverride(this, result.methods);

    return own === undefined ? result?.run(this[JOINED], request, body) : new NeedsRecords(`the service's own ${own}`);
  }

  /** The export of a request's list, unless a subclass overrides how lists are read. */
  [EXPORT](request: CrudRequest): ListExport | undefined {
    return findOverride(this, LIST_METHODS) === undefined
      ? this[STORE].export?.(catalogFor(this, request), request)
      : undefined;
  }

  /** What a resource asks for and the store does not have. */
  override [CHECK_START](definition: ResourceDefinition): readonly string[] {
    const { [STORE]: store } = this;

    return PARTS.flatMap(({ part, find }) => {
      const asked = store[part] === undefined ? find(definition, this) : undefined;

      return asked === undefined ? [] : [`${asked} is set, but the store of the service has no "${part}"`];
    });
  }
}

/** Parts that a store may leave out, and what asks for them. */
const PARTS: readonly {
  readonly part: 'aggregate' | 'export' | 'hooks' | 'upsert';
  // A service of any entity.
  readonly find: (definition: ResourceDefinition, service: StoreService<any>) => string | undefined;
}[] = [
  { part: 'aggregate', find: ({ routes }) => (routes.has('aggregateBase') ? 'routes.aggregateBase' : undefined) },
  { part: 'export', find: ({ options }) => (options.query.export ? 'query.export' : undefined) },
  {
    part: 'upsert',
    find: ({ options: { routes } }) =>
      (['createOneBase', 'createManyBase'] as const)
        .filter((route) => routes[route]?.onConflict)
        .map((route) => `routes.${route}.onConflict`)[0],
  },
  {
    part: 'hooks',
    find: (_, service) => (Object.values(findOwnHooks(service)).includes(true) ? 'A hook of the service' : undefined),
  },
];

/** The first of some methods that a service does not have from the library. */
function findOverride(service: { [LIBRARY](): object }, methods: readonly string[]): string | undefined {
  const library = service[LIBRARY]() as Record<string, unknown>;

  return methods.find((name) => (service as unknown as Record<string, unknown>)[name] !== library[name]);
}

/** Methods that read lists; some are an adapter's own. */
const LIST_METHODS = ['getMany', 'createBuilder', 'doGetMany'] as const;

/** How a verb makes its result, and the methods whose overrides see or replace its records. */
interface VerbResult {
  readonly methods: readonly string[];
  // A service of any entity.
  run(service: StoreService<any>, request: CrudRequest, body: unknown): Promise<CrudResult>;
}

const RESULTS: { readonly [V in Verb]?: VerbResult } = {
  getMany: {
    methods: [...LIST_METHODS, 'createPageInfo'],
    run: (service, request) => readMany(service, request),
  },
  getOne: {
    methods: ['getOne', 'getOneOrFail', 'createBuilder'],
    run: (service, request) => readOne(service, request, { tagged: true }),
  },
  createOne: {
    methods: ['createOne', 'createBuilder', 'getOneOrFail', 'getPrimaryParams'],
    run: async (service, request, body) =>
      writtenOne(await insertBody(service, request, body), catalogFor(service, request)),
  },
  createMany: {
    methods: ['createMany'],
    run: async (service, request, body) =>
      writtenMany(await insertBodies(service, request, body as CreateManyDto), catalogFor(service, request)),
  },
  updateOne: {
    methods: ['updateOne', 'createBuilder', 'getOneOrFail', 'getPrimaryParams'],
    run: async (service, request, body) =>
      writtenOne(await updateByBody(service, request, body), catalogFor(service, request)),
  },
};
