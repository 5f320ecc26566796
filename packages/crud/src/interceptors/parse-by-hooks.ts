import type { ExecutionContext } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { bareDefinition } from '../definition/bare-definition.js';
import { declaredOptionsOf, definitionOf } from '../definition/definitions.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { buildBySteps, type RequestSteps } from '../request/request-steps.js';
import type { CrudInfo } from './crud-base.interceptor.js';
import { parseOnce } from './parse-request.js';

/** Parses a request by the steps of an interceptor that overrides some. */
export function parseByHooks(
  context: ExecutionContext,
  modules: ModulesContainer | undefined,
  steps: RequestSteps,
  info: CrudInfo,
): void | Promise<void> {
  return parseOnce(context, modules, definitionFor(context.getClass(), info), (input) =>
    buildBySteps(input, steps, info),
  );
}

/** The resource's definition; with other options where an override of `getCrudInfo` gives others. */
function definitionFor(controller: object, { crudOptions, ctrlOptions }: CrudInfo): ResourceDefinition {
  const known = definitionOf(controller);
  const declared = declaredOptionsOf(controller);
  const isOwn = known ? crudOptions === declared || isCopy(crudOptions, declared) : ctrlOptions === undefined;
  if (isOwn) return known ?? bareDefinition();

  const { query = {}, routes = {}, params = {}, operators = {}, auth } = crudOptions;
  const { auth: _, ...rest } = known ?? bareDefinition();

  return { ...rest, options: { query, routes, params, operators }, ...(auth && { auth }) };
}

/** Whether options are the resource's own, apart from a copied scope. */
function isCopy(options: CrudInfo['crudOptions'], declared: CrudInfo['crudOptions']): boolean {
  return (['query', 'routes', 'params', 'operators'] as const).every((name) => options[name] === declared[name]);
}
