import type { Type, ValidationError } from '@nestjs/common';
import { mergedValidation } from '../definition/plain-objects.js';
import type { ValidationOptions } from '../definition/merge-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { BULK } from '../definition/option-table.js';
import type { BodyDescription } from '../definition/options.js';
import type { WriteMode } from '../plan/write-plan.js';
import type { ParamsOptions } from '@nestwright/crud-request';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { isManyRoute, readBehaviour, writesByCondition } from '../definition/route-behaviour.js';
import { isStandardSchema, type StandardSchema } from '../definition/standard-schema.js';
import type { BodyScope } from '../plan/body-scope.js';
import type { Body } from './plain-body.js';
import { type ReservedKeys, readReservedKeys } from './reserved-keys.js';

/**
 * `CREATE` holds for POST, bulk and PUT, `UPDATE` for PATCH (and for PUT with `merge`). Decorators on a model without
 * one of them apply in both, on PATCH to what the body carries; of classes given as `dto`, all apply.
 *
 * @example
 * `@IsOptional({ groups: [CrudValidationGroups.UPDATE] }) @IsNotEmpty({ groups: [CrudValidationGroups.CREATE] }) name: string`
 */
export enum CrudValidationGroups {
  /** POST, bulk and PUT. */
  CREATE = 'CRUD-CREATE',
  /** PATCH, and PUT with `merge`. */
  UPDATE = 'CRUD-UPDATE',
}

/** The validation rules of a route's body. */
export interface BodyRules {
  readonly type: Type<unknown>;
  /** What validates in place of class-validator: a schema, or the class if it carries one. Default: none. */
  readonly schema?: StandardSchema | undefined;
  /**
   * Group of decorators that apply beside those without a group, for the model alone: of other classes, which serve one
   * purpose, all apply.
   */
  readonly group: CrudValidationGroups | undefined;
  /** Whether the body is `{bulk: [record, …]}`. */
  readonly bulk: boolean;
  /** Whether the class describes the whole bulk body, not each record. */
  readonly wholeBulk: boolean;
  /** Most records of a bulk. Default: no bound. */
  readonly maxBulk?: number | undefined;
  /**
   * Where each record of a bulk carries its key: the path parameters, of which the primary ones name it. Default:
   * records carry no key.
   */
  readonly keyedBy?: ParamsOptions | undefined;
  /** Whether only keys are read. Default: `false`. */
  readonly keysAlone?: boolean;
  /**
   * What the body holds if a condition names the records: what to set, or nothing. Default: the route takes keys alone.
   */
  readonly byCondition?: 'set' | 'nothing';
  /**
   * Whether each record of a bulk must carry the version that it changes; a condition cannot name versions. Default:
   * `false`.
   */
  readonly needsVersion?: boolean;
  /** Whether the class is the model, whose `@Exclude()` speaks of responses. */
  readonly isModel: boolean;
  /** Whether the class is in `dto`, so that undeclared properties are dropped. */
  readonly isDto: boolean;
  /** Name of the controller, for logs. */
  readonly resource: string;
  /** What becomes of a body: what an `update` omits is left alone, so that initialisers of the class are no values. */
  readonly mode: WriteMode;
  /** Whether a new record may bring a key that the database generates. */
  readonly acceptsGeneratedKey: boolean;
  /** Keys that are the path of another route. Default: every key is free. */
  readonly reserved?: ReservedKeys | undefined;
  readonly validation: ValidationOptions;
}

/** A validated body; {@link value} counts only if there are no errors. */
export interface ValidatedBody {
  readonly value: Body;
  readonly errors: readonly ValidationError[];
  /** Errors that count only if a nested record turns out to be new, by its path. Default: none. */
  readonly ifInserted?: readonly InsertErrors[];
}

/** What is wrong with a nested record if it is inserted. */
export interface InsertErrors {
  /** Its path in the body. */
  readonly path: string;
  readonly errors: readonly ValidationError[];
}

/**
 * @param added Properties that path or `persist` set: errors there are never the client's.
 * @param scope What is put into nested records while they are validated. Default: nothing.
 */
export type BodyValidator = (
  body: Body,
  added: ReadonlySet<string>,
  scope?: BodyScope,
) => ValidatedBody | Promise<ValidatedBody>;

/**
 * Whether undeclared properties are dropped, for a class that declares any. An explicit `whitelist: true` is
 * class-validator's.
 */
export function isWhitelist({ isDto, validation }: BodyRules): boolean {
  return isDto && validation && validation.whitelist === undefined;
}

const DTOS: Readonly<Record<WriteMode, (dto: ResourceDefinition['dto']) => BodyDescription | undefined>> = {
  insert: ({ create }) => create,
  update: ({ update }) => update,
  replace: ({ replace, create }) => replace ?? create,
};

/**
 * The rules of a route's body; `undefined` for routes without one.
 *
 * @param declared Class of the parameter in an overriding handler, which wins if it is neither built in nor the model.
 */
export function makeBodyRules(
  definition: ResourceDefinition,
  route: BaseRouteName,
  declared?: unknown,
): BodyRules | undefined {
  const { body } = ROUTES[route];
  if (!body) return undefined;

  const { controller, model, dto, validation, options } = definition;
  const routeOptions = readBehaviour(options.routes, route);
  const { isBulk = false, keysAlone = false } = body;
  const merges = body.mode === 'replace' && routeOptions.merge === true;
  const mode = merges ? 'update' : body.mode;
  const own = isOwnClass(declared, model) ? declared : undefined;
  const configured = keysAlone ? undefined : ((merges ? dto.replace : undefined) ?? DTOS[mode](dto));
  const described = own ?? configured ?? model;
  const isModel = described === model;
  const wholeBulk = isBulk && own !== undefined;

  return {
    type: typeof described === 'function' ? described : Object,
    schema: isStandardSchema(described) ? described : undefined,
    group: isModel ? CrudValidationGroups[mode === 'update' ? 'UPDATE' : 'CREATE'] : undefined,
    bulk: isBulk,
    wholeBulk,
    maxBulk: routeOptions.maxBulk === false ? undefined : (routeOptions.maxBulk ?? BULK.maxBulk.unset),
    keyedBy: isManyRoute(route) ? options.params : undefined,
    keysAlone: keysAlone && !wholeBulk,
    ...(writesByCondition(route, options.routes) && { byCondition: keysAlone ? 'nothing' : 'set' }),
    needsVersion: isManyRoute(route) && routeOptions.requireMatch === true,
    isModel,
    isDto: !isModel && !wholeBulk && Object.values(dto).includes(described),
    resource: controller,
    mode,
    acceptsGeneratedKey: options.routes.createOneBase?.allowGeneratedKey === true,
    reserved: readReservedKeys(definition),
    validation: mergedValidation(validation, routeOptions.validation),
  };
}

const BUILT_IN: ReadonlySet<unknown> = new Set([Object, Array, String, Number, Boolean, undefined]);

function isOwnClass(declared: unknown, model: unknown): declared is Type<unknown> {
  return typeof declared === 'function' && !BUILT_IN.has(declared) && declared !== model;
}
