/**
 * The pipes of the application before a body: a `ValidationPipe` by its options, any other by running it, as Nest
 * would.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PipeTransform, Type, ValidationError, ValidationPipeOptions } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { mergedValidation } from '../definition/merge-validation.js';
import { isObject, isPlainObject } from '../definition/plain-objects.js';
import type { PipeSource } from '../nest/handler-pipes.js';
import type { BodyRules } from './body-rules.js';
import { type Body, copyBody, isNestedRecord, isRecordBody } from './plain-body.js';
import { makeExceptionFactory } from './validation-error.js';
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
  readonly exceptionOf: (errors: ValidationError[]) => unknown;
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
      const pipe = 'pipe' in source ? source.pipe : source.of(request);
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
  const whitelists = [whitelist, own].filter((options) => options !== undefined);
  const run = (record: Body): Promise<unknown> => runOnCopy(pipe, record, rules, own !== undefined);

  try {
    const made = isRecordBody(value)
      ? await runWithScope(run, value, added)
      : await transform(pipe, value, rules, own !== undefined);

    return { value: made, ...(whitelists.length > 0 && { whitelist: mergePipeOptions(whitelists) }) };
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

async function runOnCopy(pipe: PipeTransform, sent: Body, rules: BodyRules, ownWhitelist: boolean): Promise<unknown> {
  const given = copyBody(sent);
  const made = await transform(pipe, given, rules, ownWhitelist);
  if (made === given) return given;

  const { expectedType, transformOptions } = pipe as Partial<ValidationPipeFields>;

  return withPipeChanges(sent, made, expectedType ?? rules.type, transformOptions);
}

async function transform(
  pipe: PipeTransform,
  value: unknown,
  rules: BodyRules,
  ownWhitelist: boolean,
): Promise<unknown> {
  const metadata = { type: 'body', metatype: rules.type as Type<unknown>, data: undefined } as const;
  if (!isValidationPipe(pipe)) return pipe.transform(value, metadata) as unknown;

  try {
    return await (withRouteOptions(pipe, rules, ownWhitelist).transform(value, metadata) as Promise<unknown>);
  } catch (error) {
    // Private fields exist on the pipe itself only.
    if (!(error instanceof TypeError)) throw error;

    return pipe.transform(value, metadata) as unknown;
  }
}

/** The pipe with the groups of the route and, unless the application gave one, with the library's exceptions. */
function withRouteOptions(
  pipe: ValidationPipeFields,
  { group, validation }: BodyRules,
  ownWhitelist: boolean,
): PipeTransform {
  const { groups: _groups, ...options } = pipe.validatorOptions;
  const exceptionOf = makeExceptionFactory(mergedValidation(readErrorOptions(pipe), validation || undefined) || {});
  const validatorOptions = {
    ...options,
    ...(group !== undefined && { groups: [group] }),
    ...(ownWhitelist && { whitelist: false, forbidNonWhitelisted: false }),
  };
  const exceptionFactory = async (errors: ValidationError[]): Promise<unknown> => {
    const exception = await exceptionOf(errors);
    if (isObject(exception)) refusals.set(exception, { errors, exceptionOf });

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

/**
 * Separates a pipe's own changes to a body from what class-transformer does to any body.
 *
 * @param transformOptions Options by which the pipe makes instances.
 * @returns Plain values as the client sent them except those that the pipe changed. Initialisers, implicit conversions
 * and the properties that a class excludes are class-transformer's
 *   doing, which is done when the body is validated.
 */
function withPipeChanges(
  sent: Body,
  made: unknown,
  type: Type<unknown>,
  transformOptions: object | undefined,
): unknown {
  if (!isRecordBody(made)) return made;
  if (made === sent) return sent;

  return changedRecord(sent, made, transformed(sent, type, transformOptions));
}

// What leaves a whole class's properties out is the pipe's decision, and must not look like the class's.
function transformed(sent: Body, type: Type<unknown>, options: object | undefined): unknown {
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

function changedRecord(sent: Body, made: Body, transformer: unknown): Body {
  const usual = isRecordBody(transformer) ? transformer : undefined;
  const carried: Body = {};

  for (const [name, value] of Object.entries(made)) {
    if (value === undefined) continue;
    if (Object.hasOwn(sent, name)) carried[name] = changedValue(sent[name], value, usual?.[name]);
    else if (usual?.[name] === undefined) carried[name] = value;
  }
  for (const name of Object.keys(sent)) {
    const isOmitted = made[name] === undefined;
    if (isOmitted && usual && usual[name] === undefined) carried[name] = sent[name];
  }

  return carried;
}

function changedValue(sent: unknown, made: unknown, usual: unknown): unknown {
  if (isDeepStrictEqual(sent, made)) return sent;
  if (isPlainObject(sent) && isNestedRecord(made)) return changedRecord(sent, made, usual);
  if (Array.isArray(sent) && Array.isArray(made) && sent.length === made.length) {
    return sent.map((item: unknown, index) =>
      changedValue(item, made[index], Array.isArray(usual) ? usual[index] : undefined),
    );
  }

  return usual !== undefined && isDeepStrictEqual(made, usual) ? sent : made;
}
