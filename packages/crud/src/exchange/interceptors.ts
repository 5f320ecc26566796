import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { Application, ApplicationPart, Exchange } from './exchange.js';
import { definitionOf, NO_OPTIONS, readDeclaredOptions } from '../definition/resource-definition.js';
import { getAction } from '../decorators.js';
import type { MergedCrudOptions } from '../definition/merge-options.js';
import type { CrudActions } from '../routes/route-table.js';
import type { RequestQueryParser, SCondition } from '@nestwright/crud-request';
import type { Observable } from 'rxjs';
import { HTTP_STATE_KEY, PARSED_CRUD_REQUEST_KEY, REQUEST_HOOKS } from '../constants.js';
import { forApplication } from '../plan/changed-options.js';
import { typeValues } from '../plan/condition-origins.js';
import type { CrudRequest } from '../crud-request.js';
import { authStep, paramsSearchStep, requestStep, searchStep, type StepAuth } from '../request/default-steps.js';
import { answerEach, answerValue, interceptRequest } from './handle-request.js';
import { noteOwnInterceptor } from './route.js';
import { isObject } from '../definition/plain-objects.js';
import { findActionRoute, readRouteName } from '../routes/handlers.js';
import {
  isCursorPage,
  isEnvelope,
  makeRecordSerializer,
  responseShape,
  type ResponseShape,
  type SerializationTarget,
  serialize,
} from '../serialization/serialize.js';
import { ensureHttpState, type HttpRequest } from '../response/request-state.js';

// Properties, since Nest would give the parameters of a subclass's constructor the tokens of an inherited one; symbols,
// since subclasses have names of their own.
const MODULES = Symbol('modules');
const ADAPTER_HOST = Symbol('adapter host');
const APPLICATION_CONFIG = Symbol('application config');
const APPLICATION = Symbol('application');

/** What a handler's resource says of it. */
export interface CrudInfo {
  /** Options of `@Crud()` with the global ones filled in; undefined if the controller has none. */
  ctrlOptions: MergedCrudOptions | undefined;
  /** The same, or empty options. */
  crudOptions: Partial<MergedCrudOptions>;
  /** What `@Action()` says of the handler; generated and overriding ones have it. */
  action: CrudActions;
}

/** What `CrudRequestInterceptor` and `CrudResponseInterceptor` share. */
export abstract class CrudBaseInterceptor {
  @Optional()
  @Inject(ModulesContainer)
  private readonly [MODULES]?: ModulesContainer;

  @Optional()
  @Inject(HttpAdapterHost)
  private readonly [ADAPTER_HOST]?: HttpAdapterHost;

  @Optional()
  @Inject(ApplicationConfig)
  private readonly [APPLICATION_CONFIG]?: ApplicationConfig;

  #application?: Application;

  // Made on first use: Nest sets the properties after the interceptor was constructed.
  protected get [APPLICATION](): Application {
    const { [MODULES]: modules, [ADAPTER_HOST]: host, [APPLICATION_CONFIG]: config } = this;

    return (this.#application ??= new Application({ modules, host, config }));
  }

  /** The options of a handler's controller, with its `@CrudAuth`, and the handler's action. */
  protected getCrudInfo(context: ExecutionContext): CrudInfo {
    const controller = context.getClass();
    const auth = definitionOf(controller)?.auth;
    const declared = readDeclaredOptions(controller) as MergedCrudOptions | undefined;
    // `@CrudAuth()` may be on a class that inherits its options.
    const ctrlOptions = declared && auth !== declared.auth ? ({ ...declared, auth } as MergedCrudOptions) : declared;

    return { ctrlOptions, crudOptions: ctrlOptions ?? NO_OPTIONS, action: getAction(context.getHandler()) };
  }
}

/** Whether a subclass or instance overrides any of the methods. */
function overridesAny(
  instance: object,
  { prototype }: { readonly prototype: object },
  methods: readonly string[],
): boolean {
  return methods.some(
    (method) => (instance as Record<string, unknown>)[method] !== (prototype as Record<string, unknown>)[method],
  );
}

const HOOKS = ['getCrudInfo', 'getCrudRequest', 'getSearch', 'getParamsSearch', 'getAuth'] as const;

/**
 * Parses the request. Generated and overriding handlers have it already; other handlers of any controller may use it
 * to get the query language and `@ParsedRequest()`. A request that is parsed already is left alone.
 *
 * A subclass may override the steps of which a request is made; bind it to controllers, to
 * `routes.<route>.interceptors`, or in a routes factory's `setInterceptors`. What a client may name is checked before
 * the first step; what steps add is trusted.
 *
 * @example
 * `@UseInterceptors(CrudRequestInterceptor) @Get('search') search(@ParsedRequest() req: CrudRequest) { … }`
 * @example
 * class ActiveOnly extends CrudRequestInterceptor {
 *   override getSearch(...step: Parameters<CrudRequestInterceptor['getSearch']>) {
 *     return [...super.getSearch(...step), { isActive: true }];
 *   }
 * }
 */
@Injectable()
export class CrudRequestInterceptor extends CrudBaseInterceptor implements NestInterceptor, OnModuleInit {
  /** Marks the class in every copy of the package. */
  static readonly [REQUEST_HOOKS]: readonly string[] = HOOKS;

  static {
    noteOwnInterceptor(this);
  }

  /** Checks the options of all resources of the application, once; a mistake ends the start. */
  async onModuleInit(): Promise<void> {
    await this[APPLICATION].start();
  }

  /**
   * If no function of the options is asynchronous, the request is parsed when this returns, and one that is refused
   * makes it throw.
   */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const exchange = new Exchange(context, this[APPLICATION]);
    const hooks = overridesAny(this, CrudRequestInterceptor, HOOKS)
      ? { steps: this, info: this.getCrudInfo(context) }
      : undefined;

    return interceptRequest(exchange, next, {
      hooks,
      // An override of `intercept` may change the options of this request.
      prepare: this.constructor === CrudRequestInterceptor ? typeValues : forApplication,
    });
  }

  /** The request that handlers get. `parser.search` is the complete condition here. */
  getCrudRequest(
    parser: RequestQueryParser,
    crudOptions: Partial<MergedCrudOptions>,
    // The application's own user type.
    auth?: any,
  ): CrudRequest {
    return requestStep(parser, crudOptions, auth);
  }

  /**
   * The conditions of path, options and client, all of which must hold; a client's is in `parser.search`, or in
   * `parser.filter` and `parser.or`.
   */
  getSearch(
    parser: RequestQueryParser,
    crudOptions: Partial<MergedCrudOptions>,
    action: CrudActions,
    params?: object,
  ): SCondition[] {
    return searchStep(parser, crudOptions, action, this.getParamsSearch(parser, crudOptions, params));
  }

  /** The conditions of the path; sets `parser.paramsFilter`, whose values are written into bodies. */
  getParamsSearch(parser: RequestQueryParser, crudOptions: Partial<MergedCrudOptions>, params?: object): SCondition[] {
    return paramsSearchStep(parser, crudOptions, params);
  }

  /** What `@CrudAuth` says of the request; sets `parser.authPersist`. */
  // As wide as nestjsx/crud's, whose overrides hand on whatever their guards left on the request.
  getAuth(parser: RequestQueryParser, crudOptions: Partial<MergedCrudOptions>, req: any): StepAuth {
    return authStep(parser, crudOptions, req);
  }
}

/** Methods whose overrides change what is sent. */
const RESPONSE_HOOKS = ['getCrudInfo', 'serialize', 'transform'] as const;

// Records that the library has shaped: an outer interceptor must not shape them again, or renamed properties would be
// lost.
const shaped = new WeakSet<object>();

/**
 * Shapes the responses of generated and overriding handlers, behind a `CrudRequestInterceptor`. What other handlers
 * return is shaped by the class that `serialize` names for their
 * `@Action()`, else by the classes of the records themselves.
 *
 * A subclass may override `serialize`, for a whole response, or `transform`, for each record. Around a generated
 * handler that shapes its response already they are given plain objects.
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
    if (hasHooks) ensureHttpState(http).isShaped ??= false;
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

/**
 * Wraps the handlers of the generated routes, outside the application's interceptors: `CrudRequestInterceptor` and
 * `CrudResponseInterceptor` in one, since each interceptor costs a request as much time as parsing it. A generated
 * handler that has no other interceptor does the same by itself.
 *
 * @example
 * Generated routes have it already.
 */
@Injectable()
export class CrudRouteInterceptor extends ApplicationPart implements NestInterceptor {
  /** Parses by the options alone: no step is overridden. */
  static readonly [REQUEST_HOOKS]: readonly string[] = [];

  static {
    noteOwnInterceptor(this);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const exchange = new Exchange(context, this.application);

    return interceptRequest(exchange, next, {
      prepare: typeValues,
      answer: (value) => answerValue(exchange, value),
    });
  }
}
