import type { HttpException } from '@nestjs/common';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import { CATALOG, CHECK_START } from '../constants.js';
import type { CrudRequestOptions } from '../definition/options.js';
import { keyParams, type ResourceDefinition } from '../definition/resource-definition.js';
import type { QueryOptions } from '../definition/query-options.js';
import { type CrudErrorCode, crudError } from '../errors.js';
import type { Catalog } from '../plan/catalog.js';
import { computeSkip, computeTake, isEnveloped } from '../plan/paging.js';
import type { CrudRequest } from '../crud-request.js';

/** A page of records. */
export interface GetManyDefaultResponse<T> {
  /** The records of this page. */
  data: T[];
  /** Records in this response. */
  count: number;
  /** Records that match, on all pages. */
  total: number;
  /** Number of this page, from 1. */
  page: number;
  /** Pages in all; 0 when nothing matches. */
  pageCount: number;
}

/** How many records a request would list in all. */
export interface CountResponse {
  /** Records that match, on all pages. */
  count: number;
}

/** The values of one group of records, under the names in the request. */
export type AggregateResponseRow = Record<string, unknown>;

/** A page of records that was read by a cursor. */
export interface GetManyCursorResponse<T> {
  /** The records of this page. */
  data: T[];
  /** Records in this response. */
  count: number;
  /** Records that match, on all pages; only if `total=1` asks for it. */
  total?: number;
  /** The value of `cursor` for the page after this one; null if there was none. */
  next: string | null;
  /** The value of `cursor` for the page before this one; null on the first page. */
  previous: string | null;
}

/** Body of a bulk insert. */
// Without a type, records of any.
export interface CreateManyDto<T = any> {
  /** Records to insert, all or none. */
  bulk: T[];
}

/** Body of the routes that write many records by their keys. */
// Without a type, records of any.
export interface BulkDto<T = any> {
  /** The key of each record, and the properties to write. */
  bulk: T[];
}

/** Body of a route that updates all records that match a condition. */
// Without a type, records of any.
export interface SetDto<T = any> {
  /** The values to write into each record: columns and to-one links, but no key and no version. */
  set: T;
}

/** How many records matched a condition and were written. */
export interface AffectedResponse {
  /** Records that matched, whether or not they had the new values already. */
  affected: number;
}

const CRUD_SERVICE = Symbol.for('@nestwright/crud:service');

/** Whether a class is a {@link CrudService}, of whichever copy of the package. */
export function isCrudService(type: object): boolean {
  return (type as { [CRUD_SERVICE]?: boolean })[CRUD_SERVICE] === true;
}

/**
 * The service that a `@Crud()` controller calls. An adapter extends it and implements the eight verbs. An application
 * may extend it directly, to store records elsewhere. `DTO` is the type of validated bodies.
 *
 * @example
 * class NotesService extends CrudService<Note> {
 *   async getOne(req: CrudRequest) {
 *     const note = notes.get(req.parsed.paramsFilter[0].value);
 *     if (!note) throw this.throwNotFoundException('Note');
 *     return note;
 *   }
 *   // … and the other seven
 * }
 */
export abstract class CrudService<T, DTO = T | Partial<T>> {
  /** Marks the class in every copy of the package. */
  static readonly [CRUD_SERVICE] = true;

  /**
   * What the adapter knows of the entity. Names in options and queries are checked against it, and values are converted
   * to the types of its columns. Without a catalog, nothing is checked.
   */
  get [CATALOG](): Catalog | undefined {
    return undefined;
  }

  /**
   * The records of a list, in an envelope if {@link decidePagination} returns true. If the request has `parsed.cursor`,
   * the result is a {@link GetManyCursorResponse}.
   */
  abstract getMany(req: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]>;

  /** One record. Not found: {@link throwNotFoundException}. */
  abstract getOne(req: CrudRequest): Promise<T>;

  /** Stores a new record and returns it. */
  abstract createOne(req: CrudRequest, dto: DTO): Promise<T>;

  /** Stores several new records, all or none, and returns them in the order given. */
  abstract createMany(req: CrudRequest, dto: CreateManyDto): Promise<T[]>;

  /** Changes what the body carries, and returns the record. */
  abstract updateOne(req: CrudRequest, dto: DTO): Promise<T>;

  /** Puts a full record in the place of the one found, or creates it if clients own the key. */
  abstract replaceOne(req: CrudRequest, dto: DTO): Promise<T>;

  /** Deletes a record; returns it if `returnDeleted` says so. */
  abstract deleteOne(req: CrudRequest): Promise<void | T>;

  /** Brings a soft-deleted record back. */
  abstract recoverOne(req: CrudRequest): Promise<void | T>;

  /**
   * Counts the records that the request would list, on all pages: the response of `GET /count`, which needs this
   * method.
   */
  countMany?(req: CrudRequest): Promise<CountResponse>;

  /**
   * Groups the records that the request would list, and computes of each group what the request asks for: what
   * `GET /aggregate` answers, enveloped if {@link decidePagination} says so. A service without it cannot have that
   * route.
   */
  aggregateMany?(req: CrudRequest): Promise<GetManyDefaultResponse<AggregateResponseRow> | AggregateResponseRow[]>;

  /** Updates the records with the keys of the items, all or none. Needed if a resource has the route. */
  updateMany?(req: CrudRequest, dto: BulkDto): Promise<T[]>;

  /** Replaces the records with the keys of the items, all or none. Needed if a resource has the route. */
  replaceMany?(req: CrudRequest, dto: BulkDto): Promise<T[]>;

  /** Deletes the records that the items name, all or none. Needed if a resource has the route. */
  deleteMany?(req: CrudRequest, dto: BulkDto): Promise<void | T[]>;

  /** Recovers the soft-deleted records with the keys of the items, all or none. Needed if a resource has the route. */
  recoverMany?(req: CrudRequest, dto: BulkDto): Promise<void | T[]>;

  /**
   * Changes all records that the request's condition matches, each as {@link updateOne} would, all or none. Needed if a
   * resource has `updateManyBase.byCondition`.
   */
  updateMatching?(req: CrudRequest, dto: SetDto): Promise<AffectedResponse>;

  /**
   * Deletes all records that the request's condition matches, each as {@link deleteOne} would, all or none. Needed if a
   * resource has `deleteManyBase.byCondition`.
   */
  deleteMatching?(req: CrudRequest): Promise<AffectedResponse>;

  /**
   * For adapters: mistakes in a resource's options that only the adapter can see (a cache that the data source does not
   * have). Called once, at start-up; every text names option and value. Default: none.
   */
  [CHECK_START]?(definition: ResourceDefinition): readonly string[];

  /** Ends the request with a 400: it throws, or an override of it returns what is to be thrown. */
  throwBadRequestException(message?: string | string[], code: CrudErrorCode = 'CRUD_INVALID_VALUE'): HttpException {
    throw crudError(code, { message });
  }

  /** Ends the request with a 404 `<name> not found`: it throws, or an override of it returns what is to be thrown. */
  throwNotFoundException(name: string): HttpException {
    throw crudError('CRUD_NOT_FOUND', { message: `${name} not found` });
  }

  /**
   * The envelope of a page; override it for another one.
   *
   * @param total Records that match, on all pages.
   * @param limit Page size; 0 if there is none.
   * @param offset Records skipped.
   */
  createPageInfo(data: T[], total: number, limit: number, offset: number): GetManyDefaultResponse<T> {
    return {
      data,
      count: data.length,
      total,
      page: limit ? Math.floor(offset / limit) + 1 : 1,
      pageCount: limit ? Math.ceil(total / limit) : Math.min(total, 1),
    };
  }

  /**
   * Whether a list is returned in an envelope: if `alwaysPaginate` is set, or if the request has `page` or `offset` and
   * pages have a size.
   */
  decidePagination(parsed: ParsedRequestParams, options: CrudRequestOptions): boolean {
    const query = options.query ?? {};

    return isEnveloped(parsed, query, this.getTake(parsed, query));
  }

  /**
   * Page size: from the request, or else from `query.limit`, or else from `query.maxLimit`, and never more than
   * `maxLimit`. Null: no limit.
   */
  getTake(parsed: ParsedRequestParams, query: QueryOptions): number | null {
    return computeTake(parsed, query);
  }

  /** Records to skip; null for none. */
  getSkip(parsed: ParsedRequestParams, take: number | null): number | null {
    return computeSkip(parsed, take);
  }

  /** Fields that the primary path parameters name. */
  getPrimaryParams(options: CrudRequestOptions): string[] {
    return keyParams(options.params).map(({ field }) => field);
  }
}
