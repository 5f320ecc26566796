import { RequestMapping, type Type, UseInterceptors } from '@nestjs/common';
import { ACTION_NAME_METADATA, GENERATED_METADATA, ROUTE_NAME_METADATA } from '../constants.js';
import { readAuthOptions, defineResource, type ResourceDefinition } from '../definition/resource-definition.js';
import { globalConfig } from '../definition/global-config.js';
import { mergeOptions, type MergedCrudOptions } from '../definition/merge-options.js';
import { shapeMistakes } from '../definition/option-mistakes.js';
import type { CrudOptions } from '../definition/options.js';
import { linkTo, notAModel } from '../definition/wording.js';
import { findLostParameter, ownControllerPath } from '../nest/metadata.js';
import { moveOutermost } from '../nest/response-observers.js';
import { describeRoutes } from './describe-routes.js';
import {
  addParameters,
  addSecondPath,
  arrangeInterceptors,
  type BaseRoute,
  installOverrides,
  makeBaseHandler,
  parsesRequests,
} from './handlers.js';
import { candidateRoutes, moveFirst, staticRoutes } from '../routes/optional-routes.js';
import { type BaseRouteName, type CrudActions, ROUTES, routeNames } from '../routes/route-table.js';

type Handlers = Record<string, (...parameters: never[]) => unknown>;

/** Methods that put the handler of a route on the controller. */
type HandlerMethods = { readonly [Route in BaseRouteName]?: (name: BaseRouteName) => void };

/**
 * Installs the routes of a resource. A subclass given as `routesFactory` may override each step: `create
 * getRoutesSchema canCreateRoute actionsMap modelName modelType getPrimaryParams setBaseRouteMeta setDecorators
 * setInterceptors`, and the methods named after the routes, which put the handlers on the controller.
 *
 * @example
 * class WithoutDelete extends CrudRoutesFactory {
 *   protected override canCreateRoute(name: BaseRouteName) {
 *     return name !== 'deleteOneBase' && super.canCreateRoute(name);
 *   }
 * }
 * // `@Crud({ model: { type: User }, routesFactory: WithoutDelete })`
 */
export class CrudRoutesFactory {
  /** Options with the global ones and defaults filled in, frozen. */
  protected options: MergedCrudOptions;
  /** The resource that the steps work on; set when {@link create} begins. */
  protected definition!: ResourceDefinition;
  constructor(
    /** The controller. */
    protected target: Type<object>,
    options: CrudOptions,
  ) {
    this.options = mergeOptions(options, globalConfig(), readAuthOptions(target));
    refuseCircularImports(target, options);
    this.create();
  }

  /** Installs the routes of a resource. */
  static create(target: Type<object>, options: CrudOptions): CrudRoutesFactory {
    return new CrudRoutesFactory(target, options);
  }

  /** The controller's prototype, which the handlers are added to. */
  protected get targetProto(): Handlers {
    return this.target.prototype as Handlers;
  }

  /** Name of the record type in messages and in OpenAPI. Default: the name of the class. */
  protected get modelName(): string {
    return this.options.model.type.name;
  }

  /** Class of the records. */
  protected get modelType(): Type<unknown> {
    return this.options.model.type;
  }

  /** The action of each route, as `getAction` returns it. */
  protected get actionsMap(): Record<BaseRouteName, CrudActions> {
    return Object.fromEntries(routeNames().map((name) => [name, ROUTES[name].action])) as Record<
      BaseRouteName,
      CrudActions
    >;
  }

  /** Installs the routes, step by step. */
  protected create(): void {
    const schema = this.getRoutesSchema();

    for (const route of schema) route.enable = this.canCreateRoute(route.name);
    this.define(schema);
    this.putHandlers(schema);
    const handlers = installOverrides(this.target, this.definition, schema);
    const enabled = schema.filter(({ enable }) => enable);

    for (const { name, path, method, override } of enabled) {
      const handler = handlers.get(name)!.method;
      if (!override) addParameters(this.targetProto, name, this.definition);
      // The first interceptor to parse a request wins, so the application's subclass must run before the library's.
      moveOutermost(this.targetProto[handler] as object, parsesRequests);
      this.decorate(RequestMapping({ path, method }), handler);
    }
    const ofStaticPaths = staticRoutes(this.definition.routes).flatMap((name) =>
      addSecondPath(this.target, name, handlers.get(name)!.method),
    );
    moveFirst(this.target, ofStaticPaths);
    // Invalid options stop the start anyway, and describing them might throw.
    if (shapeMistakes(this.options).length === 0) describeRoutes(this.definition, this.target, enabled, handlers);
  }

  /** The eight routes and the optional ones that the options name, none of them enabled yet. */
  protected getRoutesSchema(): BaseRoute[] {
    return candidateRoutes(this.options.routes, { ...this.options.query }).map((name) => ({
      name,
      path: ROUTES[name].suffix || '/',
      method: ROUTES[name].method,
      enable: false,
      override: false,
      withParams: ROUTES[name].single,
    }));
  }

  /** Whether a route exists. Default: as `only`, `exclude` and `query.softDelete` say. */
  protected canCreateRoute(name: BaseRouteName): boolean {
    const { only, exclude } = this.options.routes;

    const isRecovery = name === 'recoverOneBase' || name === 'recoverManyBase';
    if (isRecovery && this.options.query.softDelete !== true) return false;
    // Unknown names stop the start, and a start-up check needs at least one route to report them.
    if (Array.isArray(only) && only.some((route) => Object.hasOwn(ROUTES, route))) return only.includes(name);

    return !(Array.isArray(exclude) && exclude.includes(name));
  }

  /** Names of the path parameters that address a record, in path order. */
  protected getPrimaryParams(): string[] {
    return Object.entries(this.options.params)
      .filter(([, param]) => param?.primary)
      .map(([name]) => name);
  }

  /** Puts the handler of `GET /` on the controller. */
  protected getManyBase(name: BaseRouteName): void {
    this.generate(name, 'getManyBase');
  }

  /** Puts the handler of `GET /:id` on the controller. */
  protected getOneBase(name: BaseRouteName): void {
    this.generate(name, 'getOneBase');
  }

  /** Puts the handler of `POST /` on the controller. */
  protected createOneBase(name: BaseRouteName): void {
    this.generate(name, 'createOneBase');
  }

  /** Puts the handler of `POST /bulk` on the controller. */
  protected createManyBase(name: BaseRouteName): void {
    this.generate(name, 'createManyBase');
  }

  /** Puts the handler of `PATCH /:id` on the controller. */
  protected updateOneBase(name: BaseRouteName): void {
    this.generate(name, 'updateOneBase');
  }

  /** Puts the handler of `PUT /:id` on the controller. */
  protected replaceOneBase(name: BaseRouteName): void {
    this.generate(name, 'replaceOneBase');
  }

  /** Puts the handler of `DELETE /:id` on the controller. */
  protected deleteOneBase(name: BaseRouteName): void {
    this.generate(name, 'deleteOneBase');
  }

  /** Puts the handler of `PATCH /:id/recover` on the controller. */
  protected recoverOneBase(name: BaseRouteName): void {
    this.generate(name, 'recoverOneBase');
  }

  /** Puts everything but the path on a generated handler. */
  protected setBaseRouteMeta(name: BaseRouteName): void {
    this.setInterceptors(name);
    this.putAction(name);
    this.setDecorators(name);
  }

  /** Puts the library's interceptors and those of the options on a handler. */
  protected setInterceptors(name: BaseRouteName): void {
    this.decorate(UseInterceptors(...arrangeInterceptors(this.options.routes[name]?.interceptors ?? [])), name);
  }

  /** Puts the decorators of the options on a handler. */
  protected setDecorators(name: BaseRouteName): void {
    for (const decorator of this.options.routes[name]?.decorators ?? [])
      this.decorate(decorator as MethodDecorator, name);
  }

  private putAction(name: BaseRouteName): void {
    const handler = this.targetProto[name] as object;

    Reflect.defineMetadata(ACTION_NAME_METADATA, this.actionsMap[name] ?? ROUTES[name].action, handler);
    Reflect.defineMetadata(ROUTE_NAME_METADATA, name, handler);
  }

  /** Optional routes have no method here, but a subclass may have one. */
  private putHandler(name: BaseRouteName): void {
    const { [name]: put } = this as unknown as HandlerMethods;

    if (put) put.call(this, name);
    else this.generate(name, name);
  }

  private generate(name: BaseRouteName, handler: BaseRouteName): void {
    this.targetProto[name] = makeBaseHandler(handler) as Handlers[string];
    Reflect.defineMetadata(GENERATED_METADATA, true, this.targetProto[name]);
  }

  private define(schema: readonly BaseRoute[]): void {
    this.definition = defineResource(this.target, this.options, {
      controller: this.target.name,
      model: this.modelType,
      modelName: this.modelName,
      routes: new Set(schema.filter(({ enable }) => enable).map(({ name }) => name)),
    });
  }

  // Routes that are turned off get their handler too: application code may call it.
  private putHandlers(schema: readonly BaseRoute[]): void {
    const key = this.getPrimaryParams()
      .filter((name) => !this.options.params[name]?.disabled)
      .map((name) => `/:${name}`)
      .join('');

    for (const route of schema) {
      this.putHandler(route.name);
      if (route.enable) this.setBaseRouteMeta(route.name);
      if (route.withParams && key !== '') route.path = route.path === '/' ? key : key + route.path;
    }
  }

  private decorate(decorator: MethodDecorator, method: string): void {
    const descriptor = Object.getOwnPropertyDescriptor(this.targetProto, method) as PropertyDescriptor;
    const result = decorator(this.targetProto, method, descriptor) as PropertyDescriptor | undefined;

    if (result) Object.defineProperty(this.targetProto, method, result);
  }
}

/** What circular imports leave undefined while decorators run. */
function refuseCircularImports(target: Type<object>, { model }: CrudOptions): void {
  const path = ownControllerPath(target);
  const label = `@Crud() of ${target.name}${path === undefined ? '' : ` (path "${path}")`}`;
  const lost = findLostParameter(target);

  if (!model?.type) throw new Error(`${label}: ${notAModel('model.type', model?.type)}`);
  if (lost !== undefined) {
    throw new Error(
      `${label}: parameter ${lost} of the constructor has no class. Import its class by import, not import type; if two ` +
        `files import each other, from its own file (${linkTo('startup-errors.md#circular-imports')})`,
    );
  }
}
