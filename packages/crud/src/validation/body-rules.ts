/** A resource and a route in, what its bodies are validated against out; refuses nothing. */
import type { Type } from '@nestjs/common';
import { mergedValidation, type ValidationOptions } from '../definition/merge-validation.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { BodyDescription, BodyRouteOptions } from '../definition/options.js';
import type { WriteMode } from '../plan/write-plan.js';
import { type BaseRouteName, type RouteDescriptor, ROUTES } from '../routes/route-table.js';
import { isStandardSchema, type StandardSchema } from '../definition/standard-schema.js';
import { CrudValidationGroups } from './validation-groups.js';

/** What a body is checked against. */
export interface BodyRules {
  readonly type: Type<unknown>;
  /** What validates in place of class-validator: a schema, or the class where it carries one. Default: none. */
  readonly schema?: StandardSchema | undefined;
  /** Group of decorators that are asked beside those without a group, for the model alone: of other classes, which serve one purpose, all are. */
  readonly group: CrudValidationGroups | undefined;
  /** Whether what the body omits is left alone, so that initialisers of the class are no values. */
  readonly partial: boolean;
  /** Whether the body is `{bulk: [record, …]}`. */
  readonly bulk: boolean;
  /** Whether the class describes the whole bulk body, not each record. */
  readonly wholeBulk: boolean;
  /** Whether the class is the model, whose `@Exclude()` speaks of responses. */
  readonly isModel: boolean;
  /** Whether the class stands in `dto`, and so keeps out what it does not declare. */
  readonly isDto: boolean;
  /** Name of the controller, for logs. */
  readonly resource: string;
  /** What becomes of a body. */
  readonly mode: WriteMode;
  /** Whether a new record may bring a key that the database counts. */
  readonly takesCountedKey: boolean;
  readonly validation: ValidationOptions;
}

/** Whether a class that declares something keeps all else out. What `whitelist: true` says is class-validator's own. */
export function isWhitelist({ isDto, validation }: BodyRules): boolean {
  return isDto && validation !== false && validation.whitelist === undefined;
}

type BodyKind = NonNullable<RouteDescriptor['body']>;

const GROUPS = {
  create: CrudValidationGroups.CREATE,
  bulk: CrudValidationGroups.CREATE,
  update: CrudValidationGroups.UPDATE,
  replace: CrudValidationGroups.CREATE,
} as const satisfies Record<BodyKind, CrudValidationGroups>;

const MODES = {
  create: 'insert',
  bulk: 'insert',
  update: 'update',
  replace: 'replace',
} as const satisfies Record<BodyKind, WriteMode>;

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

  const { controller, model, dto, validation, options } = definition;
  const merging = kind === 'replace' && options.routes.replaceOneBase?.merge === true;
  const own = isOwnClass(declared, model) ? declared : undefined;
  const configured = merging ? (dto.replace ?? dto.update) : DTOS[kind](dto);
  const described = own ?? configured ?? model;
  const isModel = described === model;

  const wholeBulk = kind === 'bulk' && own !== undefined;

  return {
    type: typeof described === 'function' ? described : Object,
    schema: isStandardSchema(described) ? described : undefined,
    group: isModel ? (merging ? CrudValidationGroups.UPDATE : GROUPS[kind]) : undefined,
    partial: kind === 'update' || merging,
    bulk: kind === 'bulk',
    wholeBulk,
    isModel,
    isDto: !isModel && !wholeBulk && Object.values(dto).includes(described),
    resource: controller,
    mode: merging ? 'update' : MODES[kind],
    takesCountedKey: options.routes.createOneBase?.allowGeneratedKey === true,
    validation: mergedValidation(validation, (options.routes[route] as BodyRouteOptions | undefined)?.validation),
  };
}

function bodyKindOf(route: BaseRouteName): BodyKind | undefined {
  return (ROUTES[route] as RouteDescriptor).body;
}

const BUILT_IN: ReadonlySet<unknown> = new Set([Object, Array, String, Number, Boolean, undefined]);

function isOwnClass(declared: unknown, model: unknown): declared is Type<unknown> {
  return typeof declared === 'function' && !BUILT_IN.has(declared) && declared !== model;
}
