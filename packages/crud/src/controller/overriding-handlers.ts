/** Handlers of the application's own, under `@Override()`, which take the place of generated ones. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { hideParameterType, inheritMetadata, parameterType } from '../nest/metadata.js';
import { bodyParameterOf, ensureOwnMethod, overridesOf } from '../routes/overrides.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { bodyRulesOf } from '../validation/body-rules.js';
import type { BaseRoute } from './base-route.js';
import { BodyParameter } from '../exchange/exchange-parameter.js';

/** Which methods handle the routes. */
export interface RouteHandlers {
  /** Name of the method by route: that of the generated handler, or of the overriding one. */
  readonly methods: ReadonlyMap<BaseRouteName, string>;
  /** Classes of body parameters in overriding handlers. */
  readonly declaredBodies: ReadonlyMap<BaseRouteName, unknown>;
}

/** Has overriding methods handle their routes, with the metadata of the generated handlers; marks these routes as overridden. */
export function installOverrides(
  target: Type<object>,
  definition: ResourceDefinition,
  schema: readonly BaseRoute[],
): RouteHandlers {
  const prototype = target.prototype as Record<string, object>;
  const methods = new Map<BaseRouteName, string>(schema.map(({ name }) => [name, name]));
  const declaredBodies = new Map<BaseRouteName, unknown>();

  for (const { method, name } of overridesOf(target)) {
    const route = schema.find((candidate) => candidate.name === name && candidate.enable);
    if (!route) continue;

    const handler = ensureOwnMethod(target, method);
    inheritMetadata(prototype[route.name]!, handler);
    const index = bodyParameterOf(target, method);
    if (index !== undefined) {
      const declared = parameterType(prototype, method, index);

      if (declared !== undefined) declaredBodies.set(route.name, declared);
      const rules = bodyRulesOf(definition, route.name, declared);
      if (rules) BodyParameter(route.name, rules)(prototype, method, index);
      hideParameterType(prototype, method, index);
    }
    methods.set(route.name, method);
    route.override = true;
  }

  return { methods, declaredBodies };
}
