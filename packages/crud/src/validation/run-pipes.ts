import type { PipeTransform, Type, ValidationError, ValidationPipeOptions } from '@nestjs/common';
import { isObject } from '../definition/plain-objects.js';
import { classValidator } from '../nest/optional-peers.js';
import type { PipeSource } from '../nest/handler-pipes.js';
import { mergedValidation } from '../definition/merge-validation.js';
import type { BodyRules } from './body-rules.js';
import { withPipeChanges } from './pipe-changes.js';
import { type Body, copyBody, isRecordBody } from './plain-body.js';
import { strictestOf } from './strictest-options.js';
import { exceptionFactoryOf } from './validation-error.js';
import { errorOptionsOf, isValidationPipe, type ValidationPipeFields } from './validation-pipe.js';

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
 * @param added What path and `persist` add to the record for the pipes, which may require it; a pipe that refuses the record with it is run without it.
 */
export type RunPipes = (record: unknown, added: Body, request: object) => Promise<PipedRecord>;

/** Makes the function that runs pipes, one after the other, as Nest would on a body of the class. */
export function pipeRunner(sources: readonly PipeSource[], rules: BodyRules): RunPipes {
  return async (record, added, request) => {
    let value = record;
    let whitelist: ValidationPipeOptions | undefined;

    for (const source of sources) {
      const pipe = 'pipe' in source ? source.pipe : source.of(request);
      if (!pipe) continue;

      const run = new PipeRun(pipe, rules);
      if (run.whitelist) whitelist = strictestOf(whitelist ? [whitelist, run.whitelist] : [run.whitelist]);
      try {
        value = await run.transform(value, added);
      } catch (error) {
        const pipeErrors = run.errorsIn(error);
        if (!pipeErrors) throw error;

        return { value, pipeErrors };
      }
    }

    return { value, whitelist };
  };
}

/** One run of a pipe on one record. */
class PipeRun {
  readonly whitelist: ValidationPipeOptions | undefined;
  private readonly errorsByException = new WeakMap<object, PipeErrors>();

  constructor(
    private readonly pipe: PipeTransform,
    private readonly rules: BodyRules,
  ) {
    this.whitelist = whitelistOf(pipe, rules);
  }

  errorsIn(error: unknown): PipeErrors | undefined {
    return isObject(error) ? this.errorsByException.get(error) : undefined;
  }

  async transform(value: unknown, added: Body): Promise<unknown> {
    if (!isRecordBody(value)) return this.run(value);

    if (Object.keys(added).length === 0) return this.runOnCopy(value);

    const made = await this.runOnCopy({ ...value, ...added }).catch((error: unknown) =>
      this.runOnCopy(without(value, added)).catch(() => {
        throw error;
      }),
    );

    return isRecordBody(made) ? { ...without(made, added), ...without(value, without(value, added)) } : made;
  }

  private async runOnCopy(sent: Body): Promise<unknown> {
    const given = copyBody(sent);
    const made = await this.run(given);
    if (made === given) return given;

    const { expectedType, transformOptions } = this.pipe as Partial<ValidationPipeFields>;

    return withPipeChanges(sent, made, expectedType ?? this.rules.type, transformOptions);
  }

  // Private fields exist on the pipe itself only.
  private async run(value: unknown): Promise<unknown> {
    const { pipe } = this;
    const metadata = { type: 'body', metatype: this.rules.type as Type<unknown>, data: undefined } as const;
    if (!isValidationPipe(pipe)) return pipe.transform(value, metadata) as unknown;

    try {
      return await (this.withRouteOptions(pipe).transform(value, metadata) as Promise<unknown>);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;

      return pipe.transform(value, metadata) as unknown;
    }
  }

  /** The pipe with the groups of the route and, unless the application gave one, with the library's exceptions. */
  private withRouteOptions(pipe: ValidationPipeFields): PipeTransform {
    const { group, validation } = this.rules;
    const { groups: _groups, ...options } = pipe.validatorOptions;
    const exceptionOf = exceptionFactoryOf(mergedValidation(errorOptionsOf(pipe), validation || undefined) || {});

    return Object.create(pipe, {
      validatorOptions: {
        value: {
          ...options,
          ...(group !== undefined && { groups: [group] }),
          ...(this.whitelist && { whitelist: false, forbidNonWhitelisted: false }),
        },
      },
      exceptionFactory: {
        value: async (errors: ValidationError[]) => {
          const exception = await exceptionOf(errors);
          if (isObject(exception)) this.errorsByException.set(exception, { errors, exceptionOf });

          return exception;
        },
      },
    }) as PipeTransform;
  }
}

/**
 * The pipe's whitelist, which the library applies itself: its own knows the rules of every group, class-validator's only those that apply, and it drops silently what a body cannot set.
 */
function whitelistOf(pipe: PipeTransform, rules: BodyRules): ValidationPipeOptions | undefined {
  const isChecked = !rules.schema && !rules.wholeBulk && rules.validation !== false && classValidator !== undefined;
  if (!isChecked || !isValidationPipe(pipe) || pipe.expectedType) return undefined;

  const { whitelist, forbidNonWhitelisted } = pipe.validatorOptions;

  return whitelist
    ? { ...errorOptionsOf(pipe), whitelist, ...(forbidNonWhitelisted && { forbidNonWhitelisted }) }
    : undefined;
}

function without(body: Body, names: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(names, name)));
}
