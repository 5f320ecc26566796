import { type ExecutionContext, Inject, Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { type AbstractHttpAdapter, ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { HTTP_STATE_KEY, PARSED_CRUD_REQUEST_KEY } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import { bareDefinition, definitionOf, type ResourceDefinition } from '../definition/resource-definition.js';
import type { BodyRules } from '../validation/body-rules.js';
import { ensureHttpState, type HttpRequest, type HttpResponse } from '../response/request-state.js';
import { makeRoute, type Route } from './route.js';
import { getOrInsert } from '../get-or-insert.js';
import { HandlerPipes } from '../nest/handler-pipes.js';
import { findStartedCatalog, registerApplication, startApplication } from '../startup/application-state.js';

/** One HTTP request to a handler, under way. */
export class Exchange {
  readonly http: HttpRequest;
  readonly response: HttpResponse;
  /** The HTTP platform; undefined if an interceptor was made by hand. */
  readonly adapter: AbstractHttpAdapter | undefined;
  route: Route;

  /** @param rules The rules of the handler's body. Default: it reads none. */
  constructor(
    readonly context: ExecutionContext,
    readonly application: Application,
    readonly rules?: BodyRules,
  ) {
    // Without `switchToHttp()`, which creates three functions on each call.
    this.http = context.getArgByIndex<HttpRequest>(0);
    this.response = context.getArgByIndex<HttpResponse>(1);
    this.adapter = application.nest.host?.httpAdapter;
    this.route = application.findRoute(context, this.http?.[HTTP_STATE_KEY]?.definition);
  }

  /** The parsed request, which an interceptor or guard of the application may have put there too. */
  get request(): CrudRequest | undefined {
    return this.http[PARSED_CRUD_REQUEST_KEY];
  }

  /** Goes on with other options, here and in the interceptors within. */
  redefine(definition: ResourceDefinition): void {
    ensureHttpState(this.http).definition = definition;
    this.route = this.application.findRoute(this.context, definition);
  }
}

/** What Nest knows of an application; an interceptor that was made by hand knows nothing. */
export interface NestApplication {
  readonly modules?: ModulesContainer | undefined;
  readonly host?: HttpAdapterHost | undefined;
  readonly config?: ApplicationConfig | undefined;
}

/** An application, with what is settled of its handlers at their first request. */
export class Application {
  /** The pipes before its handlers. */
  readonly pipes: HandlerPipes | undefined;
  /** By controller and handler, which a controller may have from its base class. */
  private readonly routes = new WeakMap<object, Map<object, Route>>();

  constructor(readonly nest: NestApplication) {
    const { modules, config } = nest;
    this.pipes = modules && config && new HandlerPipes(modules, config);
  }

  /** Checks the options of all resources, once; a mistake ends the start. */
  async start(): Promise<void> {
    this.pipes?.captureGlobalPipes();
    if (this.nest.modules) await startApplication(this.nest.modules);
  }

  /**
   * What is known of a handler before any of its requests.
   *
   * @param given The resource with the options of one request. Default: the controller's.
   */
  findRoute(context: ExecutionContext, given?: ResourceDefinition): Route {
    const controller = context.getClass();
    const handler = context.getHandler();
    const routes = getOrInsert(this.routes, controller, () => new Map<object, Route>());
    const known = given ? undefined : routes.get(handler);
    if (known) return known;

    const definition = definitionOf(controller);
    const { modules, host, config } = this.nest;
    const route = makeRoute({
      controller,
      handler,
      definition: given ?? definition ?? bareDefinition(),
      catalog: findStartedCatalog(modules, controller),
      config: host && config,
    });
    // Without `@Crud()`, options follow the global configuration; without modules, the application may be another one
    // next time.
    if (definition && !given && modules) routes.set(handler, route);

    return route;
  }
}

/** What Nest makes in an application. */
@Injectable()
export abstract class ApplicationPart implements OnModuleInit {
  /** What it is a part of. */
  protected readonly application: Application;

  constructor(
    @Optional() @Inject(ModulesContainer) modules?: ModulesContainer,
    @Optional() @Inject(HttpAdapterHost) host?: HttpAdapterHost,
    @Optional() @Inject(ApplicationConfig) config?: ApplicationConfig,
  ) {
    if (modules) registerApplication(modules);
    this.application = new Application({ modules, host, config });
  }

  /** Checks the options of all resources of the application, once; a mistake ends the start. */
  async onModuleInit(): Promise<void> {
    await this.application.start();
  }
}
