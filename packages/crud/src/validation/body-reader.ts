/** A request's body and scope in, the body to store out: copied, run through pipes, put into the scope, validated, and put into the scope again; refuses bodies that are no records and what the rules refuse. */
import type { ValidationError, ValidationPipeOptions } from '@nestjs/common';
import { isPlainObject } from '../definition/freeze.js';
import { mergedValidation } from '../definition/merge-validation.js';
import { crudError } from '../errors/errors.js';
import type { BodyRules } from './body-rules.js';
import {
  applyScope,
  type BodyScope,
  type CopiedNull,
  copyForeignKeys,
  dropCopiedNulls,
  NO_SCOPE,
  repeatedValues,
} from './body-scope.js';
import { bodyValidatorOf, type BodyValidator } from './body-validator.js';
import { columnsFirst } from './implicit-conversion.js';
import { hasRule, knowsProperty } from './known-properties.js';
import { copyBody, isRecordBody } from './plain-body.js';
import type { PipedRecord, RunsPipes } from './run-pipes.js';
import { exceptionFactoryOf } from './validation-error.js';

type Body = Record<string, unknown>;

/** One record of a body, on its way. */
interface Draft {
  readonly body: Body;
  readonly sent: Body;
  readonly added: ReadonlySet<string>;
  readonly nulls: readonly CopiedNull[];
}

/** Who validates, and tells what is wrong. */
interface Judge {
  readonly validate: BodyValidator;
  readonly exceptionOf: (errors: ValidationError[]) => unknown;
}

const NOTHING: ReadonlySet<string> = new Set();

/** An item that validation added to a bulk. */
const UNSENT: Draft = { body: {}, sent: {}, added: NOTHING, nulls: [] };

/** Reads the bodies of a route. Made once, when its pipes are known. */
export class BodyReader {
  private readonly judge: Judge;
  /** By what becomes of properties that no rule declares. */
  private readonly strict = new Map<boolean, BodyValidator>();

  /**
   * @param run Runs the pipes that stand before the body. Default: there are none.
   */
  constructor(
    private readonly rules: BodyRules,
    private readonly run?: RunsPipes,
  ) {
    this.judge = { validate: validatorOf(rules), exceptionOf: exceptionFactoryOf(rules.validation || {}) };
  }

  async read(sent: unknown, scope: BodyScope = NO_SCOPE, request: object = {}): Promise<Body> {
    const body = copyBody(sent);
    if (!this.rules.bulk) return this.readRecord(body, scope, request);

    const bulk = isRecordBody(body) ? body['bulk'] : undefined;
    if (!Array.isArray(bulk) || bulk.length === 0) throw crudError('CRUD_EMPTY_BODY', { field: 'bulk' });

    return {
      bulk: await (this.rules.wholeBulk ? this.readWhole(bulk, scope, request) : this.readEach(bulk, scope, request)),
    };
  }

  private async readRecord(body: unknown, scope: BodyScope, request: object): Promise<Body> {
    const { value: record, whitelist } = this.run ? await this.piped(body, scope, request) : { value: body };
    if (!isRecordBody(record)) throw crudError('CRUD_INVALID_BODY', { message: ['The body must be an object'] });

    const draft = scoped(record, this.rules, scope);
    const judge = this.judgeBy(whitelist);
    const { value, errors } = await judge.validate(draft.body, draft.added, scope);
    await refuse(errors, judge);

    return finish(value, draft, scope);
  }

  private async readEach(bulk: readonly unknown[], scope: BodyScope, request: object): Promise<Body[]> {
    const items = recordsOf(bulk);
    const piped = this.run ? await this.pipedEach(items, scope, request) : [];
    const records = this.run ? recordsOf(piped.map(({ value }) => value)) : items;
    const judge = this.judgeBy(piped[0]?.whitelist);
    const drafts = records.map((record) => scoped(record, this.rules, scope));
    const results = await Promise.all(drafts.map(async ({ body, added }) => judge.validate(body, added, scope)));
    await refuse(inBulk(results.map(({ errors }) => errors)), judge);

    return results.map(({ value }, index) => finish(value, drafts[index]!, scope));
  }

  private async readWhole(bulk: readonly unknown[], scope: BodyScope, request: object): Promise<Body[]> {
    const whole = { bulk: recordsOf(bulk) };
    const { value: piped } = this.run ? await this.piped(whole, NO_SCOPE, request) : { value: whole };
    const records = recordsOf(isRecordBody(piped) && Array.isArray(piped['bulk']) ? (piped['bulk'] as unknown[]) : []);
    const drafts = records.map((record) => scoped(record, this.rules, scope));
    const { value, errors } = await this.judge.validate({ bulk: drafts.map(({ body }) => body) }, NOTHING, scope);
    await refuse(errors, this.judge);

    return (value['bulk'] as Body[]).map((item, index) => finish(item, drafts[index] ?? UNSENT, scope));
  }

  private async piped(body: unknown, scope: BodyScope, request: object): Promise<PipedRecord> {
    const record = await this.runOn(body, scope, request);
    const { findings } = record;
    if (findings) throw await findings.exceptionOf([...findings.errors]);

    return record;
  }

  private async pipedEach(items: readonly Body[], scope: BodyScope, request: object): Promise<PipedRecord[]> {
    const piped = await Promise.all(items.map((item) => this.runOn(item, scope, request)));
    const findings = piped.find((record) => record.findings)?.findings;
    if (findings) throw await findings.exceptionOf(inBulk(piped.map((record) => record.findings?.errors ?? [])));

    return piped;
  }

  private runOn(body: unknown, scope: BodyScope, request: object): Promise<PipedRecord> {
    const added: Body = {};
    if (isRecordBody(body)) applyScope(added, scope, body, (property) => hasRule(this.rules.type, property));

    return this.run!(body, added, request);
  }

  /** With what pipes want done with properties that no rule declares. */
  private judgeBy(whitelist: ValidationPipeOptions | undefined): Judge {
    if (!whitelist) return this.judge;

    const { forbidNonWhitelisted = false } = whitelist;
    const strict = { whitelist: true, ...(forbidNonWhitelisted && { forbidNonWhitelisted }) };
    const validation = mergedValidation(whitelist, this.rules.validation, strict);
    let validate = this.strict.get(forbidNonWhitelisted);
    if (!validate) this.strict.set(forbidNonWhitelisted, (validate = validatorOf({ ...this.rules, validation })));

    return { validate, exceptionOf: exceptionFactoryOf(validation || {}) };
  }
}

function validatorOf(rules: BodyRules): BodyValidator {
  return columnsFirst(rules, bodyValidatorOf(rules));
}

async function refuse(errors: readonly ValidationError[], { exceptionOf }: Judge): Promise<void> {
  if (errors.length > 0) throw await exceptionOf([...errors]);
}

function recordsOf(bulk: readonly unknown[]): readonly Body[] {
  const stray = bulk.findIndex((item) => !isRecordBody(item));
  if (stray >= 0) {
    const field = `bulk.${stray}`;
    throw crudError('CRUD_INVALID_BODY', { message: [`${field} must be an object`], field });
  }

  return bulk as readonly Body[];
}

/** The errors of items as those of the bulk. */
function inBulk(errors: readonly (readonly ValidationError[])[]): ValidationError[] {
  const children = errors.flatMap((own, index) =>
    own.length > 0 ? [{ property: String(index), children: [...own] } as ValidationError] : [],
  );

  return children.length > 0 ? [{ property: 'bulk', children } as ValidationError] : [];
}

// Only what the class knows is put in before validation; the rest would look unknown there, and is set afterwards.
function scoped(record: Body, rules: BodyRules, scope: BodyScope): Draft {
  if (scope.values.length === 0 && !rules.schema && isPlainObject(record)) {
    const nulls = copyForeignKeys(record, scope);

    return { body: record, sent: record, added: NOTHING, nulls };
  }

  const sent = { ...record };
  const body = { ...record };

  const nulls = copyForeignKeys(body, scope);
  const added = applyScope(body, scope, sent, (property) => !!rules.schema || knowsProperty(rules.type, property));
  const own = repeatedValues(sent, scope);

  // A schema may do without anything that the client did not send.
  return {
    body,
    sent,
    nulls,
    added: rules.schema
      ? new Set([...Object.keys(body).filter((property) => !Object.hasOwn(sent, property)), ...own])
      : new Set([...added, ...own]),
  };
}

// Whatever validation made of them, path values and `persist` are what is stored.
function finish(body: Body, { sent, nulls }: Draft, scope: BodyScope): Body {
  dropCopiedNulls(body, nulls);
  if (scope.values.length > 0) applyScope(body, scope, sent);

  return body;
}
