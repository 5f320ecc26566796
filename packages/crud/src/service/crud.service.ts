import type { HttpException } from '@nestjs/common';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import { CATALOG, CHECK_START } from '../constants.js';
import type { CrudRequestOptions } from '../definition/options.js';
import { keyParams } from '../definition/path-params.js';
import type { QueryOptions } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { type CrudErrorCode, crudError } from '../errors/errors.js';
import type { Catalog } from '../plan/catalog.js';
import { isEnveloped, skipOf, takeOf } from '../plan/paging.js';
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

/** What was computed of one group of records, by the names that the request gave its groups and functions. */
export type AggregateResponseRow = Record<string, unknown>;

/** A page of records that was read by a cursor. */
export interface GetManyCursorResponse<T> {
  /** The records of this page. */
  data: T[];
  /** Records in this response. */
  count: number;
  /** Records that match, on all pages; only if `total=1` asks for it. */
  total?: number;
  /** What `cursor` takes for the page after this one; null if nothing followed. */
  next: string | null;
  /** What `cursor` takes for the page before this one; null for the first one. */
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
  /** What is to become of each record, with the record's key. */
  bulk: T[];
}

/** Body of a route that changes all records which a condition matches. */
// Without a type, records of any.
export interface SetDto<T = any> {
  /** What each record is given: columns and to-one links, neither key nor version. */
  set: T;
}

/** How many records a condition has matched, which were written. */
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
 * What a `@Crud()` controller calls. An adapter extends it and writes the eight verbs; an application may extend it directly, over whatever it stores records in.
 * `DTO` is what bodies are once they are validated.
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

  /** What the adapter knows of the entity. Names in options and queries are checked against it, values are read by it; without one nothing is checked. */
  get [CATALOG](): Catalog | undefined {
    return undefined;
  }

  /** The records of a list, enveloped if {@link decidePagination} says so. If a cursor is asked for, it is a {@link GetManyCursorResponse}, which only requests with `parsed.cursor` get. */
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

  /** Counts the records that the request would list, whatever page it asks for: what `GET /count` answers. A service without it cannot have that route. */
  countMany?(req: CrudRequest): Promise<CountResponse>;

  /**
   * Groups the records that the request would list, and computes of each group what the request asks for: what `GET /aggregate` answers, enveloped if {@link decidePagination} says so.
   * A service without it cannot have that route.
   */
  aggregateMany?(req: CrudRequest): Promise<GetManyDefaultResponse<AggregateResponseRow> | AggregateResponseRow[]>;

  /** Changes what each item carries of the record that its key names, all or none. Needed if a resource has the route. */
  updateMany?(req: CrudRequest, dto: BulkDto): Promise<T[]>;

  /** Puts full records in the place of those that their keys name, all or none. Needed if a resource has the route. */
  replaceMany?(req: CrudRequest, dto: BulkDto): Promise<T[]>;

  /** Deletes the records that the items name, all or none. Needed if a resource has the route. */
  deleteMany?(req: CrudRequest, dto: BulkDto): Promise<void | T[]>;

  /** Brings back the soft-deleted records that the items name, all or none. Needed if a resource has the route. */
  recoverMany?(req: CrudRequest, dto: BulkDto): Promise<void | T[]>;

  /** Changes all records that the request's condition matches, each as {@link updateOne} would, all or none. Needed if a resource has `updateManyBase.byCondition`. */
  updateMatching?(req: CrudRequest, dto: SetDto): Promise<AffectedResponse>;

  /** Deletes all records that the request's condition matches, each as {@link deleteOne} would, all or none. Needed if a resource has `deleteManyBase.byCondition`. */
  deleteMatching?(req: CrudRequest): Promise<AffectedResponse>;

  /**
   * For adapters: mistakes in a resource's options that only the adapter can see (a cache that the data source does not have). Called once, at start-up;
   * every text names option and value. Default: none.
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

  /** Whether a list is enveloped: if `alwaysPaginate` is set, or `page` or `offset` is given and a page size is in force. */
  decidePagination(parsed: ParsedRequestParams, options: CrudRequestOptions): boolean {
    const query = options.query ?? {};

    return isEnveloped(parsed, query, this.getTake(parsed, query));
  }

  /** Page size: the request's, else the option's, else the ceiling, never above the ceiling; null for no bound. */
  getTake(parsed: ParsedRequestParams, query: QueryOptions): number | null {
    return takeOf(parsed, query);
  }

  /** Records to skip; null for none. */
  getSkip(parsed: ParsedRequestParams, take: number | null): number | null {
    return skipOf(parsed, take);
  }

  /** Fields that the primary path parameters name. */
  getPrimaryParams(options: CrudRequestOptions): string[] {
    return keyParams(options.params).map(({ field }) => field);
  }
}
