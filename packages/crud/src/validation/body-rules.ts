/** A resource and a route in, what its bodies are validated against out; refuses nothing. */
import type { Type, ValidationPipeOptions } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { BodyDescription } from '../definition/options.js';
import { type BaseRouteName, type RouteDescriptor, ROUTES } from '../routes/route-table.js';
import { isStandardSchema, type StandardSchema } from '../definition/standard-schema.js';
import { CrudValidationGroups } from './validation-groups.js';

/** What a body is checked against. */
export interface BodyRules {
  readonly type: Type<unknown>;
  /** What validates in place of class-validator: a schema, or the class where it carries one. Default: none. */
  readonly schema?: StandardSchema | undefined;
  /** Group of decorators that are asked, for the model alone: other classes serve one purpose and need none. */
  readonly group: CrudValidationGroups | undefined;
  /** Whether what the body omits is left alone, so that initialisers of the class are no values. */
  readonly partial: boolean;
  /** Whether the body is `{bulk: [record, …]}`. */
  readonly bulk: boolean;
  /** Whether the class describes the whole bulk body, not each record. */
  readonly wholeBulk: boolean;
  /** Whether the class is the model, whose `@Exclude()` speaks of responses. */
  readonly isModel: boolean;
  readonly validation: ValidationPipeOptions | false;
}

type BodyKind = NonNullable<RouteDescriptor['body']>;

const GROUPS = {
  create: CrudValidationGroups.CREATE,
  bulk: CrudValidationGroups.CREATE,
  update: CrudValidationGroups.UPDATE,
  replace: CrudValidationGroups.CREATE,
} as const satisfies Record<BodyKind, CrudValidationGroups>;

const DTOS = {
  create: ({ create }) => create,
  bulk: ({ create }) => create,
  update: ({ update }) => update,
  replace: ({ replace, create }) => replace ?? create,
} as const satisfies Record<BodyKind, (dto: ResourceDefinition['dto']) => BodyDescription | undefined>;

/**
 * The rules of a route's body; `undefined` for routes without one.
 *
 * @param declared Class of the parameter in an overriding handler, which wins where it is neither built in nor the model.
 */
export function bodyRulesOf(
  definition: ResourceDefinition,
  route: BaseRouteName,
  declared?: unknown,
): BodyRules | undefined {
  const kind = bodyKindOf(route);
  if (!kind) return undefined;

  const { model, dto, validation, options } = definition;
  const merging = kind === 'replace' && options.routes.replaceOneBase?.merge === true;
  const own = isOwnClass(declared, model) ? declared : undefined;
  const configured = merging ? (dto.replace ?? dto.update) : DTOS[kind](dto);
  const described = own ?? configured ?? model;
  const isModel = described === model;

  return {
    type: typeof described === 'function' ? described : Object,
    schema: isStandardSchema(described) ? described : undefined,
    group: isModel ? (merging ? CrudValidationGroups.UPDATE : GROUPS[kind]) : undefined,
    partial: kind === 'update' || merging,
    bulk: kind === 'bulk',
    wholeBulk: kind === 'bulk' && own !== undefined,
    isModel,
    validation,
  };
}

function bodyKindOf(route: BaseRouteName): BodyKind | undefined {
  return (ROUTES[route] as RouteDescriptor).body;
}

const BUILT_IN: ReadonlySet<unknown> = new Set([Object, Array, String, Number, Boolean, undefined]);

function isOwnClass(declared: unknown, model: unknown): declared is Type<unknown> {
  return typeof declared === 'function' && !BUILT_IN.has(declared) && declared !== model;
}
