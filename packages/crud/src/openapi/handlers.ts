/** The handlers that documents describe, and what the application's own decorators say of them. */
import { RequestMethod, type Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { REQUEST_HOOKS } from '../constants.js';
import { bareDefinition, definitionOf, keyParams, type ResourceDefinition } from '../definition/resource-definition.js';
import { isObject } from '../definition/plain-objects.js';
import { getOrInsert } from '../get-or-insert.js';
import { type Constructor, type HandlerMetadata, listClassChain, metadataKey } from '../nest/metadata.js';
import { handlerPaths, type PathedMethod } from '../nest/paths.js';
import { interceptorsAround } from '../nest/response-observers.js';
import type { Catalog } from '../plan/catalog.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { JSON_TYPE } from './json-schema.js';
import { namesInPath, type OwnQuery } from './parameters.js';

/** A method of a controller. */
export type Handler = (...parameters: never[]) => unknown;

/** What a handler is described by. */
export interface Description {
  readonly definition: ResourceDefinition;
  readonly route: BaseRouteName;
  /** Whether it is the handler of the route's second path. Default: the first one. */
  readonly isSecondPath?: boolean;
  /** Asked whenever a document is made; `undefined` if the adapter has no catalog (yet). */
  readonly findCatalog: (application: ModulesContainer) => Catalog | undefined;
  /** Class of the body parameter in an overriding handler. Default: none. */
  readonly declaredBody?: unknown;
}

/** A route of a resource, and what its handler declares by itself. */
export type DescribedRoute = Pick<
  Description & DeclaredMetadata,
  'route' | 'isSecondPath' | 'declaredBody' | 'status' | 'ownId' | 'ownBody' | 'consumes' | 'produces'
>;

const descriptions = new WeakMap<object, Map<Handler, Description>>();

/**
 * Describes a method that handles a route, in every document that is made of it. A later description takes the place
 * of an earlier one.
 *
 * What the application declares on the method by `@ApiOperation()`, `@ApiQuery()`, `@ApiParam()`, `@ApiBody()`,
 * `@ApiResponse()` or `@HttpCode()` wins, operation property by property, parameter by parameter, status by status.
 *
 * @example
 * describeHandler(UsersController, 'findUser', { definition, route: 'getOneBase', findCatalog: () => service[CATALOG]
 * });
 */
export function describeHandler(controller: Type<unknown>, method: string, description: Description): void {
  const handler = (controller.prototype as Record<string, Handler | undefined>)[method];

  if (handler) getOrInsert(descriptions, controller, () => new Map<Handler, Description>()).set(handler, description);
}

/** The handlers of a controller that are described, those of the classes that it extends included. */
export function describedHandlers(controller: object): readonly (readonly [Handler, Description])[] {
  return listClassChain(controller).flatMap((owner) => [...(descriptions.get(owner) ?? [])]);
}

/** A handler of the application's own that parses requests, and what its parameters are documented from. */
export interface OwnHandler {
  readonly handler: Handler;
  readonly definition: ResourceDefinition;
  readonly catalog: Catalog | undefined;
  readonly query: OwnQuery;
}

/** The handlers of a controller that have a `CrudRequestInterceptor`, except generated and overriding ones. */
export function ownHandlers(controller: object, application: ModulesContainer): readonly OwnHandler[] {
  const described = describedHandlers(controller);
  const generated = new Set(described.map(([handler]) => handler));
  const own = handlerPaths(controller as Constructor).filter(
    ({ handler }) => !generated.has(handler) && interceptorsAround(controller, handler).some(hasRequestHooks),
  );
  if (own.length === 0) return [];

  const definition = definitionOf(controller) ?? bareDefinition();
  const catalog = described[0]?.[1].findCatalog(application);

  return own.map((route) => ({ handler: route.handler, definition, catalog, query: guessQuery(route, definition) }));
}

function hasRequestHooks(interceptor: unknown): boolean {
  const type = isObject(interceptor) ? interceptor.constructor : interceptor;

  return typeof type === 'function' && REQUEST_HOOKS in type;
}

/** A GET whose path names the key is about one record, another GET about a list; other methods answer with records. */
function guessQuery({ http, paths }: PathedMethod, { options: { params } }: ResourceDefinition): OwnQuery {
  if (http !== (RequestMethod.GET as number)) return 'answer';
  const keys = keyParams(params);

  return keys.length > 0 && paths.every((path) => keys.every(({ name }) => namesInPath(path).includes(name)))
    ? 'one'
    : 'many';
}

/** What identifies a parameter. */
export interface DeclaredParameter {
  readonly name?: string;
  readonly in: string;
}

/** What the application's own decorators of @nestjs/swagger and Nest say of a handler. */
export interface DeclaredMetadata {
  readonly ownId: string | undefined;
  /** Whether it describes its body. */
  readonly ownBody: boolean;
  readonly parameters: readonly DeclaredParameter[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly status: number | undefined;
  /** Media types of the bodies of requests and responses, also by its controller. */
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

/** The metadata of a handler. */
export function readDeclared(handler: Handler, controller: object): DeclaredMetadata {
  const read = (kind: HandlerMetadata, of: object = handler): unknown => Reflect.getMetadata(metadataKey(kind), of);
  const mediaTypes = (kind: HandlerMetadata): string[] => {
    const declared = [controller, handler].flatMap((of) => (read(kind, of) ?? []) as string[]);

    return declared.length > 0 ? declared : [JSON_TYPE];
  };
  const { operationId } = (read('operation') ?? {}) as { operationId?: string };
  const parameters = (read('parameters') ?? []) as DeclaredParameter[];

  return {
    ownId: operationId || undefined,
    ownBody: isDeclared(parameters, { in: 'body' }),
    parameters,
    responses: (read('responses') ?? {}) as DeclaredMetadata['responses'],
    status: read('httpCode') as number | undefined,
    consumes: mediaTypes('consumes'),
    produces: mediaTypes('produces'),
  };
}

/** Whether a parameter of that name and place is among others; a handler has one body. */
export function isDeclared(parameters: readonly DeclaredParameter[], { name, in: place }: DeclaredParameter): boolean {
  return parameters.some((declared) => declared.in === place && (place === 'body' || declared.name === name));
}
