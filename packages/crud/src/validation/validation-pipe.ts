/** Recognises Nest's `ValidationPipe`, and reads its options. */
import {
  type PipeTransform,
  type Type,
  type ValidationError,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { mergedByKey } from '../definition/plain-objects.js';
import { prototypeChain } from '../nest/metadata.js';
import type { RuleOptions } from './applicable-rules.js';

/** The fields in which a `ValidationPipe` keeps its options, the same in every release and copy of Nest. */
export interface ValidationPipeFields extends PipeTransform {
  readonly validatorOptions: RuleOptions;
  readonly isDetailedOutputDisabled?: boolean;
  readonly isTransformEnabled?: boolean;
  readonly transformOptions?: ValidationPipeOptions['transformOptions'];
  readonly errorHttpStatusCode: NonNullable<ValidationPipeOptions['errorHttpStatusCode']>;
  readonly expectedType?: Type<unknown>;
  readonly exceptionFactory: (errors: ValidationError[]) => unknown;
  readonly errorFormat?: ValidationPipeOptions['errorFormat'];
  readonly maxErrorMessagesLength?: number;
  validate(made: object, options: object): unknown;
  createExceptionFactory(): (errors: ValidationError[]) => unknown;
}

/** Methods of the pipe that only shape its exception: `flattenValidationErrors`, `createExceptionFactory` … */
const EXCEPTION_STEP = /ValidationErrors$|^createException|^prependConstraints/;

/** Whether a pipe is a `ValidationPipe` or a subclass of it, be it from another copy of Nest. */
export function isValidationPipe(pipe: object): pipe is ValidationPipeFields {
  const { validatorOptions, createExceptionFactory } = pipe as Partial<ValidationPipeFields>;

  return typeof validatorOptions === 'object' && typeof createExceptionFactory === 'function';
}

/** Whether a pipe does no more than its options say, by the class of the parameter. */
export function isStandard(pipe: object): boolean {
  return isValidationPipe(pipe) && !pipe.expectedType && ownSteps(pipe).every((step) => EXCEPTION_STEP.test(step));
}

/** The options of a pipe; of one with a class of its own, only those that concern its exceptions. */
export function readPipeOptions(pipe: ValidationPipeFields): ValidationPipeOptions {
  const { groups: _groups, forbidUnknownValues, ...rules } = pipe.validatorOptions;
  const { transformOptions, errorHttpStatusCode, isDetailedOutputDisabled, errorFormat, maxErrorMessagesLength } = pipe;

  return mergedByKey(undefined, {
    // Nest fills in `false`.
    ...(!pipe.expectedType && { ...rules, forbidUnknownValues: forbidUnknownValues || undefined, transformOptions }),
    errorHttpStatusCode,
    disableErrorMessages: isDetailedOutputDisabled || undefined,
    errorFormat,
    maxErrorMessagesLength,
    exceptionFactory: hasOwnFactory(pipe) ? (errors: ValidationError[]) => pipe.exceptionFactory(errors) : undefined,
  });
}

// Nest creates its default factory by this method, so only the application's own differs from it.
function hasOwnFactory(pipe: ValidationPipeFields): boolean {
  if (ownSteps(pipe).some((step) => EXCEPTION_STEP.test(step))) return true;

  return String(pipe.exceptionFactory) !== String(pipe.createExceptionFactory());
}

/** The steps of Nest's class that a pipe has replaced, in a subclass or by a property of its own. */
function ownSteps(pipe: object): string[] {
  // Of another copy of Nest's class, it is the last prototype.
  const base = pipe instanceof ValidationPipe ? ValidationPipe.prototype : prototypeChain(pipe).at(-1)!;

  return Object.getOwnPropertyNames(base).filter(
    (step) => step !== 'constructor' && (pipe as never)[step] !== (base as never)[step],
  );
}

/** Options that make less strict: they hold if all pipes have them, others if one has. */
const LAX = ['skipMissingProperties', 'skipNullProperties', 'skipUndefinedProperties', 'strictGroups'];

/**
 * The options by which all of the pipes before one body guard it; what is no matter of strictness is the first pipe's.
 */
export function mergePipeOptions(pipes: readonly ValidationPipeOptions[]): ValidationPipeOptions {
  const first = Object.assign({}, ...pipes.toReversed()) as Record<string, unknown>;
  const merge = (name: string): boolean =>
    (pipes as readonly Record<string, unknown>[])[LAX.includes(name) ? 'every' : 'some']((pipe) => pipe[name]);

  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [name, typeof value === 'boolean' ? merge(name) : value]),
  );
}
