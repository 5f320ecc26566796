/**
 * The pipes of the application before a body: the options of a `ValidationPipe` become the library's, and any pipe that
 * does more than its options say is run, as Nest would.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PipeTransform, Type, ValidationError, ValidationPipeOptions } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { isObject, isPlainObject, mergedValidation, ownProperty } from '../definition/plain-objects.js';
import { copyOf } from '../plan/body-scope.js';
import { reconcile, toPlainBody } from './body-instance.js';
import type { BodyRules } from './body-rules.js';
import { type Body, copyBody, isNestedRecord, isRecordBody } from './plain-body.js';
import { makeExceptionFactory } from './body-exceptions.js';
import { isStandard, isValidationPipe, mergePipeOptions, readPipeOptions } from './validation-pipe.js';

/** Rules with the options of the pipes under those of the resource, and what else is to be done with a record. */
export interface RulesWithPipes {
  readonly rules: BodyRules;
  /** Options of the exceptions for what the pipes refuse. Default: those of the rules. */
  readonly exceptions?: ValidationPipeOptions | undefined;
  readonly run?: RunPipes;
}

/** A record of a body behind the pipes, and the validation errors of the one that has refused it. */
export interface PipedRecord {
  readonly value: unknown;
  readonly errors?: readonly ValidationError[];
}

/**
 * @param added What path and `persist` add to the record for the pipes, which may require it; a pipe that refuses the
 * record with it is run without it.
 */
export type RunPipes = (record: unknown, added: Body) => Promise<PipedRecord>;

/** `validation: false` turns off the library's validation only: the application's pipes guard the body anyway. */
export function rulesWithPipes(rules: BodyRules, pipes: readonly PipeTransform[]): RulesWithPipes {
  const options = pipes.filter(isValidationPipe).map(readPipeOptions);
  const validation = mergedValidation(mergePipeOptions(options), rules.validation || undefined);
  const guarded = { ...rules, validation };
  const calls = pipes.filter((pipe) => !isStandard(pipe)).map((pipe) => bindPipe(pipe, guarded));

  // A class of its own is the pipe's alone.
  const isApart = pipes.every((pipe) => !isValidationPipe(pipe) || pipe.expectedType);

  return {
    rules: isApart ? rules : guarded,
    exceptions: validation || undefined,
    ...(calls.length > 0 && { run: (record, added) => runPipes(calls, record, added) }),
  };
}

type Call = (value: unknown) => Promise<unknown>;

/** The errors behind the exceptions that pipes have thrown. */
const refusals = new WeakMap<object, readonly ValidationError[]>();

/** Runs pipes one after the other. */
async function runPipes(calls: readonly Call[], record: unknown, added: Body): Promise<PipedRecord> {
  let value = record;

  try {
    for (const call of calls) value = await (isRecordBody(value) ? callWithScope(call, value, added) : call(value));

    return { value };
  } catch (error) {
    const errors = isObject(error) ? refusals.get(error) : undefined;
    if (errors) return { value, errors };

    throw error;
  }
}

async function callWithScope(call: Call, sent: Body, added: Body): Promise<unknown> {
  if (Object.keys(added).length === 0) return call(sent);

  const made = await call({ ...sent, ...added }).catch((error: unknown) =>
    call(without(sent, added)).catch(() => {
      throw error;
    }),
  );

  return isRecordBody(made) ? { ...without(made, added), ...without(sent, without(sent, added)) } : made;
}

/** Calls a pipe as Nest calls it for `@Body()`. */
function bindPipe(pipe: PipeTransform, rules: BodyRules): Call {
  const metadata = { type: 'body', metatype: rules.type as Type<unknown>, data: undefined } as const;
  const call = async (called: PipeTransform, value: unknown) => called.transform(copyBody(value), metadata) as unknown;
  if (!isValidationPipe(pipe)) return async (value) => readInstance(await call(pipe, value), value, rules);

  const guarded = guardPipe(pipe, rules);

  return async (value) => {
    const made = await call(guarded, value).catch(async (error: unknown) => {
      if (!(error instanceof TypeError)) throw error;
      // Private fields exist on the pipe itself only. It may make a plain object of an instance.
      const own = await call(pipe, value);

      return isPlainObject(own) ? (Object.setPrototypeOf(own, rules.type.prototype as object) as unknown) : own;
    });
    if (!isRecordBody(value) || !isRecordBody(made) || (isPlainObject(made) && !pipe.expectedType)) return made;

    return keepSent(value, made, transformAlone(value, pipe.expectedType ?? rules.type, pipe.transformOptions));
  };
}

type ValidationPipeFields = Parameters<typeof readPipeOptions>[0];

/**
 * A `ValidationPipe` with the group of the route, which leaves to the library what class-transformer makes of a body,
 * and the whitelist: the pipe's own knows only the rules that apply, the library's those of every group.
 */
function guardPipe(pipe: ValidationPipeFields, { group, validation }: BodyRules): ValidationPipeFields {
  const { groups: _groups, validationError, ...given } = pipe.validatorOptions;
  const options = {
    ...given,
    ...(!pipe.expectedType && { whitelist: false, forbidNonWhitelisted: false, ...(group && { groups: [group] }) }),
  };
  const makeException = makeExceptionFactory(validation || {});
  const exceptionFactory = async (errors: ValidationError[]): Promise<unknown> => {
    const exception = await makeException(errors);
    if (isObject(exception)) refusals.set(exception, errors);

    return exception;
  };

  return Object.create(pipe, {
    exceptionFactory: { value: exceptionFactory },
    isTransformEnabled: { value: pipe.isTransformEnabled || pipe.expectedType !== undefined },
    // Of a pipe with more than one option Nest returns what class-transformer makes of the body.
    validatorOptions: { value: { ...(validationError && { validationError }) } },
    validate: { value: (made: object, shown: object) => pipe.validate(made, { ...options, ...shown }) },
  }) as ValidationPipeFields;
}

/** Of an instance that a pipe has made, what initialisers alone have put into it is left out of a change. */
function readInstance(made: unknown, sent: unknown, { mode, isModel }: BodyRules): unknown {
  if (!isRecordBody(sent) || !isNestedRecord(made) || isPlainObject(made)) return made;

  const instance = copyOf(made);
  reconcile(instance, sent, { transformOptions: undefined, partial: mode === 'update', keepExcluded: isModel });

  return toPlainBody(instance, sent);
}

function without(body: Body, names: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(names, name)));
}

// What leaves a whole class's properties out is the pipe's decision, and must not look like the class's.
function transformAlone(sent: Body, type: Type<unknown>, options: object | undefined): unknown {
  try {
    return plainToInstance(type, structuredClone(sent), {
      ...options,
      excludeExtraneousValues: false,
      strategy: undefined,
    });
  } catch {
    return undefined;
  }
}

/**
 * What the client sent, with a pipe's own changes. Initialisers, implicit conversions and the properties that a class
 * excludes are class-transformer's doing, which is done when the body is validated.
 *
 * @param usual What class-transformer alone makes of it; undefined if it fails.
 */
function keepSent(sent: unknown, made: unknown, usual: unknown): unknown {
  if (isDeepStrictEqual(made, sent) || (usual !== undefined && isDeepStrictEqual(made, usual))) return sent;

  const alone = isObject(usual) ? (usual as Body) : undefined;
  if (Array.isArray(sent) && Array.isArray(made) && sent.length === made.length)
    return sent.map((item: unknown, index) => keepSent(item, made[index], alone?.[index]));
  if (!isPlainObject(sent) || !isNestedRecord(made)) return made;

  const kept: Body = {};
  for (const name of Object.keys({ ...made, ...sent })) {
    const isSent = Object.hasOwn(sent, name);
    const own = ownProperty(made, name);
    const usually = ownProperty(alone, name);
    // Not for `toString` and the like: class-transformer drops them always, so that the pipe may have dropped them,
    // too.
    const isDroppedAnyway = usually === undefined && !(name in Object.prototype);

    if (own !== undefined && isSent) kept[name] = keepSent(sent[name], own, usually);
    else if (own !== undefined && usually === undefined) kept[name] = own;
    else if (own === undefined && isSent && alone && isDroppedAnyway) kept[name] = sent[name];
  }

  return kept;
}
