/** Reads a body: copy → pipes → scope → rules → scope. */
import type { ValidationError, ValidationPipeOptions } from '@nestjs/common';
import type { ConditionForm } from '../definition/route-behaviour.js';
import { type BodyScope, NO_SCOPE } from '../plan/body-scope.js';
import { refuseInsert } from '../plan/refusal.js';
import {
  ALONE,
  type Item,
  type Layout,
  pickVersion,
  placeErrors,
  requireRecords,
  showScope,
  splitBody,
} from './body-items.js';
import type { RunPipes } from './body-pipes.js';
import type { BodyRules, BodyValidator, ValidatedBody } from './body-rules.js';
import { isPromise, settleAll } from '../when-settled.js';
import { makeBodyValidator } from './body-validator.js';
import { type Body, copyBody } from './plain-body.js';
import { refuseReserved } from './reserved-keys.js';
import { addForPipes, draftRecord, draftUnchecked, finishRecord } from './scoped-record.js';
import { makeExceptionFactory } from './body-exceptions.js';

const NOTHING: ReadonlySet<string> = new Set();

/** Reads the bodies of a route. Made once, when its pipes are known. */
export class BodyReader {
  private readonly validate: BodyValidator;
  private readonly makeException: (errors: ValidationError[]) => unknown;

  /**
   * @param run Runs the pipes before the body. Default: there are none.
   * @param exceptions Options of the exceptions. Default: those of the rules.
   */
  constructor(
    private readonly rules: BodyRules,
    private readonly run?: RunPipes,
    exceptions: ValidationPipeOptions = rules.validation || {},
  ) {
    this.validate = makeBodyValidator(rules);
    this.makeException = makeExceptionFactory(exceptions);
  }

  /** @param condition The form of the condition that the client sent beside the body. Default: it sent none. */
  async read(sent: unknown, scope: BodyScope = NO_SCOPE, condition: ConditionForm = 'none'): Promise<Body> {
    const split = splitBody(copyBody(sent), this.rules, scope, condition);
    if (split === 'all') return { matching: true };

    const { items, layout } = split;
    if (this.rules.keysAlone) return layout.join(items.map((item) => this.readKey(item)));

    return layout.join(await this.readRecords(items, layout, scope));
  }

  private readKey({ record, scope }: Item): Body {
    return finishRecord(this.rules.needsVersion ? pickVersion(record, scope.catalog) : {}, draftUnchecked(scope));
  }

  private async readRecords(items: readonly Item[], layout: Layout, scope: BodyScope): Promise<Body[]> {
    const { rules } = this;
    const { reserved, mode } = rules;
    // A class of the whole body sees the records as one.
    const [outer, inner] = rules.wholeBulk ? [ALONE, layout] : [layout, ALONE];
    const given = rules.wholeBulk
      ? [{ record: inner.join(items.map((item) => showScope(item, rules))), scope: NO_SCOPE }]
      : items;
    const piped = this.runPipes(given, outer);
    const records = requireRecords((isPromise(piped) ? await piped : piped).flatMap(inner.split), layout);
    const drafts = records.map((record, index) => draftRecord(record, rules, items[index]?.scope ?? scope));
    const bodies = rules.wholeBulk
      ? [{ body: inner.join(drafts.map(({ body }) => body)), added: NOTHING, scope }]
      : drafts;
    const validating = settleAll(bodies.map(({ body, added, scope: own }) => this.validate(body, added, own)));
    const results = isPromise(validating) ? await validating : validating;
    if (results.some(({ errors }) => errors.length > 0)) throw await this.refuse(results, outer);

    return results
      .flatMap(({ value }) => inner.split(value) as Body[])
      .map((value, index) => {
        // Validation may have added records.
        const draft = drafts[index] ?? draftUnchecked(scope);
        const body = finishRecord(value, draft);
        const at = layout.findPath(index);
        // The record that PATCH finds has the path's key already.
        if (reserved) refuseReserved(mode === 'update' ? draft.sent : body, draft.sent, reserved, at);
        for (const { path, errors } of results[index]?.ifInserted ?? [])
          refuseInsert(body, path, () => this.makeException([...placeErrors(errors, at)]));

        return body;
      });
  }

  private runPipes(items: readonly Item[], layout: Layout): readonly unknown[] | Promise<readonly unknown[]> {
    const { run, rules } = this;
    if (!run) return items.map(({ record }) => record);

    const running = items.map(({ record, scope }) => run(record, addForPipes(record, rules, scope)));

    return Promise.all(running).then(async (piped) => {
      if (piped.some(({ errors }) => errors)) throw await this.refuse(piped, layout);

      return piped.map(({ value }) => value);
    });
  }

  private refuse(records: readonly Partial<Pick<ValidatedBody, 'errors'>>[], { findPath }: Layout): unknown {
    return this.makeException(records.flatMap(({ errors = [] }, index) => placeErrors(errors, findPath(index))));
  }
}
