/** A controller and the options of its resource in, its routes installed on it out; refuses (throws) only where there is no record type to make routes for. */
import { RequestMapping, type RequestMethod, type Type, UseInterceptors } from '@nestjs/common';
import { ACTION_NAME_METADATA, GENERATED_METADATA, ROUTE_NAME_METADATA } from '../constants.js';
import { authOptionsOf, setDefinition } from '../definition/definitions.js';
import { frozenCopy } from '../definition/freeze.js';
import { globalConfig } from '../definition/global-config.js';
import { mergeOptions, type MergedCrudOptions } from '../definition/merge-options.js';
import { shapeMistakes } from '../definition/option-shape.js';
import type { CrudOptions } from '../definition/options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { hideParameterType, inheritMetadata, ownControllerPath, parameterType } from '../nest/metadata.js';
import { putOutside } from '../nest/sole-reader.js';
import { bodyRulesOf } from '../validation/body-rules.js';
import { makeBaseHandler } from './base-handlers.js';
import { describeRoutes } from './describe-routes.js';
import { bodyParameterOf, makeOwn, overridesOf } from './overrides.js';
import { putParameters, putBody } from './parameters.js';
import { interceptorsWith, parsesRequests } from './route-interceptors.js';
import { type BaseRouteName, type CrudActions, ROUTES } from './route-table.js';

/** One route, as a factory works with it. */
export interface BaseRoute {
  name: BaseRouteName;
  /** Path below the controller's: what follows the primary parameters where {@link withParams} is set. */
  path: string;
  method: RequestMethod;
  enable: boolean;
  /** Whether a method of the controller replaces the generated one. */
  override: boolean;
  /** Whether the path begins with the primary parameters. */
  withParams: boolean;
}

type Handlers = Record<string, (...parameters: never[]) => unknown>;

/**
 * Installs the routes of a resource. A subclass given as `routesFactory` may override each step: `create getRoutesSchema canCreateRoute actionsMap modelName
 * modelType getPrimaryParams setBaseRouteMeta setDecorators setInterceptors`, and the methods named after the routes, which put the handlers on the controller.
 *
 * @example
 * class WithoutDelete extends CrudRoutesFactory {
 *   protected override canCreateRoute(name: BaseRouteName) { return name !== 'deleteOneBase' && super.canCreateRoute(name); }
 * }
 * // `@Crud({ model: { type: User }, routesFactory: WithoutDelete })`
 */
export class CrudRoutesFactory {
  /** Options with the global ones and defaults filled in, frozen. */
  protected options: MergedCrudOptions;
  /** What the other steps are made from; there once {@link create} has begun. */
  protected definition!: ResourceDefinition;
  /** Classes of body parameters in overriding handlers. */
  private readonly declaredBodies = new Map<BaseRouteName, unknown>();

  constructor(
    protected target: Type<object>,
    options: CrudOptions,
  ) {
    this.options = mergeOptions(options, globalConfig(), authOptionsOf(target));
    if (!this.options.model.type) {
      throw new Error(
        `@Crud() of ${target.name}${ownControllerPath(target) === undefined ? '' : ` (path "${ownControllerPath(target)}")`}: model.type is ${String(options.model?.type)}, but must be a class or an EntitySchema (a circular import leaves it undefined)`,
      );
    }
    this.create();
  }

  /** Installs the routes of a resource. */
  static create(target: Type<object>, options: CrudOptions): CrudRoutesFactory {
    return new CrudRoutesFactory(target, options);
  }

  protected get targetProto(): Handlers {
    return this.target.prototype as Handlers;
  }

  protected get modelName(): string {
    return this.options.model.type.name;
  }

  protected get modelType(): Type<unknown> {
    return this.options.model.type;
  }

  protected get actionsMap(): Record<BaseRouteName, CrudActions> {
    return Object.fromEntries(routeNames().map((name) => [name, ROUTES[name].action])) as Record<
      BaseRouteName,
      CrudActions
    >;
  }

  protected create(): void {
    const schema = this.getRoutesSchema();

    for (const route of schema) route.enable = this.canCreateRoute(route.name);
    this.define(schema);
    this.putHandlers(schema);
    const handlers = this.putOverrides(schema);
    for (const { name } of schema.filter(({ enable, override }) => enable && !override)) {
      putParameters(this.targetProto, name, this.definition);
    }
    for (const { name } of schema.filter(({ enable }) => enable)) {
      // Whoever parses a request first decides what it is: a subclass of the application's before the library.
      putOutside(this.targetProto[handlers.get(name) as string] as object, parsesRequests);
    }
    this.putPaths(schema, handlers);
    this.putDescriptions(schema, handlers);
  }

  protected getRoutesSchema(): BaseRoute[] {
    return routeNames().map((name) => ({
      name,
      path: ROUTES[name].suffix || '/',
      method: ROUTES[name].method,
      enable: false,
      override: false,
      withParams: ROUTES[name].single,
    }));
  }

  protected canCreateRoute(name: BaseRouteName): boolean {
    const { only, exclude } = this.options.routes;

    if (name === 'recoverOneBase' && this.options.query.softDelete !== true) return false;
    // Names of no route stop the start, which needs a route to stop at.
    if (Array.isArray(only) && only.some((route) => Object.hasOwn(ROUTES, route))) return only.includes(name);

    return !(Array.isArray(exclude) && exclude.includes(name));
  }

  /** Names of the path parameters that address a record, in the order in which they stand in the path. */
  protected getPrimaryParams(): string[] {
    return Object.entries(this.options.params)
      .filter(([, param]) => param?.primary)
      .map(([name]) => name);
  }

  protected getManyBase(name: BaseRouteName): void {
    this.generate(name, 'getManyBase');
  }

  protected getOneBase(name: BaseRouteName): void {
    this.generate(name, 'getOneBase');
  }

  protected createOneBase(name: BaseRouteName): void {
    this.generate(name, 'createOneBase');
  }

  protected createManyBase(name: BaseRouteName): void {
    this.generate(name, 'createManyBase');
  }

  protected updateOneBase(name: BaseRouteName): void {
    this.generate(name, 'updateOneBase');
  }

  protected replaceOneBase(name: BaseRouteName): void {
    this.generate(name, 'replaceOneBase');
  }

  protected deleteOneBase(name: BaseRouteName): void {
    this.generate(name, 'deleteOneBase');
  }

  protected recoverOneBase(name: BaseRouteName): void {
    this.generate(name, 'recoverOneBase');
  }

  /** Puts everything but the path on a generated handler. */
  protected setBaseRouteMeta(name: BaseRouteName): void {
    this.setInterceptors(name);
    this.putAction(name);
    this.setDecorators(name);
  }

  protected setInterceptors(name: BaseRouteName): void {
    this.decorate(UseInterceptors(...interceptorsWith(this.options.routes[name]?.interceptors ?? [])), name);
  }

  protected setDecorators(name: BaseRouteName): void {
    for (const decorator of this.options.routes[name]?.decorators ?? [])
      this.decorate(decorator as MethodDecorator, name);
  }

  private putAction(name: BaseRouteName): void {
    const handler = this.targetProto[name] as object;

    Reflect.defineMetadata(ACTION_NAME_METADATA, this.actionsMap[name], handler);
    Reflect.defineMetadata(ROUTE_NAME_METADATA, name, handler);
  }

  private generate(name: BaseRouteName, handler: BaseRouteName): void {
    this.targetProto[name] = makeBaseHandler(handler) as Handlers[string];
    Reflect.defineMetadata(GENERATED_METADATA, true, this.targetProto[name]);
  }

  private define(schema: readonly BaseRoute[]): void {
    const { query, routes, params, operators, dto, serialize, validation, openapi, auth } = this.options;

    this.definition = Object.freeze({
      controller: this.target.name,
      model: this.modelType,
      modelName: this.modelName,
      options: Object.freeze({ query, routes, params, operators }),
      dto,
      serialize,
      validation,
      openapi,
      ...(auth && { auth }),
      language: frozenCopy(globalConfig().queryParser ?? {}),
      routes: new Set(schema.filter(({ enable }) => enable).map(({ name }) => name)),
    });
    setDefinition(this.target, this.definition, this.options);
  }

  // The handlers of routes that do not exist are there too, so that own code may call them.
  private putHandlers(schema: readonly BaseRoute[]): void {
    const key = this.getPrimaryParams()
      .filter((name) => !this.options.params[name]?.disabled)
      .map((name) => `/:${name}`)
      .join('');

    for (const route of schema) {
      this[route.name](route.name);
      if (route.enable) this.setBaseRouteMeta(route.name);
      if (route.withParams && key !== '') route.path = route.path === '/' ? key : key + route.path;
    }
  }

  private putOverrides(schema: readonly BaseRoute[]): ReadonlyMap<BaseRouteName, string> {
    const handlers = new Map<BaseRouteName, string>(schema.map(({ name }) => [name, name]));

    for (const { method, name } of overridesOf(this.target)) {
      const route = schema.find((candidate) => candidate.name === name && candidate.enable);
      if (!route) continue;

      const handler = makeOwn(this.target, method);
      inheritMetadata(this.targetProto[route.name] as object, handler);
      const index = bodyParameterOf(this.target, method);
      if (index !== undefined) {
        const declared = parameterType(this.targetProto, method, index);

        if (declared !== undefined) this.declaredBodies.set(route.name, declared);
        putBody(this.targetProto, { method, index }, route.name, bodyRulesOf(this.definition, route.name, declared));
        hideParameterType(this.targetProto, method, index);
      }
      handlers.set(route.name, method);
      route.override = true;
    }

    return handlers;
  }

  private putPaths(schema: readonly BaseRoute[], handlers: ReadonlyMap<BaseRouteName, string>): void {
    for (const { name, path, method, enable } of schema) {
      if (enable) this.decorate(RequestMapping({ path, method }), handlers.get(name) ?? name);
    }
  }

  // Options that no application starts with need no description, and might not survive one.
  private putDescriptions(schema: readonly BaseRoute[], handlers: ReadonlyMap<BaseRouteName, string>): void {
    if (shapeMistakes(this.options).length > 0) return;
    const enabled = schema.filter(({ enable }) => enable);

    describeRoutes(
      this.definition,
      this.target,
      enabled.map(({ name, path }) => ({
        name,
        path,
        handler: handlers.get(name) ?? name,
        body: this.declaredBodies.get(name),
      })),
    );
  }

  private decorate(decorator: MethodDecorator, method: string): void {
    const descriptor = Object.getOwnPropertyDescriptor(this.targetProto, method) as PropertyDescriptor;
    const result = decorator(this.targetProto, method, descriptor) as PropertyDescriptor | undefined;

    if (result) Object.defineProperty(this.targetProto, method, result);
  }
}

function routeNames(): BaseRouteName[] {
  return Object.keys(ROUTES) as BaseRouteName[];
}
