import type { ValidationError } from '@nestjs/common';
import { isObject } from '../definition/plain-objects.js';
import { getOrInsert } from '../get-or-insert.js';
import { isPromise } from '../when-settled.js';
import type { Body } from './plain-body.js';
import { isExpectedVersion, ruleTimingOf, type BodyPlace, placeBelow } from './settable-properties.js';
import {
  activeRules,
  rulesByProperty,
  type RuleArguments,
  type PropertyRules,
  type Constraint,
  constraintsOf,
  APPLIES,
  KINDS,
  type Rule,
  type RuleOptions,
  skipping,
} from './applicable-rules.js';
import { propertiesWithRules } from './declared-properties.js';
import { messageOf } from './rule-message.js';
import { finishedErrors, type ErrorDraft, type DraftError, errorDrafter } from './validator-errors.js';

export class RuleFault extends Error {
  constructor(
    readonly property: string,
    cause: unknown,
  ) {
    super(`A rule of ${property} has thrown`, { cause });
  }
}

/** Checks an instance at a place of the entity; the properties that the body carries are those of `sent`. */
export type RuleChecker = (instance: Body, sent: unknown, place: BodyPlace) => Promise<ValidationError[]>;

/** Makes a checker by the options of a route. */
export function ruleCheck(options: RuleOptions): RuleChecker {
  const known = new WeakMap<object, Map<string | undefined, readonly PropertyRules[]>>();
  const rulesOf = (type: object, group: string | undefined): readonly PropertyRules[] => {
    const byGroup = getOrInsert(known, type, () => new Map<string | undefined, readonly PropertyRules[]>());

    return getOrInsert(byGroup, group, () => rulesByProperty(type, options, group));
  };
  const isSkipped = skipping(options);

  return async (instance, sent, place) => {
    const check = new Check(options, rulesOf, isSkipped);

    return check.run(instance, sent, place);
  };
}

/** The location of a value. */
interface CheckedValue {
  readonly object: object;
  readonly value: unknown;
  readonly path: string;
  readonly error: ErrorDraft;
}

class Check {
  private readonly waiting: Promise<unknown>[] = [];
  private readonly draftError: DraftError;

  constructor(
    private readonly options: RuleOptions,
    private readonly rulesOf: (type: object, group: string | undefined) => readonly PropertyRules[],
    private readonly isSkipped: (value: unknown) => boolean,
  ) {
    this.draftError = errorDrafter(options);
  }

  async run(instance: Body, sent: unknown, place: BodyPlace): Promise<ValidationError[]> {
    const errors: ErrorDraft[] = [];
    this.checkObject({ instance, sent, place, path: '' }, errors);
    // A pending result may add further pending ones.
    for (let waited = 0; waited < this.waiting.length;) {
      const next = this.waiting.slice(waited);
      waited = this.waiting.length;
      await Promise.all(next);
    }

    return finishedErrors(errors);
  }

  private checkObject(object: CheckedObject, errors: ErrorDraft[]): void {
    const { instance, place } = object;
    const properties = this.rulesOf(instance.constructor, place.group);
    if (properties.length === 0 && this.options.forbidUnknownValues !== false) {
      const error = this.draftError(instance, undefined, undefined);
      error.constraints['unknownValue'] = 'an unknown value was passed to the validate function';
      errors.push(error);

      return;
    }

    if (this.options.whitelist) this.dropUnruled(object, errors);
    for (const property of properties) this.checkProperty(object, property, errors);
  }

  private checkProperty(
    { instance, sent, place, path }: CheckedObject,
    { name, rules }: PropertyRules,
    errors: ErrorDraft[],
  ) {
    const timing = ruleTimingOf(place, name);
    if (timing === 'never') return;

    const value = instance[name];
    const carried = value !== undefined || carries(sent, name);
    if (!carried && place.initialised.has(name)) return;
    const applicable = rules.filter(({ reason }) => APPLIES[reason](carried, timing, place.mode));
    const check = (resolved: unknown): void => {
      const error = this.draftError(instance, resolved, name);
      const checked: CheckedValue = { object: instance, value: resolved, path: path + name, error };
      const applying = this.guard(checked, () => activeRules(instance, resolved, applicable));
      if (applying.length === 0) return;

      const inner = sent && typeof sent === 'object' ? (sent as Body)[name] : undefined;
      errors.push(error);
      this.checkValue(checked, applying, { sent: inner, placeOf: (item) => placeBelow(place, name, item) });
    };
    if (!(value instanceof Promise && applicable.some(({ rule }) => rule.type === KINDS.promise))) return check(value);

    this.waiting.push(this.watch({ path: path + name }, value.then(check)));
  }

  private checkValue(checked: CheckedValue, rules: readonly Rule[], below: Below): void {
    for (const rule of rules) if (rule.type === KINDS.defined) this.checkRule(checked, rule);
    if (this.isSkipped(checked.value)) return;

    for (const rule of rules) if (rule.type === KINDS.check) this.checkRule(checked, rule);
    if (checked.value === undefined) return;

    for (const rule of rules) if (rule.type === KINDS.nested) this.checkNested(checked, rule, below);
  }

  private checkNested({ object, value, path, error }: CheckedValue, rule: Rule, below: Below): void {
    if (this.isStopped(error)) return;

    const items = itemsOf(value);
    if (items) {
      for (const [key, item] of items) {
        const inner = this.draftError(value as object, item, key);
        error.children.push(inner);
        if (this.isSkipped(item) || item === undefined) continue;

        const sent = Array.isArray(below.sent) ? (below.sent[Number(key)] as unknown) : undefined;
        this.checkNested({ object: value as object, value: item, path: `${path}.${key}`, error: inner }, rule, {
          ...below,
          sent,
        });
      }
    } else if (value instanceof Object) {
      const { sent, placeOf } = below;
      this.checkObject({ instance: value as Body, sent, place: placeOf(sent), path: `${path}.` }, error.children);
    } else {
      this.addFailure({ object, value, path, error }, rule, undefined);
    }
  }

  private checkRule(checked: CheckedValue, rule: Rule): void {
    const { object, value, error } = checked;
    const applies = this.guard(checked, () => !rule.validateIf || rule.validateIf(object, value));
    if (!applies) return;

    for (const constraint of constraintsOf(rule)) {
      if (this.isStopped(error)) return;

      const details = argumentsOf(checked, rule);
      const items = rule.each ? itemsOf(value)?.map(([, item]) => item) : undefined;
      const answers: unknown[] = this.guard(checked, () =>
        (items ?? [value]).map((item) => constraint.instance.validate(item, details)),
      );
      const addIfFailed = (results: readonly unknown[]): void => {
        if (!results.every(Boolean)) this.addFailure(checked, rule, constraint);
      };

      if (answers.some(isPromise))
        this.waiting.push(this.watch(checked, Promise.all(answers.map(async (answer) => answer)).then(addIfFailed)));
      else addIfFailed(answers);
    }
  }

  private addFailure(checked: CheckedValue, rule: Rule, constraint: Constraint | undefined): void {
    const { error } = checked;
    const type = constraint?.name || rule.type;
    const details = argumentsOf(checked, rule);

    error.constraints[type] = this.guard(checked, () =>
      messageOf(rule, constraint, details, !this.options.dismissDefaultMessages),
    );
    const context: unknown = rule.context;
    if (context) error.contexts = { ...error.contexts, [type]: { ...error.contexts?.[type], ...context } };
  }

  // Of the properties that a client may not send, those that a body can never set are left out in silence, and so is the
  // record's own key, which its path has. Without its key a nested record would be another one.
  private dropUnruled({ instance, place, path }: CheckedObject, errors: ErrorDraft[]): void {
    const allowed = propertiesWithRules(instance.constructor);

    for (const name of Object.keys(instance)) {
      if (allowed.has(name) || isExpectedVersion(place, name)) continue;

      const timing = ruleTimingOf(place, name);
      const isForbidden = timing === 'always' || (timing === 'ifSent' && path !== '');
      if (!this.options.forbidNonWhitelisted || !isForbidden) {
        Reflect.deleteProperty(instance, name);
      } else {
        const error = this.draftError(instance, instance[name], name);
        error.constraints[KINDS.allowed] = `property ${name} should not exist`;
        errors.push(error);
      }
    }
  }

  private isStopped({ constraints }: ErrorDraft): boolean {
    return this.options.stopAtFirstError === true && Object.keys(constraints).length > 0;
  }

  private guard<T>({ path }: Pick<CheckedValue, 'path'>, ask: () => T): T {
    try {
      return ask();
    } catch (error) {
      throw new RuleFault(path, error);
    }
  }

  private watch({ path }: Pick<CheckedValue, 'path'>, work: Promise<unknown>): Promise<unknown> {
    const watched = work.catch((error: unknown) => {
      throw error instanceof RuleFault ? error : new RuleFault(path, error);
    });
    // Another rule may throw before this one is awaited.
    watched.catch(() => undefined);

    return watched;
  }
}

interface CheckedObject {
  readonly instance: Body;
  readonly sent: unknown;
  readonly place: BodyPlace;
  /** Path of the object in the body, with a dot at its end. */
  readonly path: string;
}

/** What nested rules need to know of a property: what was sent of it, and the place of the objects in it. */
interface Below {
  readonly sent: unknown;
  readonly placeOf: (sent: unknown) => BodyPlace;
}

function argumentsOf({ object, value }: CheckedValue, { propertyName, constraints }: Rule): RuleArguments {
  return { targetName: object.constructor?.name, property: propertyName, object, value, constraints };
}

/** The items of what class-validator goes through, by their keys. */
function itemsOf(value: unknown): [string, unknown][] | undefined {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [String(index), item]);
  if (value instanceof Set) return [...value].map((item: unknown, index) => [String(index), item]);

  return value instanceof Map ? Array.from(value, ([key, item]) => [String(key), item as unknown]) : undefined;
}

function carries(sent: unknown, name: string): boolean {
  return isObject(sent) && Object.hasOwn(sent, name);
}
