/** The rules of a class as a body's, or those of a route, and what they make of bodies. */
import type { BadRequestException, Type } from '@nestjs/common';
import { CrudValidationGroups } from '@nestwright/crud';
import { IsString } from 'class-validator';
import { bareDefinition, type ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { ConditionForm } from '../../src/definition/route-behaviour.js';
import type { BodyScope } from '../../src/plan/body-scope.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import { type BodyRules, makeBodyRules } from '../../src/validation/body-rules.js';
import { column } from '../plan/catalogs.js';

export const { CREATE, UPDATE } = CrudValidationGroups;
export const STRICT = { whitelist: true, forbidNonWhitelisted: true };

export const [KEY, CREATED_AT, VERSION] = [
  column('id', 'integer', { primary: true, autoIncrement: true, generated: true, hasDefault: true }),
  column('createdAt', 'datetime', { source: 'createDate' }),
  column('version', 'integer', { source: 'version' }),
] as const;

export class Named {
  @IsString() name!: string;
}

export const rulesOf = (type: Type<unknown>, options: Partial<BodyRules> = {}): BodyRules => ({
  type,
  group: undefined,
  bulk: false,
  wholeBulk: false,
  isModel: false,
  isDto: false,
  resource: 'PlainController',
  mode: 'insert',
  acceptsGeneratedKey: false,
  validation: {},
  ...options,
});

/** @param declared The class of the body in an overriding handler. */
export const rulesOfRoute = (
  route: BaseRouteName,
  definition: Partial<ResourceDefinition>,
  declared?: unknown,
): BodyRules => makeBodyRules({ ...bareDefinition(), validation: {}, ...definition }, route, declared)!;

/** Throws what it is given once it is called. */
export const failing = (error: unknown) => (): never => {
  throw error;
};

/** What is made of a body, or the messages of its refusal. */
export const outcome = (rules: BodyRules, body: object, scope?: BodyScope, form?: ConditionForm): Promise<unknown> =>
  new BodyReader(rules)
    .read(body, scope, form)
    .catch((error: BadRequestException) => Object(error.getResponse())['message'] as string[]);
