/** Recognises Nest's `ValidationPipe` and reads its options; a subclass that does more than its options say is none. */
import {
  type PipeTransform,
  type Type,
  type ValidationError,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { prototypeChain } from '../nest/metadata.js';
import type { RuleOptions } from './applicable-rules.js';

/** The fields in which a `ValidationPipe` keeps its options, the same in every release and copy of Nest. */
export interface ValidationPipeFields extends PipeTransform {
  readonly validatorOptions: RuleOptions;
  readonly isDetailedOutputDisabled?: boolean;
  readonly transformOptions?: ValidationPipeOptions['transformOptions'];
  readonly errorHttpStatusCode: NonNullable<ValidationPipeOptions['errorHttpStatusCode']>;
  readonly expectedType?: Type<unknown>;
  readonly exceptionFactory: (errors: ValidationError[]) => unknown;
  readonly errorFormat?: ValidationPipeOptions['errorFormat'];
  readonly maxErrorMessagesLength?: number;
  createExceptionFactory(): (errors: ValidationError[]) => unknown;
}

/** Methods of the pipe that only shape its exception: `flattenValidationErrors`, `createExceptionFactory` … */
const EXCEPTION_STEP = /ValidationErrors$|^createException|^prependConstraints/;

/** Whether a pipe is a `ValidationPipe` or a subclass of it, be it from another copy of Nest. */
export function isValidationPipe(pipe: object): pipe is ValidationPipeFields {
  const { validatorOptions, createExceptionFactory } = pipe as Partial<ValidationPipeFields>;

  return typeof validatorOptions === 'object' && typeof createExceptionFactory === 'function';
}

/**
 * The options of a pipe that validates as Nest's own class does and by the class of the parameter; `undefined` for any
 * other.
 */
export function standardPipeOptions(pipe: object): ValidationPipeOptions | undefined {
  if (!isValidationPipe(pipe) || pipe.expectedType || ownSteps(pipe).some((step) => !EXCEPTION_STEP.test(step)))
    return undefined;

  const { groups: _groups, forbidUnknownValues, ...rules } = pipe.validatorOptions;
  const { transformOptions } = pipe;

  return {
    ...rules,
    // Nest fills in `false`.
    ...(forbidUnknownValues && { forbidUnknownValues }),
    ...(transformOptions && { transformOptions }),
    ...readErrorOptions(pipe),
  };
}

/** The options of a pipe that concern its exceptions. */
export function readErrorOptions(pipe: ValidationPipeFields): ValidationPipeOptions {
  const { errorHttpStatusCode, isDetailedOutputDisabled, errorFormat, maxErrorMessagesLength } = pipe;

  return {
    errorHttpStatusCode,
    ...(isDetailedOutputDisabled && { disableErrorMessages: true }),
    ...(errorFormat && { errorFormat }),
    ...(maxErrorMessagesLength !== undefined && { maxErrorMessagesLength }),
    ...(hasOwnFactory(pipe) && { exceptionFactory: (errors) => pipe.exceptionFactory(errors) }),
  };
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

/** Of several pipes the strictest setting holds, and of options that are no matter of strictness the first pipe's. */
const STRICT_IF_SET = [
  ...(['whitelist', 'forbidNonWhitelisted', 'forbidUnknownValues', 'always'] as const),
  ...(['stopAtFirstError', 'dismissDefaultMessages', 'disableErrorMessages'] as const),
];
const LAX_IF_SET = ['skipMissingProperties', 'skipNullProperties', 'skipUndefinedProperties', 'strictGroups'] as const;

/** The options by which all of the pipes before one body guard it. */
export function mergePipeOptions(pipes: readonly ValidationPipeOptions[]): ValidationPipeOptions {
  const strict = STRICT_IF_SET.filter((option) => pipes.some((pipe) => pipe[option]));
  const notLax = LAX_IF_SET.filter((option) => !pipes.every((pipe) => pipe[option]));

  return {
    ...Object.assign({}, ...pipes.toReversed()),
    ...Object.fromEntries(strict.map((option) => [option, true])),
    ...(pipes.length > 1 && Object.fromEntries(notLax.map((option) => [option, false]))),
  };
}
