/**
 * What is thrown while a body is read: by rules, `@Transform()` or schemas of the application, or by class-transformer.
 */
import { HttpException, Logger, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { isPlainObject } from '../definition/plain-objects.js';
import { crudError } from '../errors/errors.js';
import { serverError, textOfError } from '../errors/server-error.js';
import { isWellFormed } from '../plan/values.js';
import { decoratorStorage } from '../serialization/decorator-storage.js';
import type { Body } from './plain-body.js';

const logger = new Logger('Crud');

/** Where it happened. */
export interface ThrownAt {
  /** Name of the controller. */
  readonly resource: string;
  /** `a rule`, `a @Transform()`. */
  readonly by: string;
  /** Path of the property in the body, if it is known. */
  readonly property?: string | undefined;
  /** Class or schema of the body. */
  readonly of: string;
}

/** The application's own HTTP exception if it threw one, else a 500, whose cause is logged. */
export function thrownException(error: unknown, body: unknown, { resource, by, property, of }: ThrownAt): Error {
  if (error instanceof HttpException) return error;

  // Rules throw on half a surrogate pair, which JSON can carry and no database stores.
  if ((error as Error | undefined)?.name === 'URIError' && !hasWellFormedTexts(body)) {
    return crudError('CRUD_INVALID_BODY', {
      message: ['The body holds text that is not well-formed Unicode'],
      cause: error,
    });
  }

  const place = property === undefined ? of : `"${property}" of ${of}`;
  logger.error(
    `${resource}: ${by} on ${place} has thrown: ${textOfError(error)}. The request is answered with 500.`,
    (error as Error | undefined)?.stack,
  );

  return serverError(error);
}

function hasWellFormedTexts(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value !== 'object' || value === null) return true;

  return Object.entries(value).every(([key, inner]) => isWellFormed(key) && hasWellFormedTexts(inner));
}

/**
 * The exception for what class-transformer throws: a 400 for values that it cannot cope with, unless a `@Transform()`
 * has thrown.
 */
export function transformException(
  error: unknown,
  body: Body,
  {
    type,
    options,
    resource,
  }: { readonly type: Type<unknown>; readonly options?: object | undefined; readonly resource: string },
): Error {
  const [property, isDecorated] = fails(type, {}, options) ? [] : (findFailing(type, body, options) ?? []);
  if (isDecorated === false && !(error instanceof HttpException))
    return crudError('CRUD_INVALID_BODY', { message: ['The body has a value of the wrong type'], cause: error });

  return thrownException(error, body, { resource, by: 'a @Transform()', property, of: type.name });
}

/** The property at which class-transformer fails, and whether it has a `@Transform()`. */
function findFailing(type: Type<unknown>, body: Body, options: object | undefined): [string, boolean] | undefined {
  const storage = decoratorStorage();

  for (const [name, value] of Object.entries(body)) {
    if (!fails(type, { [name]: value }, options)) continue;

    const inner = storage?.findTypeMetadata(type, name)?.typeFunction?.({ object: body, property: name });
    const item: unknown = Array.isArray(value) ? value.find(isPlainObject) : value;
    const below =
      typeof inner === 'function' && isPlainObject(item)
        ? findFailing(inner as Type<unknown>, item, options)
        : undefined;
    const isDecorated = (storage?.findTransformMetadatas(type, name, TO_CLASS) ?? []).length > 0;

    return below ? [`${name}.${below[0]}`, below[1]] : [name, isDecorated];
  }

  return undefined;
}

/** class-transformer's `TransformationType` from plain object to instance. */
const TO_CLASS = 0;

function fails(type: Type<unknown>, body: Body, options: object | undefined): boolean {
  try {
    plainToInstance(type, body, options);

    return false;
  } catch {
    return true;
  }
}
