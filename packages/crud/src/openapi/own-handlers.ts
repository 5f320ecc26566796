/** Describes the parameters of the application's own handlers that parse requests. What the application declared stays. */
import { type ModulesContainer } from '@nestjs/core';
import { RequestMethod } from '@nestjs/common';
import { REQUEST_HOOKS } from '../constants.js';
import { bareDefinition } from '../definition/bare-definition.js';
import { definitionOf } from '../definition/definitions.js';
import { keyParams } from '../definition/path-params.js';
import { isObject } from '../definition/plain-objects.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Constructor } from '../nest/metadata.js';
import type { Swagger } from '../nest/optional-peers.js';
import { handlerPaths, type PathedMethod } from '../nest/paths.js';
import { interceptorsAround } from '../nest/response-observers.js';
import type { Catalog } from '../plan/catalog.js';
import { descriptionsOf } from './descriptions.js';
import type { ParameterObject } from './document-types.js';
import { type DeclaredParameter, type Handler, isDeclared } from './declared-metadata.js';
import { describeParametersOf, namesIn } from './path-parameters.js';
import { describeOwnQuery, type OwnQuery } from './query-parameters.js';

type Document = Pick<ReturnType<Swagger['SwaggerModule']['createDocument']>, 'paths'>;

/** A handler that parses requests, and what its parameters are documented from. */
export interface OwnHandler {
  readonly handler: Handler;
  readonly definition: ResourceDefinition;
  readonly catalog: Catalog | undefined;
  readonly query: OwnQuery;
}

/** Marks a handler until its document is finished: only there its whole path is known. */
const MARK = 'x-crud-own-handler';

/** The handlers of a controller that have a `CrudRequestInterceptor`, except generated and overriding ones. */
export function ownHandlersOf(controller: object, application: ModulesContainer): readonly OwnHandler[] {
  const described = descriptionsOf(controller);
  const generated = new Set(described.map(([, handler]) => handler));
  const own = handlerPaths(controller as Constructor).filter(
    ({ handler }) => !generated.has(handler) && interceptorsAround(controller, handler).some(hasRequestHooks),
  );
  if (own.length === 0) return [];

  const definition = definitionOf(controller) ?? bareDefinition();
  const catalog = described[0]?.[2].catalogOf(application);

  return own.map((route) => ({ handler: route.handler, definition, catalog, query: queryOf(route, definition) }));
}

function hasRequestHooks(interceptor: unknown): boolean {
  const type = isObject(interceptor) ? interceptor.constructor : interceptor;

  return typeof type === 'function' && REQUEST_HOOKS in type;
}

/** A GET whose path names the key is about one record, another one about a list; other methods are answered with records at most. */
function queryOf({ http, paths }: PathedMethod, { options: { params } }: ResourceDefinition): OwnQuery {
  if (http !== (RequestMethod.GET as number)) return 'answer';
  const keys = keyParams(params);

  return keys.length > 0 && paths.every((path) => keys.every(({ name }) => namesIn(path).includes(name)))
    ? 'one'
    : 'many';
}

export function markOwnHandler({ ApiExtension }: Swagger, number: number): MethodDecorator {
  return ApiExtension(MARK, number) as MethodDecorator;
}

interface Operation {
  [MARK]?: number;
  parameters?: (DeclaredParameter | ParameterObject)[];
}

/** Adds what marked handlers do not declare, and takes the marks off. */
export function addOwnParameters({ paths }: Document, handlers: readonly OwnHandler[]): void {
  for (const [path, item] of Object.entries(paths)) {
    for (const operation of Object.values(item as Record<string, Operation | undefined>)) {
      const number = operation?.[MARK];
      const own = number === undefined ? undefined : handlers[number];
      if (!operation || !own) continue;

      delete operation[MARK];
      const declared = operation.parameters ?? [];

      const described = [
        ...describeParametersOf(own.definition, namesIn(path), own.catalog),
        ...describeOwnQuery(own.definition, own.query, own.catalog),
      ];
      operation.parameters = [...declared, ...described.filter((parameter) => !isDeclared(declared, parameter))];
    }
  }
}
