import { HttpException } from '@nestjs/common';
import type { StandardSchema } from '../definition/standard-schema.js';
import { crudError } from '../errors/errors.js';
import { getOrInsert } from '../get-or-insert.js';
import { classTransformer, classValidator } from '../nest/optional-peers.js';
import { type FastValidator, fastValidatorOf } from './fast-validation.js';
import type { BodyScope } from '../plan/body-scope.js';
import type { Catalog } from '../plan/catalog.js';
import type { RuleOptions } from './applicable-rules.js';
import { type BodyPlace, isExpectedVersion, rootPlace, unsettableColumns } from './settable-properties.js';
import { type BodyRules, isWhitelist } from './body-rules.js';
import { type InboundOptions, toInstance, toPlainBody } from './body-instance.js';
import { declaredProperties } from './declared-properties.js';
import type { Body } from './plain-body.js';
import { scopeNested } from './nested-scope.js';
import { RuleFault, ruleCheck } from './rule-check.js';
import { schemaValidatorOf } from './schema-validator.js';
import { thrownException } from './thrown-errors.js';
import { isBeyondTypes, throwingProperty } from './transform-fault.js';
import type { BodyValidator, ValidatedBody } from './validated-body.js';
import { dropUndeclared } from './whitelist.js';

/**
 * Bodies pass as they are if validation is off. If class-validator or class-transformer is not installed, no rules apply, and only what a DTO does not declare is dropped. A
 * Standard Schema needs neither.
 */
export function bodyValidatorOf(rules: BodyRules): BodyValidator {
  const { validation, schema } = rules;
  if (validation === false) return (value) => ({ value, errors: [] });
  if (schema) return schemaValidator(rules, schema);
  if (!classValidator || !classTransformer) return declaredAlone(rules);

  const inbound: InboundOptions = {
    transformOptions: validation.transformOptions,
    partial: rules.mode === 'update',
    keepExcluded: rules.isModel,
  };
  const options: RuleOptions = {
    forbidUnknownValues: false,
    ...validation,
    validationError: { target: false, ...validation.validationError },
  };
  const check = ruleCheck(options);
  const recordsIn = recordsOf(rules, options);

  const made = (body: Body): Body => {
    try {
      return toInstance(rules.type, body, inbound);
    } catch (error) {
      throw transformException(error, body, rules);
    }
  };
  const validate = async (body: Body, added: ReadonlySet<string>, scope?: BodyScope): Promise<ValidatedBody> => {
    const instance = made(body);
    const { place, unsettable } = recordsIn(scope?.catalog);
    if (isWhitelist(rules)) dropUndeclared(instance, scope?.catalog, (name) => isExpectedVersion(place, name));
    for (const name of unsettable) Reflect.deleteProperty(instance, name);

    const nested = scopeNested(instance, body, scope);
    const errors = await check(instance, body, place).catch((error: unknown) => {
      throw faultException(error, body, rules);
    });
    nested.undo();

    return {
      value: validation.transform ? instance : (toPlainBody(instance, body) as Body),
      errors: nested.dropErrorsOfAdded(errors).filter(({ property }) => !added.has(property)),
    };
  };

  return (body, added, scope) => {
    const value = recordsIn(scope?.catalog).accepts(body);

    return value ? { value, errors: [] } : validate(body, added, scope);
  };
}

/** Settings shared by all records of an entity. */
interface Records {
  readonly place: BodyPlace;
  readonly unsettable: ReadonlySet<string>;
  readonly accepts: FastValidator;
}

// Made with the first body, when all decorators have run.
function recordsOf(rules: BodyRules, options: RuleOptions): (catalog: Catalog | undefined) => Records {
  const known = new WeakMap<object, Records>();

  return (catalog) =>
    getOrInsert(known, catalog ?? rules, () => {
      const place = rootPlace(rules, catalog);
      const unsettable = unsettableColumns(place);
      const declared = isWhitelist(rules) ? declaredProperties(rules.type, catalog) : undefined;
      const isAllowed = (name: string): boolean =>
        !unsettable.has(name) && (!declared || declared.has(name) || isExpectedVersion(place, name));

      return { place, unsettable, accepts: fastValidatorOf(rules, options, place, isAllowed) };
    });
}

function declaredAlone(rules: BodyRules): BodyValidator {
  return (body, _added, scope) => {
    const declared = isWhitelist(rules) ? declaredProperties(rules.type, scope?.catalog) : undefined;
    const place = rootPlace(rules, scope?.catalog);
    const kept = Object.entries(body).filter(
      ([name]) => !declared || declared.has(name) || isExpectedVersion(place, name),
    );

    return { value: Object.fromEntries(kept), errors: [] };
  };
}

function schemaValidator(rules: BodyRules, schema: StandardSchema): BodyValidator {
  const validate = schemaValidatorOf(schema, rules.mode === 'update');

  return async (body, added, scope) => {
    try {
      return await validate(body, added, scope);
    } catch (error) {
      throw thrownException(error, body, { resource: rules.resource, by: 'the schema', of: 'the body' });
    }
  };
}

function transformException(error: unknown, body: Body, rules: BodyRules): Error {
  const { type, resource } = rules;
  const { transformOptions } = rules.validation || {};
  if (!(error instanceof HttpException) && isBeyondTypes(type, body, transformOptions))
    return crudError('CRUD_INVALID_BODY', { message: ['The body has a value of the wrong type'], cause: error });

  const property = throwingProperty(type, body, transformOptions);

  return thrownException(error, body, { resource, by: 'a @Transform()', property, of: type.name });
}

function faultException(error: unknown, body: unknown, { resource, type }: BodyRules): unknown {
  if (!(error instanceof RuleFault)) return error;

  return thrownException(error.cause, body, { resource, by: 'a rule', property: error.property, of: type.name });
}
