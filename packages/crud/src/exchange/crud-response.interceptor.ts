import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { HTTP_STATE_KEY, PARSED_CRUD_REQUEST_KEY } from '../constants.js';
import { definitionOf } from '../definition/resource-definition.js';
import { isObject } from '../definition/plain-objects.js';
import { findActionRoute, readRouteName } from '../routes/route-of.js';
import {
  isCursorPage,
  isEnvelope,
  makeRecordSerializer,
  responseShape,
  type ResponseShape,
  type SerializationTarget,
  serialize,
} from '../serialization/index.js';
import { APPLICATION, CrudBaseInterceptor, overridesAny } from './crud-base.interceptor.js';
import { Exchange } from './exchange.js';
import { ensureState, type HttpRequest } from './http.js';
import { answerEach, answerValue } from './handle-request.js';
import { noteOwnInterceptor } from './route.js';

/** Methods whose overrides change what is sent. */
const RESPONSE_HOOKS = ['getCrudInfo', 'serialize', 'transform'] as const;

// Records that the library has shaped: an outer interceptor must not shape them again, or renamed properties would be
// lost.
const shaped = new WeakSet<object>();

/**
 * Shapes the responses of generated and overriding handlers, behind a `CrudRequestInterceptor`. What other handlers return is shaped by the class that `serialize` names for their
 * `@Action()`, else by the classes of the records themselves.
 *
 * A subclass may override `serialize`, for a whole response, or `transform`, for each record. Around a generated handler that shapes its response already they are given plain objects.
 *
 * @example
 * // A routes factory whose interceptor stands between the two:
 * protected override setInterceptors(name: BaseRouteName) {
 *   UseInterceptors(CrudRequestInterceptor, Timing, CrudResponseInterceptor)(…);
 * }
 */
@Injectable()
export class CrudResponseInterceptor extends CrudBaseInterceptor implements NestInterceptor {
  static {
    noteOwnInterceptor(this);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const hasHooks = overridesAny(this, CrudResponseInterceptor, RESPONSE_HOOKS);
    const http = context.getArgByIndex<HttpRequest>(0);
    if (hasHooks) ensureState(http).isShaped ??= false;
    const shape =
      hasHooks || !readRouteName(context.getHandler()) ? (data: unknown) => this.serialize(context, data) : undefined;

    return answerEach(next.handle(), (value) => answerValue(new Exchange(context, this[APPLICATION]), value, shape));
  }

  /**
   * One record as it is sent.
   *
   * @param dto The class that shapes it; `false` for nothing, undefined for the record's own class.
   * @param options Options of class-transformer.
   */
  // As wide as nestjsx/crud's: records and classes are the application's.
  protected transform(dto: any, data: any, options?: object): any {
    if (isObject(data) && shaped.has(data)) return data;

    return dto === undefined
      ? serialize(data, undefined, options)
      : makeRecordSerializer(dto as SerializationTarget, options)(data);
  }

  /** A whole response as it is sent: each of its records goes through {@link transform}. */
  // As above.
  protected serialize(context: ExecutionContext, data: any): any {
    const http = context.getArgByIndex<HttpRequest>(0);
    const options = http[PARSED_CRUD_REQUEST_KEY]?.parsed.classTransformOptions;
    const { record, envelope } = this.#findShape(context);
    const isShaped = http[HTTP_STATE_KEY]?.isShaped === true;
    const transform = (dto: SerializationTarget, value: unknown): unknown => {
      if (isShaped && isObject(value)) shaped.add(value);

      return this.transform(dto, value, options);
    };

    if (Array.isArray(data)) return data.map((item: unknown) => transform(record, item));
    if (!isEnvelope(data)) return transform(record, data);

    return envelope && !isCursorPage(data)
      ? transform(envelope, data)
      : { ...data, data: data.data.map((item) => transform(record, item)) };
  }

  /** The classes of the handler's route, or of the route that its `@Action()` names. */
  #findShape(context: ExecutionContext): ResponseShape {
    const { action } = this.getCrudInfo(context);
    const definition = definitionOf(context.getClass());
    const route = readRouteName(context.getHandler()) ?? findActionRoute(action);

    return definition && route ? responseShape(definition, route) : { record: undefined };
  }
}
