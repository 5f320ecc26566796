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
import { handlerPaths, type PathedMethod } from '../nest/paths.js';
import { interceptorsAround } from '../nest/response-observers.js';
import { descriptionsOf } from './descriptions.js';
import type { DocumentOperation, OwnHandler } from './document-operations.js';
import { isDeclared } from './declared-metadata.js';
import { describeParametersOf, namesIn } from './path-parameters.js';
import { describeOwnQuery, type OwnQuery } from './query-parameters.js';

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

/** Adds the parameters that own handlers do not declare; only a finished document has their whole paths. */
export function addOwnParameters(operations: readonly DocumentOperation[]): void {
  for (const { path, operation, own } of operations) {
    if (!own) continue;

    const declared = operation.parameters ?? [];
    const described = [
      ...describeParametersOf(own.definition, namesIn(path), own.catalog),
      ...describeOwnQuery(own.definition, own.query, own.catalog),
    ];
    operation.parameters = [...declared, ...described.filter((parameter) => !isDeclared(declared, parameter))];
  }
}
