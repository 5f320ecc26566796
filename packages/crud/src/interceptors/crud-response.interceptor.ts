import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { concatMap, type Observable, of } from 'rxjs';
import { definitionOf } from '../definition/definitions.js';
import { isObject } from '../definition/plain-objects.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { routeOf, routeOfAction } from '../routes/route-of.js';
import {
  isCursorPage,
  isEnvelope,
  recordSerializerOf,
  responseShape,
  type ResponseShape,
  type SerializationTarget,
  serialize,
} from '../serialization/index.js';
import { ADAPTER_HOST, APPLICATION_CONFIG, CrudBaseInterceptor, overridesAny } from './crud-base.interceptor.js';
import { whenSettled } from '../when-settled.js';
import { CrudRequestInterceptor } from './crud-request.interceptor.js';
import { httpRequestOf, isAlreadyShaped, requestOf, trackShaping } from './request-context.js';
import { Responder } from './responder.js';

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
  #responder?: Responder;

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const hasHooks = overridesAny(this, CrudResponseInterceptor, RESPONSE_HOOKS);
    if (hasHooks) trackShaping(httpRequestOf(context));

    return next.handle().pipe(
      concatMap((emitted: unknown) => {
        // Of an interceptor within: Nest awaits what they emit.
        const answer = whenSettled(emitted, (result): unknown =>
          hasHooks || !routeOf(context.getHandler())
            ? this.#respond.tag(this.serialize(context, result), context)
            : this.#respond.respond(result, context),
        );

        return answer instanceof Promise ? answer : of(answer);
      }),
    );
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
      : recordSerializerOf(dto as SerializationTarget, options)(data);
  }

  /** A whole response as it is sent: each of its records goes through {@link transform}. */
  // As above.
  protected serialize(context: ExecutionContext, data: any): any {
    this.#respond.reportOutcome(context);
    const http = httpRequestOf(context);
    const options = requestOf(http)?.parsed.classTransformOptions;
    const { record, envelope } = this.#shapeFor(context);
    const isShaped = isAlreadyShaped(http);
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
  #shapeFor(context: ExecutionContext): ResponseShape {
    const { action } = this.getCrudInfo(context);
    const definition: ResourceDefinition | undefined = definitionOf(context.getClass());
    const route = routeOf(context.getHandler()) ?? routeOfAction(action);

    return definition && route ? responseShape(definition, route) : { record: undefined };
  }

  // Made on first use: Nest sets the application after the interceptor was constructed.
  get #respond(): Responder {
    return (this.#responder ??= new Responder(this[ADAPTER_HOST], this[APPLICATION_CONFIG], [
      CrudRequestInterceptor,
      CrudResponseInterceptor,
    ]));
  }
}
