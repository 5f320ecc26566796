import type { PipeTransform, Type, ValidationError, ValidationPipeOptions } from '@nestjs/common';
import { classValidator } from '../nest/optional-peers.js';
import type { PipeSource } from '../nest/handler-pipes.js';
import { mergedValidation, type ValidationOptions } from '../definition/merge-validation.js';
import type { BodyRules } from './body-rules.js';
import { withPipeChanges } from './pipe-changes.js';
import { copyBody, isRecordBody } from './plain-body.js';
import { strictestOf } from './strictest-options.js';
import { exceptionFactoryOf } from './validation-error.js';
import { errorOptionsOf, isValidationPipe, type KeptOptions } from './validation-pipe.js';

type Body = Record<string, unknown>;

/** A record of a body, before or after the pipes. */
export interface PipedRecord {
  readonly value: unknown;
  /** Validation errors of a pipe, and the exception that it makes of them. */
  readonly findings?: Findings;
  /** The pipes' whitelist option, not applied yet. */
  readonly whitelist?: ValidationPipeOptions | undefined;
}

/** The errors that a `ValidationPipe` found, and its exception. */
export interface Findings {
  readonly errors: readonly ValidationError[];
  readonly exceptionOf: (errors: ValidationError[]) => unknown;
}

/**
 * @param added What path and `persist` add to the record for the pipes, which may require it; a pipe that refuses the record with it is run without it.
 */
export type RunsPipes = (record: unknown, added: Body, request: object) => Promise<PipedRecord>;

/** Makes the function that runs pipes, one after the other, as Nest would on a body of the class. */
export function pipeRun(sources: readonly PipeSource[], rules: BodyRules): RunsPipes {
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
        const findings = run.findingsIn(error);
        if (!findings) throw error;

        return { value, findings };
      }
    }

    return { value, whitelist };
  };
}

/** One run of a pipe on one record. */
class PipeRun {
  readonly whitelist: ValidationPipeOptions | undefined;
  private readonly found = new WeakMap<object, Findings>();

  constructor(
    private readonly pipe: PipeTransform,
    private readonly rules: BodyRules,
  ) {
    this.whitelist = whitelistOf(pipe, rules);
  }

  findingsIn(error: unknown): Findings | undefined {
    return typeof error === 'object' && error !== null ? this.found.get(error) : undefined;
  }

  async transform(value: unknown, added: Body): Promise<unknown> {
    if (!isRecordBody(value)) return this.transformed(value);

    if (Object.keys(added).length === 0) return this.carried(value);

    const made = await this.carried({ ...value, ...added }).catch((error: unknown) =>
      this.carried(without(value, added)).catch(() => {
        throw error;
      }),
    );

    return isRecordBody(made) ? { ...without(made, added), ...without(value, without(value, added)) } : made;
  }

  private async carried(sent: Body): Promise<unknown> {
    const given = copyBody(sent);
    const made = await this.transformed(given);
    if (made === given) return given;

    const { expectedType, transformOptions } = this.pipe as Partial<KeptOptions>;

    return withPipeChanges(sent, made, expectedType ?? this.rules.type, transformOptions);
  }

  // Private fields exist on the pipe itself only.
  private async transformed(value: unknown): Promise<unknown> {
    const { pipe } = this;
    const metadata = { type: 'body', metatype: this.rules.type as Type<unknown>, data: undefined } as const;
    if (!isValidationPipe(pipe)) return pipe.transform(value, metadata) as unknown;

    try {
      return await (this.standIn(pipe).transform(value, metadata) as Promise<unknown>);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;

      return pipe.transform(value, metadata) as unknown;
    }
  }

  /** The pipe with the groups of the route and, unless the application gave one, with the library's exceptions. */
  private standIn(pipe: KeptOptions): PipeTransform {
    const { group, validation } = this.rules;
    const { groups: _groups, ...options } = pipe.validatorOptions;
    const exceptionOf = exceptionFactoryOf(ofErrors(errorOptionsOf(pipe), validation));

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
          if (typeof exception === 'object' && exception !== null) this.found.set(exception, { errors, exceptionOf });

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

function ofErrors(own: ValidationOptions, said: ValidationOptions): Exclude<ValidationOptions, false> {
  return mergedValidation(own, said === false ? undefined : said) || {};
}

function without(body: Body, names: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(names, name)));
}
