/**
 * The pipes of the application before a body: a `ValidationPipe` by its options, any other by running it, as Nest
 * would.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PipeTransform, Type, ValidationError, ValidationPipeOptions } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { isObject, isPlainObject, mergedValidation, ownProperty } from '../definition/plain-objects.js';
import type { PipeSource } from '../nest/handler-pipes.js';
import type { BodyRules } from './body-rules.js';
import { type Body, copyBody, isNestedRecord, isRecordBody } from './plain-body.js';
import { makeExceptionFactory } from './body-exceptions.js';
import {
  readErrorOptions,
  isValidationPipe,
  mergePipeOptions,
  standardPipeOptions,
  type ValidationPipeFields,
} from './validation-pipe.js';

/** Rules with the options of the pipes under those of the resource, and what else is to be done with a record. */
export interface RulesWithPipes {
  readonly rules: BodyRules;
  readonly run?: RunPipes;
}

/** A record of a body, before or after the pipes. */
export interface PipedRecord {
  readonly value: unknown;
  /** Validation errors of a pipe, and the exception that it makes of them. */
  readonly pipeErrors?: PipeErrors;
  /** The pipes' whitelist option, not applied yet. */
  readonly whitelist?: ValidationPipeOptions | undefined;
}

/** The errors that a `ValidationPipe` found, and its exception. */
export interface PipeErrors {
  readonly errors: readonly ValidationError[];
  readonly makeException: (errors: ValidationError[]) => unknown;
}

/**
 * @param added What path and `persist` add to the record for the pipes, which may require it; a pipe that refuses the
 * record with it is run without it.
 */
export type RunPipes = (record: unknown, added: Body, request: object) => Promise<PipedRecord>;

/** `validation: false` turns off the library's validation only: the application's pipes run anyway. */
export function rulesWithPipes(rules: BodyRules, sources: readonly PipeSource[]): RulesWithPipes {
  const classified = sources.map((source) => ({
    source,
    options: 'pipe' in source ? standardPipeOptions(source.pipe) : undefined,
  }));
  const options = classified.flatMap((pipe) => pipe.options ?? []);
  const others = classified.filter((pipe) => !pipe.options).map(({ source }) => source);
  const validation =
    options.length > 0 ? mergedValidation(mergePipeOptions(options), rules.validation || undefined) : rules.validation;
  const guarded = { ...rules, validation };

  return { rules: guarded, ...(others.length > 0 && { run: pipeRunner(others, guarded) }) };
}

/** Makes the function that runs pipes, one after the other. */
function pipeRunner(sources: readonly PipeSource[], rules: BodyRules): RunPipes {
  return async (record, added, request) => {
    let piped: PipedRecord = { value: record };

    for (const source of sources) {
      const pipe = 'pipe' in source ? source.pipe : source.resolvePipe(request);
      if (pipe && !piped.pipeErrors) piped = await runPipe(pipe, piped, added, rules);
    }

    return piped;
  };
}

/** The errors behind the exceptions that pipes have thrown. */
const refusals = new WeakMap<object, PipeErrors>();

async function runPipe(
  pipe: PipeTransform,
  { value, whitelist }: PipedRecord,
  added: Body,
  rules: BodyRules,
): Promise<PipedRecord> {
  const own = readWhitelist(pipe, rules);
  const transform = bindPipe(pipe, rules, own !== undefined);
  const run = async (sent: Body): Promise<unknown> => {
    const given = copyBody(sent);
    const made = await transform(given);
    if (made === given || !isRecordBody(made)) return made;

    const { expectedType, transformOptions } = pipe as Partial<ValidationPipeFields>;

    return keepSent({ ...sent }, made, transformAlone(sent, expectedType ?? rules.type, transformOptions));
  };

  try {
    const made = await (isRecordBody(value) ? runWithScope(run, value, added) : transform(value));

    return { value: made, ...((whitelist ?? own) && { whitelist: { ...own, ...whitelist } }) };
  } catch (error) {
    const pipeErrors = isObject(error) ? refusals.get(error) : undefined;
    if (pipeErrors) return { value, pipeErrors };

    throw error;
  }
}

async function runWithScope(run: (record: Body) => Promise<unknown>, sent: Body, added: Body): Promise<unknown> {
  if (Object.keys(added).length === 0) return run(sent);

  const made = await run({ ...sent, ...added }).catch((error: unknown) =>
    run(without(sent, added)).catch(() => {
      throw error;
    }),
  );

  return isRecordBody(made) ? { ...without(made, added), ...without(sent, without(sent, added)) } : made;
}

/** Calls a pipe as Nest calls it for `@Body()`. */
function bindPipe(pipe: PipeTransform, rules: BodyRules, ownWhitelist: boolean): (value: unknown) => Promise<unknown> {
  const metadata = { type: 'body', metatype: rules.type as Type<unknown>, data: undefined } as const;
  const call = async (called: PipeTransform, value: unknown) => called.transform(value, metadata) as unknown;
  if (!isValidationPipe(pipe)) return (value) => call(pipe, value);

  const guarded = withRouteOptions(pipe, rules, ownWhitelist);

  return (value) =>
    call(guarded, value).catch((error: unknown) => {
      // Private fields exist on the pipe itself only.
      if (error instanceof TypeError) return call(pipe, value);

      throw error;
    });
}

/** The pipe with the groups of the route and, unless the application gave one, with the library's exceptions. */
function withRouteOptions(
  pipe: ValidationPipeFields,
  { group, validation }: BodyRules,
  ownWhitelist: boolean,
): PipeTransform {
  const { groups: _groups, ...options } = pipe.validatorOptions;
  const makeException = makeExceptionFactory(mergedValidation(readErrorOptions(pipe), validation || undefined) || {});
  const validatorOptions = {
    ...options,
    ...(group !== undefined && { groups: [group] }),
    ...(ownWhitelist && { whitelist: false, forbidNonWhitelisted: false }),
  };
  const exceptionFactory = async (errors: ValidationError[]): Promise<unknown> => {
    const exception = await makeException(errors);
    if (isObject(exception)) refusals.set(exception, { errors, makeException });

    return exception;
  };

  return Object.create(pipe, {
    validatorOptions: { value: validatorOptions },
    exceptionFactory: { value: exceptionFactory },
  }) as PipeTransform;
}

/**
 * The pipe's whitelist, which the library applies itself: its own knows the rules of every group, class-validator's
 * only those that apply, and it drops silently what a body cannot set.
 */
function readWhitelist(pipe: PipeTransform, rules: BodyRules): ValidationPipeOptions | undefined {
  const isChecked = !rules.schema && !rules.wholeBulk && rules.validation !== false;
  if (!isChecked || !isValidationPipe(pipe) || pipe.expectedType || !pipe.validatorOptions.whitelist) return undefined;

  const { forbidNonWhitelisted } = pipe.validatorOptions;

  return { ...readErrorOptions(pipe), whitelist: true, ...(forbidNonWhitelisted && { forbidNonWhitelisted }) };
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
    // Not for `toString` and the like: class-transformer drops them always, so that the pipe may have dropped them, too.
    const isDroppedAnyway = usually === undefined && !(name in Object.prototype);

    if (own !== undefined && isSent) kept[name] = keepSent(sent[name], own, usually);
    else if (own !== undefined && usually === undefined) kept[name] = own;
    else if (own === undefined && isSent && alone && isDroppedAnyway) kept[name] = sent[name];
  }

  return kept;
}
