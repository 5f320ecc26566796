/** A request whose response nobody but the client will see in, its response as JSON text out where the service can write it; `undefined` leaves it to the plain path. */
import { types } from 'node:util';
import type { Type } from '@nestjs/common';
import { isWatched, publish } from '../diagnostics/channels.js';
import type { CrudFastPathMessage } from '../diagnostics/messages.js';
import type { CrudRequest } from '../request/crud-request.js';
import { notesOf, notesOn } from './request-notes.js';

/** A body that is JSON already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/**
 * Name of the method by which a service writes JSON; see {@link JsonTextService}. No two copies of this package share it: a {@link JsonText} of another copy would
 * not be known as one.
 */
export const WRITE_JSON = Symbol('writeJson');

/** The reading verbs. */
export type ReadingVerb = 'getMany' | 'getOne';

/** The verbs whose answers may be text. */
export type TextVerb = ReadingVerb | 'createOne' | 'createMany' | 'updateOne';

/** Says, once per resource, why text cannot be written. */
export type ReportReason = (reason: string) => void;

/** What a service that can write JSON itself offers. */
export interface JsonTextService {
  /**
   * Does what the verb does, and answers with text, byte for byte what class-transformer and `JSON.stringify` would make of the verb's result. `undefined` where the service
   * cannot promise that, and has done nothing; a writing verb that finds it out too late answers with its result.
   *
   * @param model Class that shapes the records.
   * @param report Told why the answer is no text.
   * @param body What a writing verb stores.
   */
  [WRITE_JSON](
    verb: TextVerb,
    request: CrudRequest,
    model: Type<unknown>,
    report: ReportReason,
    body?: unknown,
  ): Promise<unknown> | undefined;
}

/** What a text must be like. */
export interface TextWish {
  /** Class that shapes the records. */
  readonly model: Type<unknown>;
  readonly report: ReportReason;
}

/** Tells that a short cut was taken, or why not, to whoever listens. */
export function reportFastPath(path: CrudFastPathMessage['path'], reason?: string): void {
  publish('nestwright:fast-path', () => ({ path, taken: reason === undefined, reason }));
}

/** Notes why text will not do, for whoever listens. */
export function refuseText(request: CrudRequest, reason: string): void {
  if (isWatched('nestwright:fast-path')) notesOn(request).reason = reason;
}

/** Notes that text will do for a request. */
export function wantText(request: CrudRequest, wish: TextWish): void {
  notesOn(request).wish = wish;
}

/** The response of a verb as text, where text will do and the service can write it. */
export function textOf(
  service: Partial<JsonTextService> | undefined,
  verb: TextVerb,
  request: CrudRequest,
  body?: unknown,
): Promise<unknown> | undefined {
  const notes = notesOf(request);
  const wish = notes?.wish;
  if (!wish) {
    if (notes?.reason !== undefined) reportFastPath('text', notes.reason);

    return undefined;
  }

  // One answer per request: a handler that reads twice works with records.
  notes.wish = undefined;

  if (typeof service?.[WRITE_JSON] !== 'function') return undefined;

  // A proxy may stand before a verb in ways that the service behind it cannot see.
  if (hasProxy(service)) {
    wish.report('a Proxy over the service');

    return undefined;
  }

  return service[WRITE_JSON](verb, request, wish.model, wish.report, body);
}

/** Whether an object or one that it inherits from is a Proxy. */
function hasProxy(object: object): boolean {
  for (let one: object | null = object; one; one = Object.getPrototypeOf(one) as object | null) {
    if (types.isProxy(one)) return true;
  }

  return false;
}
