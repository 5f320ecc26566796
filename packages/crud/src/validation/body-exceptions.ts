/**
 * The exceptions of a body. An invalid one has Nest's texts, each nested one beginning with its whole path, and the
 * library's code and field. What is thrown while a body is read comes from rules, `@Transform()` or schemas of the
 * application, or from class-transformer.
 */
import {
  HttpException,
  Logger,
  type Type,
  type ValidationError,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { speakable } from '@nestwright/crud-request';
import { plainToInstance } from 'class-transformer';
import { isPlainObject } from '../definition/plain-objects.js';
import { crudError, printError, serverError } from '../errors.js';
import { decoratorStorage, TO_CLASS } from '../serialization/class-transformer.js';
import { KINDS } from './applicable-rules.js';
import type { Body } from './plain-body.js';

/**
 * Makes exceptions the way Nest's ValidationPipe does with the same options; an `exceptionFactory` of the application
 * wins.
 */
export function makeExceptionFactory(options: ValidationPipeOptions): (errors: ValidationError[]) => unknown {
  if (options.exceptionFactory) return options.exceptionFactory;

  const { validatorPackage: _validator, transformerPackage: _transformer, ...rest } = options;
  let create: ((errors: ValidationError[]) => HttpException) | undefined;

  return (errors) => {
    create ??= new ValidationPipe(rest).createExceptionFactory() as NonNullable<typeof create>;
    const listed = errors.flatMap((error) => listErrors(error));
    const exception = create(listed);
    const response = exception.getResponse();
    // Without a name: a property that the client invented.
    const field = options.disableErrorMessages ? undefined : listed.find(({ property }) => property)?.property;

    Object.assign(response, { code: 'CRUD_INVALID_BODY', ...(field && { field }) });

    return exception;
  };
}

// Nest puts the path of the object before a nested text, wherever that names its property; here the path of the
// property comes first.
function listErrors(
  { property, constraints = {}, children = [], ...error }: ValidationError,
  parent?: string,
): ValidationError[] {
  const isForeign = KINDS.allowed in constraints && speakable(property) === undefined;
  const path = [parent, !isForeign && property].filter(Boolean).join('.');
  const texts = Object.entries({ ...constraints, ...(isForeign && { [KINDS.allowed]: FOREIGN }) }).map(
    ([rule, text]) => [rule, parent === undefined ? text : placeText(path, text)],
  );
  const own: ValidationError = { ...error, property: path, constraints: Object.fromEntries(texts) as Constraints };

  return [...(texts.length > 0 ? [own] : []), ...children.flatMap((child) => listErrors(child, path))];
}

// Only the error of an unknown property has a name that the client chose. It is repeated only if it is a plain
// identifier, so that answers cannot reflect an attack.
const FOREIGN = 'property should not exist';

type Constraints = NonNullable<ValidationError['constraints']>;

/** How class-validator's and Nest's own texts begin. */
const OPENING = /^(each value in )?(?:nested )?(?:property )?(\S+) /;

function placeText(path: string, text: string): string {
  const [opening = '', each, name = ''] = OPENING.exec(text) ?? [];
  // For an item that is no object, the text names its list.
  const isNamed = path.split('.').slice(-2).includes(name);

  return [path, isNamed && each ? 'each value' : '', isNamed ? text.slice(opening.length) : text]
    .filter(Boolean)
    .join(' ');
}

const ILL_FORMED = 'The body holds text that is not well-formed, as Unicode or as an encoded URI';

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

/**
 * The exception for what code of the application throws at a body: its own HTTP exception; a 400 for a URIError, such
 * as half a surrogate pair causes, which JSON can carry and no database stores; else a 500, whose cause is logged.
 */
export function thrownException(error: unknown, { resource, by, property, of }: ThrownAt): Error {
  if (error instanceof HttpException) return error;

  if ((error as Error | undefined)?.name === 'URIError')
    return crudError('CRUD_INVALID_BODY', { message: [ILL_FORMED], cause: error });

  const place = property === undefined ? of : `"${property}" of ${of}`;
  logger.error(
    `${resource}: ${by} on ${place} has thrown: ${printError(error)}. The request is answered with 500.`,
    (error as Error | undefined)?.stack,
  );

  return serverError(error);
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
  const failing = fails(type, {}, options) ? undefined : findFailing(type, body, options);
  if (failing && !failing.isDecorated && !(error instanceof HttpException))
    return crudError('CRUD_INVALID_BODY', { message: ['The body has a value of the wrong type'], cause: error });

  return thrownException(error, { resource, by: 'a @Transform()', property: failing?.path, of: type.name });
}

interface Failing {
  readonly path: string;
  /** Whether it has a `@Transform()`. */
  readonly isDecorated: boolean;
}

/** The property at which class-transformer fails. */
function findFailing(type: Type<unknown>, body: Body, options: object | undefined): Failing | undefined {
  const name = Object.keys(body).find((key) => fails(type, { [key]: body[key] }, options));
  if (name === undefined) return undefined;

  const storage = decoratorStorage();
  const inner = storage?.findTypeMetadata(type, name)?.typeFunction?.({ object: body, property: name });
  const item = [body[name]].flat().find(isPlainObject);
  const below = typeof inner === 'function' && item && findFailing(inner as Type<unknown>, item, options);
  const isDecorated = (storage?.findTransformMetadatas(type, name, TO_CLASS) ?? []).length > 0;

  return below ? { ...below, path: `${name}.${below.path}` } : { path: name, isDecorated };
}

function fails(type: Type<unknown>, body: Body, options: object | undefined): boolean {
  try {
    plainToInstance(type, body, options);

    return false;
  } catch {
    return true;
  }
}
