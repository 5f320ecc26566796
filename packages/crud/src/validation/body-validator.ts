/** The rules of a route's bodies in, a function that validates one record of them out; it yields the body to store and what is wrong with it, and refuses text that is no Unicode. */
import type { ValidationError, ValidationPipeOptions } from '@nestjs/common';
import { crudError } from '../errors/errors.js';
import { classTransformer, classValidator } from '../nest/optional-peers.js';
import { type AcceptsBody, acceptingValidator } from './accepting.js';
import type { BodyRules } from './body-rules.js';
import { toInstance, toPlainBody } from './inbound.js';
import { schemaValidatorOf } from './schema-validator.js';

/** A validated body; {@link value} counts only where there are no errors. */
export interface ValidatedBody {
  readonly value: Record<string, unknown>;
  readonly errors: readonly ValidationError[];
}

/** @param added Properties that path or `persist` put into the body: they are never a client's mistake. */
export type BodyValidator = (
  body: Record<string, unknown>,
  added: ReadonlySet<string>,
) => ValidatedBody | Promise<ValidatedBody>;

/**
 * Bodies pass as they are where validation is off, or where the rules are those of a class and class-validator or class-transformer is not installed. A Standard
 * Schema needs neither.
 */
export function bodyValidatorOf(rules: BodyRules): BodyValidator {
  const { validation, schema } = rules;
  if (validation === false) return acceptAll;
  if (schema) return refusingMalformed(schemaValidatorOf(schema, rules.partial));
  if (!classValidator || !classTransformer) return acceptAll;

  const { validate } = classValidator;
  const { transform, transformOptions } = validation;
  const inbound = { transformOptions, partial: rules.partial, keepExcluded: rules.isModel };
  const options = validatorOptionsOf(validation, rules.group);

  // Rules may throw before there is a promise to fail.
  const validated = async (instance: object) => validate(instance, options);
  const plain = async (body: Record<string, unknown>, added: ReadonlySet<string>): Promise<ValidatedBody> => {
    const instance = toInstance(rules.type, body, inbound);
    const errors = await validated(instance).catch(refuseMalformed);

    return {
      value: transform ? instance : (toPlainBody(instance, body) as Record<string, unknown>),
      errors: errors.filter(({ property }) => !added.has(property)),
    };
  };
  // Decorators are all there once there is a body.
  let accept: AcceptsBody | undefined;

  return (body, added) => {
    accept ??= acceptingValidator(rules, options);
    const value = accept(body);

    return value ? { value, errors: [] } : plain(body, added);
  };
}

function refusingMalformed(validate: BodyValidator): BodyValidator {
  return async (body, added) => {
    try {
      return await validate(body, added);
    } catch (error) {
      return refuseMalformed(error);
    }
  };
}

/** Some rules throw on half a surrogate pair, which JSON can carry and no database stores. */
function refuseMalformed(error: unknown): never {
  if ((error as Error | undefined)?.name !== 'URIError') throw error;

  throw crudError('CRUD_INVALID_BODY', {
    message: ['The body holds text that is not well-formed Unicode'],
    cause: error,
  });
}

const acceptAll: BodyValidator = (value) => ({ value, errors: [] });

/** The part of a ValidationPipe's options that is class-validator's, with the route's group. */
function validatorOptionsOf(validation: ValidationPipeOptions, group: string | undefined): object {
  const {
    transform: _transform,
    disableErrorMessages: _disableErrorMessages,
    transformOptions: _transformOptions,
    errorHttpStatusCode: _errorHttpStatusCode,
    exceptionFactory: _exceptionFactory,
    expectedType: _expectedType,
    validateCustomDecorators: _validateCustomDecorators,
    validatorPackage: _validatorPackage,
    transformerPackage: _transformerPackage,
    groups,
    ...options
  } = validation;
  const asked = group === undefined ? groups : [group, ...(groups ?? [])];

  return {
    forbidUnknownValues: false,
    ...options,
    ...(asked && { groups: asked }),
    validationError: { target: false, ...options.validationError },
  };
}
