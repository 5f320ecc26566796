/** Handlers of the application's own, under `@Override()`, which take the place of generated ones. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { BodyParameter } from '../exchange/exchange-parameter.js';
import { hideParameterType, inheritMetadata, parameterType } from '../nest/metadata.js';
import { findBodyParameter, ensureOwnMethod, listOverrides } from '../routes/overrides.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { makeBodyRules } from '../validation/body-rules.js';
import type { BaseRoute } from './generated-handlers.js';

/** The method that handles a route. */
export interface RouteHandler {
  readonly method: string;
  /** Class of the body parameter in an overriding handler. Default: none. */
  readonly declaredBody?: unknown;
}

/** Has overriding methods handle their routes, with the metadata of the generated handlers; marks these routes as overridden. */
export function installOverrides(
  target: Type<object>,
  definition: ResourceDefinition,
  schema: readonly BaseRoute[],
): ReadonlyMap<BaseRouteName, RouteHandler> {
  const prototype = target.prototype as Record<string, object>;
  const handlers = new Map<BaseRouteName, RouteHandler>(schema.map(({ name }) => [name, { method: name }]));

  for (const { method, name } of listOverrides(target)) {
    const route = schema.find((candidate) => candidate.name === name && candidate.enable);
    if (!route) continue;

    inheritMetadata(prototype[route.name]!, ensureOwnMethod(target, method));
    handlers.set(route.name, { method, declaredBody: takeBody(prototype, method, route.name, definition) });
    route.override = true;
  }

  return handlers;
}

/** Gives the parameter under `@ParsedBody()` the validated body, and hides its class from pipes; returns the class. */
function takeBody(prototype: object, method: string, route: BaseRouteName, definition: ResourceDefinition): unknown {
  const index = findBodyParameter(prototype, method);
  if (index === undefined) return undefined;

  const declared = parameterType(prototype, method, index);
  const rules = makeBodyRules(definition, route, declared);
  if (rules) BodyParameter(route, rules)(prototype, method, index);
  hideParameterType(prototype, method, index);

  return declared;
}
