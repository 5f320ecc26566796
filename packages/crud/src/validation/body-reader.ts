/** Reads a body: copies it, runs pipes, applies the scope, validates, and applies the scope again. */
import type { ValidationError, ValidationPipeOptions } from '@nestjs/common';
import type { ConditionForm } from '../definition/route-behaviour.js';
import { isPlainObject } from '../definition/plain-objects.js';
import { mergedValidation } from '../definition/merge-validation.js';
import { crudError } from '../errors/errors.js';
import { getOrInsert } from '../get-or-insert.js';
import { applyScope, type BodyScope, NO_SCOPE, type ScopeValue } from '../plan/body-scope.js';
import { type ItemKey, itemKeyFields, readItemKeys } from '../plan/item-keys.js';
import type { BodyRules } from './body-rules.js';
import { bodyValidatorOf } from './body-validator.js';
import type { BodyValidator } from './validated-body.js';
import { type CopiedNull, copyForeignKeys, dropCopiedNulls } from './copied-keys.js';
import { knowsProperty, propertiesWithRules } from './declared-properties.js';
import { withoutConversion } from './implicit-conversion.js';
import { bulkOf, inBulk, recordsOf, requireVersions, versionIn } from './bulk-body.js';
import { inSet, matchingBody, settableOf } from './matching-body.js';
import { type Body, copyBody, isRecordBody } from './plain-body.js';
import { refuseReserved } from './reserved-keys.js';
import type { PipedRecord, RunPipes } from './run-pipes.js';
import { exceptionFactoryOf } from './validation-error.js';

/** One record of a body while it is read. */
interface Draft {
  readonly body: Body;
  readonly sent: Body;
  readonly added: ReadonlySet<string>;
  readonly nulls: readonly CopiedNull[];
}

/** One record of a bulk, and what is put into it. */
interface Item {
  readonly record: Body;
  readonly scope: BodyScope;
}

/** Validates records and makes the exceptions. */
interface RecordValidator {
  readonly validate: BodyValidator;
  readonly exceptionOf: (errors: ValidationError[]) => unknown;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The draft of an item that validation has added to a bulk. */
const UNSENT: Draft = { body: {}, sent: {}, added: NOTHING, nulls: [] };

/** Reads the bodies of a route. Made once, when its pipes are known. */
export class BodyReader {
  private readonly validator: RecordValidator;
  /** Validators by their whitelist option. */
  private readonly strict = new Map<boolean, BodyValidator>();

  /**
   * @param run Runs the pipes before the body. Default: there are none.
   */
  constructor(
    private readonly rules: BodyRules,
    private readonly run?: RunPipes,
  ) {
    this.validator = { validate: validatorOf(rules), exceptionOf: exceptionFactoryOf(rules.validation || {}) };
  }

  /** @param condition The form of the condition that the client sent beside the body. Default: it sent none. */
  async read(
    sent: unknown,
    scope: BodyScope = NO_SCOPE,
    request: object = {},
    condition: ConditionForm = 'none',
  ): Promise<Body> {
    const body = copyBody(sent);
    if (!this.rules.bulk) return this.readRecord(body, scope, request);

    const matching = matchingBody(body, this.rules, condition);
    if (matching === 'all') return { matching: true };
    if (matching) return { set: await this.readSet(matching.set, scope, request) };

    const items = this.itemsOf(bulkOf(body, this.rules), scope);
    if (this.rules.keysAlone) {
      const sentOf = (record: Body) => (this.rules.needsVersion ? versionIn(record, scope.catalog) : {});

      return { bulk: items.map(({ record, scope: own }) => finish(sentOf(record), UNSENT, own)) };
    }

    return {
      bulk: await (this.rules.wholeBulk ? this.readWhole(items, scope, request) : this.readEach(items, request)),
    };
  }

  /**
   * The records of a bulk, each with its scope; the key that a record carries is part of its scope, as if it were in
   * the path.
   */
  private itemsOf(records: readonly Body[], scope: BodyScope): readonly Item[] {
    const { keyedBy, needsVersion } = this.rules;
    if (needsVersion) requireVersions(records, scope.catalog);
    if (!keyedBy) return records.map((record) => ({ record, scope }));

    const inPath = scope.values.flatMap(({ field, origin }) => (origin === 'path' ? [field] : []));
    const fields = itemKeyFields(keyedBy, scope.catalog, inPath);
    const keys = readItemKeys(records, fields, scope.catalog);
    const properties = new Set(fields);

    return records.map((record, index) => ({
      // As in the body of a single-record route, which need not repeat the path.
      record: Object.fromEntries(Object.entries(record).filter(([property]) => !properties.has(property))),
      scope: withKey(scope, keys[index]!),
    }));
  }

  private async readRecord(body: unknown, scope: BodyScope, request: object): Promise<Body> {
    const { value: record, whitelist } = this.run ? await this.piped(body, scope, request) : { value: body };
    if (!isRecordBody(record)) throw crudError('CRUD_INVALID_BODY', { message: ['The body must be an object'] });

    const draft = scoped(record, this.rules, scope);
    const validator = this.validatorFor(whitelist);
    const { value, errors } = await validator.validate(draft.body, draft.added, scope);
    await refuse(errors, validator);

    return this.finishRecord(value, draft, scope);
  }

  /** The values to set on each record that a condition matches: a PATCH body without key and version. */
  private async readSet(sent: unknown, scope: BodyScope, request: object): Promise<Body> {
    const record = settableOf(sent, this.rules, scope.catalog);
    if (!this.rules.wholeBulk) return (await this.readEach([{ record, scope }], request, inSet))[0]!;

    const draft = scoped(record, this.rules, scope);
    const { value, errors } = await this.validator.validate({ set: draft.body }, NOTHING, scope);
    await refuse(errors, this.validator);

    return finish(value['set'] as Body, draft, scope);
  }

  private async readEach(items: readonly Item[], request: object, combine = inBulk): Promise<Body[]> {
    const piped = this.run ? await this.pipedEach(items, request, combine) : [];
    const records = this.run ? recordsOf(piped.map(({ value }) => value)) : items.map(({ record }) => record);
    const validator = this.validatorFor(piped[0]?.whitelist);
    const drafts = records.map((record, index) => scoped(record, this.rules, items[index]!.scope));
    const results = await Promise.all(
      drafts.map(async ({ body, added }, index) => validator.validate(body, added, items[index]!.scope)),
    );
    await refuse(combine(results.map(({ errors }) => errors)), validator);

    return results.map(({ value }, index) => this.finishRecord(value, drafts[index]!, items[index]!.scope, index));
  }

  private async readWhole(items: readonly Item[], scope: BodyScope, request: object): Promise<Body[]> {
    const whole = {
      bulk: items.map(({ record, scope: own }) => (this.rules.keyedBy ? withValues(record, own) : record)),
    };
    const { value: piped } = this.run ? await this.piped(whole, NO_SCOPE, request) : { value: whole };
    const records = recordsOf(isRecordBody(piped) && Array.isArray(piped['bulk']) ? (piped['bulk'] as unknown[]) : []);
    const drafts = records.map((record, index) => scoped(record, this.rules, items[index]?.scope ?? scope));
    const { value, errors } = await this.validator.validate({ bulk: drafts.map(({ body }) => body) }, NOTHING, scope);
    await refuse(errors, this.validator);

    return (value['bulk'] as Body[]).map((item, index) =>
      this.finishRecord(item, drafts[index] ?? UNSENT, items[index]?.scope ?? scope, index),
    );
  }

  private finishRecord(value: Body, draft: Draft, scope: BodyScope, index?: number): Body {
    const body = finish(value, draft, scope);
    const { reserved, mode } = this.rules;
    // The record that PATCH finds has the path's key already.
    if (reserved) {
      refuseReserved(
        mode === 'update' ? draft.sent : body,
        draft.sent,
        reserved,
        index === undefined ? '' : `bulk.${index}`,
      );
    }

    return body;
  }

  private async piped(body: unknown, scope: BodyScope, request: object): Promise<PipedRecord> {
    const record = await this.runOn(body, scope, request);
    const { pipeErrors } = record;
    if (pipeErrors) throw await pipeErrors.exceptionOf([...pipeErrors.errors]);

    return record;
  }

  private async pipedEach(items: readonly Item[], request: object, combine: typeof inBulk): Promise<PipedRecord[]> {
    const piped = await Promise.all(items.map(({ record, scope }) => this.runOn(record, scope, request)));
    const pipeErrors = piped.find((record) => record.pipeErrors)?.pipeErrors;
    if (pipeErrors) throw await pipeErrors.exceptionOf(combine(piped.map((record) => record.pipeErrors?.errors ?? [])));

    return piped;
  }

  private runOn(body: unknown, scope: BodyScope, request: object): Promise<PipedRecord> {
    const added: Body = {};
    if (isRecordBody(body)) {
      applyScope(added, scope, {
        keepsRelated: true,
        sent: body,
        knows: (property) => propertiesWithRules(this.rules.type).has(property),
      });
    }

    return this.run!(body, added, request);
  }

  private validatorFor(whitelist: ValidationPipeOptions | undefined): RecordValidator {
    if (!whitelist) return this.validator;

    const { forbidNonWhitelisted = false } = whitelist;
    const strict = { whitelist: true, ...(forbidNonWhitelisted && { forbidNonWhitelisted }) };
    const validation = mergedValidation(whitelist, this.rules.validation, strict);
    const validate = getOrInsert(this.strict, forbidNonWhitelisted, () => validatorOf({ ...this.rules, validation }));

    return { validate, exceptionOf: exceptionFactoryOf(validation || {}) };
  }
}

function withKey({ values, catalog }: BodyScope, key: ItemKey): BodyScope {
  const named = key.map(({ field, value }): ScopeValue => ({ field, value, origin: 'path', forced: true }));

  return { values: [...values, ...named], catalog };
}

function withValues(record: Body, scope: BodyScope): Body {
  const body = { ...record };
  applyScope(body, scope, { sent: record, keepsRelated: true });

  return body;
}

function validatorOf(rules: BodyRules): BodyValidator {
  return withoutConversion(rules, bodyValidatorOf(rules));
}

async function refuse(errors: readonly ValidationError[], { exceptionOf }: RecordValidator): Promise<void> {
  if (errors.length > 0) throw await exceptionOf([...errors]);
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
  const knows = (property: string): boolean => !!rules.schema || knowsProperty(rules.type, property);
  const added = applyScope(body, scope, { sent, knows, keepsRelated: true });
  const own = repeatedValues(sent, scope);

  // A schema may not know properties that the client did not send.
  return {
    body,
    sent,
    nulls,
    added: rules.schema
      ? new Set([...Object.keys(body).filter((property) => !Object.hasOwn(sent, property)), ...own])
      : new Set([...added, ...own]),
  };
}

// Path values and `persist` win over whatever validation made of them.
function finish(body: Body, { sent, nulls }: Draft, scope: BodyScope): Body {
  dropCopiedNulls(body, nulls);
  if (scope.values.length > 0) applyScope(body, scope, { sent, keepsRelated: true });

  return body;
}

/** The properties in which a client repeats what the path says, as a body does that was read from the same path: no rule refuses that. */
function repeatedValues(sent: Body, { values }: BodyScope): string[] {
  return values.flatMap(({ field, value, origin }) =>
    origin === 'path' && Object.hasOwn(sent, field) && isSameValue(sent[field], value) ? [field] : [],
  );
}

// The path holds text. A uuid is one in either case.
function isSameValue(sent: unknown, value: unknown): boolean {
  if (typeof sent !== 'string' && typeof sent !== 'number') return false;

  return String(sent).toLowerCase() === String(value).toLowerCase();
}
