/**
 * Checks a record against its rules without class-validator. If it fails or cannot decide, class-validator runs, which
 * also makes the messages.
 */
import type { Type } from '@nestjs/common';
import type { ReportsReason } from '../debug-once.js';
import { isPromise } from '../when-settled.js';
import {
  type PropertyRules,
  rulesByProperty,
  type Condition,
  type Constraint,
  constraintsOf,
  APPLIES,
  KINDS,
  type Rule,
  type RuleOptions,
  skipping,
} from './applicable-rules.js';
import { isExpectedVersion, type RuleTiming, ruleTimingOf, type BodyPlace } from './settable-properties.js';
import type { Body } from './plain-body.js';
import { propertiesWithRules } from './declared-properties.js';

/**
 * Whether an instance certainly satisfies its rules. Like class-validator, it strips properties that are not
 * whitelisted.
 */
export type FastRules = (instance: Body, sent: Body) => boolean;

const SUPPORTED: ReadonlySet<string> = new Set([KINDS.condition, KINDS.check, KINDS.nested, KINDS.allowed]);

/** Name of the class that class-validator makes for a decorator which is a function. */
const MADE_FOR_DECORATOR = 'CustomConstraint';

/**
 * Compiles the rules of a class, or returns the reason why class-validator must check them.
 *
 * @param place The place of the instances in the entity.
 * @param report Receives reasons that only a body reveals.
 */
export function compileFastRules(
  type: Type<unknown>,
  options: RuleOptions,
  place: BodyPlace,
  report: ReportsReason,
): FastRules | string {
  // Until a rule returns a promise.
  let isSynchronous = true;
  const passes = (answer: unknown): boolean => {
    if (!isPromise(answer)) return Boolean(answer);

    answer.then(undefined, () => undefined);
    isSynchronous = false;
    report('rules that answer with a promise');

    return false;
  };
  const applicable = rulesByProperty(type, options, place.group);
  const reason = unsupportedReason(applicable.flatMap(({ rules }) => rules.map(({ rule }) => rule)));
  if (reason) return reason;
  if (applicable.length === 0 && options.forbidUnknownValues !== false) return 'a class without rules';

  const tools = { passes, isSkipped: skipping(options), report };
  const rules = applicable.flatMap((property) => {
    const timing = ruleTimingOf(place, property.name);

    return timing === 'never' ? [] : [propertyRule(property, timing, place, tools)];
  });
  const allowed = options.whitelist ? propertiesWithRules(type) : undefined;

  return (instance, sent) => {
    if (!isSynchronous || (allowed && !applyWhitelist(instance, { allowed, options, place }))) return false;

    try {
      return rules.every((holds) => holds(instance, sent));
    } catch {
      return false;
    }
  };
}

function unsupportedReason(rules: readonly Rule[]): string | undefined {
  if (!rules.every(({ type }) => SUPPORTED.has(type))) return 'rules of an unknown kind';

  return rules.some((rule) => constraintsOf(rule).some(({ async }) => async)) ? 'asynchronous rules' : undefined;
}

interface Tools {
  readonly passes: Passes;
  readonly isSkipped: (value: unknown) => boolean;
  readonly report: ReportsReason;
}

function propertyRule(
  { name, rules }: PropertyRules,
  timing: RuleTiming,
  { mode, initialised }: BodyPlace,
  tools: Tools,
): FastRules {
  const [absent, present] = [false, true].map((carried) => {
    const applicable =
      carried || !initialised.has(name) ? rules.filter(({ reason }) => APPLIES[reason](carried, timing, mode)) : [];

    return valueRule(name, applicable, tools);
  }) as [Check, Check];

  return (instance, sent) => {
    const value = instance[name];

    return (value !== undefined || Object.hasOwn(sent, name) ? present : absent)(instance, value);
  };
}

function valueRule(name: string, rules: PropertyRules['rules'], { passes, isSkipped, report }: Tools): Check {
  const ownRules = (isFree: boolean): OwnRules => {
    const own = rules.filter(({ reason }) => (reason === 'free') === isFree).map(({ rule }) => rule);

    return {
      apply: all(own.filter(({ type }) => type === KINDS.condition).map((rule) => rule.constraints[0] as Condition)),
      hold: all(own.flatMap((rule) => constraintsOf(rule).map((constraint) => checkOf(rule, constraint, passes)))),
      nested: own.some(({ type }) => type === KINDS.nested),
    };
  };
  const [bound, free] = [ownRules(false), ownRules(true)];

  return (instance, value) => {
    if (!bound.apply(instance, value) || isSkipped(value)) return true;

    const withFree = free.apply(instance, value);
    if (value !== undefined && (bound.nested || (withFree && free.nested)))
      return report(`the nested rules of ${name}`) ?? false;

    return bound.hold(instance, value) && (!withFree || free.hold(instance, value));
  };
}

interface OwnRules {
  readonly apply: Check;
  readonly hold: Check;
  readonly nested: boolean;
}

/** Whether all of some conditions are met, in their order. */
function all(conditions: readonly Condition[]): Check {
  return (instance, value) => {
    for (const condition of conditions) if (!condition(instance, value)) return false;

    return true;
  };
}

type Check = (instance: Body, value: unknown) => boolean;
type Passes = (answer: unknown) => boolean;

function checkOf(rule: Rule, constraint: Constraint, passes: Passes): Check {
  const { each, propertyName: property, constraints, validateIf } = rule;
  // The application's container may resolve its constraint classes, to another instance each time.
  const made = constraint.target.name === MADE_FOR_DECORATOR ? constraint.instance : undefined;

  return (instance, value) => {
    if (validateIf && !validateIf(instance, value)) return true;

    const validator = made ?? constraint.instance;
    const details = { targetName: instance.constructor.name, property, object: instance, value, constraints };
    if (!each || !isIterated(value)) return passes(validator.validate(value, details));

    // Clients send lists only; other iterables come from an initialiser.
    return Array.isArray(value) && value.every((item: unknown) => passes(validator.validate(item, details)));
  };
}

const isIterated = (value: unknown): boolean => Array.isArray(value) || value instanceof Set || value instanceof Map;

interface Whitelist {
  readonly allowed: ReadonlySet<string>;
  readonly options: RuleOptions;
  readonly place: BodyPlace;
}

/** Deletes properties that are not whitelisted, or returns false if the options forbid them. */
function applyWhitelist(instance: Body, { allowed, options, place }: Whitelist): boolean {
  for (const name of Object.keys(instance)) {
    if (allowed.has(name) || isExpectedVersion(place, name)) continue;
    if (options.forbidNonWhitelisted) return false;
    Reflect.deleteProperty(instance, name);
  }

  return true;
}
