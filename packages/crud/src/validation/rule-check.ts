/**
 * Runs class-validator's rules on an instance. Failures are listed first and become errors at the end, so that valid
 * bodies cost none.
 */
import type { ValidatedBody } from './body-rules.js';
import { oncePerPair } from '../get-or-insert.js';
import { type BodyScope, NO_SCOPE } from '../plan/body-scope.js';
import { ownProperty } from '../definition/plain-objects.js';
import { isPromise, settleAll, whenSettled } from '../when-settled.js';
import {
  type Check,
  type CompiledChecks,
  type CompiledProperty,
  compileRules,
  type CompiledRules,
  type Condition,
  KINDS,
  type RuleOptions,
} from './applicable-rules.js';
import { propertiesWithRules } from './declared-properties.js';
import { type MakeRecord, type NestedRecord, prepareRecords } from './nested-records.js';
import type { Body } from './plain-body.js';
import {
  describeFailure,
  describeValue,
  type Failures,
  showPath,
  type Spot,
  toFault,
  writeErrors,
} from './rule-errors.js';
import { type BodyPlace, isExpectedVersion, findInnerPlace, decideRuleTiming } from './settable-properties.js';

/** An object of a body, and what was sent for it. */
export interface CheckedBody {
  readonly instance: Body;
  readonly sent: unknown;
  readonly place: BodyPlace;
  /** Properties for which the client is not to blame. Default: none. */
  readonly added?: ReadonlySet<string> | undefined;
}

/** What is wrong with an instance. */
export type CheckedRules = Required<Omit<ValidatedBody, 'value'>>;

/**
 * Checks a body: at once, unless a rule answers later.
 *
 * @param scope What is put into nested records while they are checked. Default: nothing.
 */
export type RuleChecker = (body: CheckedBody, scope?: BodyScope) => CheckedRules | Promise<CheckedRules>;

/** Makes a checker by the options of a route. */
export function ruleCheck(options: RuleOptions, makeRecord: MakeRecord): RuleChecker {
  const findRules = oncePerPair((place: BodyPlace, type: object) => compileRules(type, options, place));

  return (body, scope = NO_SCOPE) => new RuleRun(options, makeRecord, findRules, scope).run(body);
}

const VALID: CheckedRules = { errors: [], ifInserted: [] };

interface CheckedObject extends CheckedBody {
  /** Default: it is the body. */
  readonly spot: Spot | undefined;
  readonly failures: Failures;
  /** Whether it is checked because it is stored, and not because a rule says so: its class may have no rules. */
  readonly isRecord: boolean;
}

class RuleRun {
  private readonly failures: Failures = [];
  private waiting: Promise<unknown>[] | undefined;
  private readonly nested: NestedRecord[] = [];
  private readonly ifInserted: { readonly path: string; readonly failures: Failures }[] = [];

  constructor(
    private readonly options: RuleOptions,
    private readonly makeRecord: MakeRecord,
    private readonly findRules: (place: BodyPlace, type: object) => CompiledRules,
    private readonly scope: BodyScope,
  ) {}

  run({ instance, sent, place, added }: CheckedBody): CheckedRules | Promise<CheckedRules> {
    this.checkObject({ instance, sent, place, added, spot: undefined, failures: this.failures, isRecord: false });

    return !this.waiting ? this.finish() : this.settle();
  }

  private async settle(): Promise<CheckedRules> {
    // A pending result may add further pending ones.
    for (const result of this.waiting!) await result;

    return this.finish();
  }

  private finish(): CheckedRules {
    if (this.failures.length === 0 && this.nested.length === 0) return VALID;
    for (const { record, undo } of this.nested) for (const name of undo) Reflect.deleteProperty(record, name);
    const late = this.ifInserted.map(({ path, failures }) => ({ path, errors: writeErrors(failures, this.options) }));

    return {
      errors: writeErrors(this.failures, this.options),
      ifInserted: late.filter(({ errors }) => errors.length > 0),
    };
  }

  private checkObject(object: CheckedObject): void {
    const { instance, place, spot: parent, failures, isRecord } = object;
    const { isUnknown, properties } = this.findRules(place, instance.constructor);
    if (isUnknown && !isRecord && this.options.forbidUnknownValues !== false) {
      const message = 'an unknown value was passed to the validate function';
      const spot = { parent, target: instance, value: undefined, property: undefined };
      failures.push({ spot, type: 'unknownValue', message });

      return;
    }

    const records = prepareRecords(object, this.scope, this.makeRecord, this.options.whitelist === true);
    if (records.length > 0) this.nested.push(...records);
    if (this.options.whitelist && !(isRecord && isUnknown)) this.dropUnruled(object);
    for (const property of properties) this.checkProperty(object, property);
    for (const nested of records) if (nested.isStored) this.checkNestedRecord(object, nested);
  }

  /** Checks a nested record that a cascade stores, unless a `@ValidateNested()` has done so. */
  private checkNestedRecord({ spot: parent, failures }: CheckedObject, nested: NestedRecord): void {
    const { path, record: instance, sent, added, place, placeIfNew } = nested;
    const spot = path
      .split('.')
      .reduce<Spot | undefined>(
        (outer, property) => ({ parent: outer, target: instance, value: instance, property }),
        parent,
      );
    const object = { instance, sent, added, place, spot, failures, isRecord: true };
    if (!nested.isChecked) this.checkObject(object);
    if (!placeIfNew) return;

    const own: Failures = [];
    this.ifInserted.push({ path: showPath(spot), failures: own });
    this.checkObject({ ...object, place: placeIfNew, failures: own });
  }

  private checkProperty(object: CheckedObject, { name, absent, present }: CompiledProperty): void {
    const value = object.instance[name];
    const rules = value !== undefined || ownProperty(object.sent, name) !== undefined ? present : absent;
    if (rules.checks.length > 0 && !object.added?.has(name)) this.checkValue(object, name, value, rules);
  }

  private checkValue(object: CheckedObject, property: string, value: unknown, rules: CompiledChecks): void {
    const { instance, failures } = object;
    let spot: Spot | undefined;
    try {
      const holds = (condition: Condition) => condition(instance, value);
      if (!rules.conditions.every(holds)) return;

      const withFree = rules.freeConditions.every(holds);
      const isSkipped = (value === undefined || value === null) && this.isSkipped(value);
      for (const check of rules.checks) {
        if ((check.isFree && !withFree) || (isSkipped && check.rule.type !== KINDS.defined)) continue;
        if (spot && this.options.stopAtFirstError && failures.some((failure) => failure?.spot === spot)) return;

        const answer = check.constraint ? askRule(check, instance, value) : value === undefined;
        if (answer === true) continue;

        spot ??= locate(object, property, value);
        if (check.constraint) this.judge(spot, check, answer, failures);
        else this.checkNested(object, spot, check, ownProperty(object.sent, property));
      }
    } catch (error) {
      throw toFault(error, spot ?? locate(object, property, value));
    }
  }

  private judge(spot: Spot, check: Check, answer: unknown, failures: Failures): void {
    if (!isPromise(answer)) {
      if (!answer) failures.push(describeFailure(spot, check, this.options));

      return;
    }

    const index = failures.push(undefined) - 1;
    this.await(
      spot,
      answer.then((holds) => {
        if (!holds) failures[index] = describeFailure(spot, check, this.options);
      }),
    );
  }

  private checkNested(object: CheckedObject, spot: Spot, check: Check, sent: unknown): void {
    const { value } = spot;
    const items = listItems(value);
    if (items) {
      for (const [property, item] of items) {
        const inner: Spot = { parent: spot, target: value as object, value: item, property };
        if (item !== undefined && !this.isSkipped(item))
          this.checkNested(object, inner, check, Array.isArray(sent) ? ownProperty(sent, property) : undefined);
      }
    } else if (value instanceof Object) {
      const instance = value as Body;
      const place = findInnerPlace(object.place, check.rule.propertyName, sent);
      const known = this.nested.findLast(({ record }) => record === instance);
      if (known) known.isChecked = true;
      const { failures } = object;
      this.checkObject({ instance, sent, place, added: known?.added, spot, failures, isRecord: false });
    } else {
      object.failures.push(describeFailure(spot, check, this.options));
    }
  }

  // Of the properties that a client may not send, those that a body can never set are left out in silence, and so is
  // the record's own key, which its path has. Without its key a nested record would be another one.
  private dropUnruled(object: CheckedObject): void {
    const { instance, place, added, failures } = object;
    const ruled = propertiesWithRules(instance.constructor);

    for (const property of Object.keys(instance)) {
      if (ruled.has(property) || isExpectedVersion(place, property) || added?.has(property)) continue;

      const timing = decideRuleTiming(place, property);
      const isForbidden = timing === 'always' || (timing === 'ifSent' && object.spot !== undefined);
      if (this.options.forbidNonWhitelisted && isForbidden) {
        const spot = locate(object, property, instance[property]);
        failures.push({ spot, type: KINDS.allowed, message: `property ${property} should not exist` });
      } else {
        Reflect.deleteProperty(instance, property);
      }
    }
  }

  private isSkipped(value: unknown): boolean {
    const { skipMissingProperties, skipUndefinedProperties, skipNullProperties } = this.options;
    if (value === undefined) return skipUndefinedProperties === true || skipMissingProperties === true;

    return value === null && (skipNullProperties === true || skipMissingProperties === true);
  }

  private await(spot: Spot, work: PromiseLike<unknown>): void {
    const watched = Promise.resolve(work).catch((error: unknown) => {
      throw toFault(error, spot);
    });
    // Another rule may throw before this one is awaited.
    watched.catch(() => undefined);
    (this.waiting ??= []).push(watched);
  }
}

function askRule(check: Check, object: object, value: unknown): unknown {
  const { rule, constraint, validator = constraint!.instance } = check;
  if (rule.validateIf && !rule.validateIf(object, value)) return true;

  const details = describeValue(check, object, value);
  const items = rule.each ? listItems(value) : undefined;
  if (!items) return validator.validate(value, details);

  const answers = settleAll(items.map(([, item]) => validator.validate(item, details)));

  return whenSettled(answers, (settled) => settled.every(Boolean));
}

/** The items of what class-validator goes through, by their keys. */
function listItems(value: unknown): [string, unknown][] | undefined {
  if (Array.isArray(value) || value instanceof Set)
    return Array.from(value as Iterable<unknown>, (item, index) => [String(index), item]);

  return value instanceof Map ? Array.from(value, ([key, item]) => [String(key), item as unknown]) : undefined;
}

function locate({ spot: parent, instance: target }: CheckedObject, property: string, value: unknown): Spot {
  return { parent, target, value, property };
}
