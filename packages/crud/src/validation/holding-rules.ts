/** A class and class-validator's options in, a function that tells of an instance whether it keeps every rule out; refuses (answers `false`) also what it cannot judge, since whoever is refused is asked again by class-validator itself, which finds the words. */
import type { Type } from '@nestjs/common';
import type { ReportsReason } from '../debug-once.js';
import { classValidator } from '../nest/optional-peers.js';

type Instance = Record<string, unknown>;
type Storage = ReturnType<NonNullable<typeof classValidator>['getMetadataStorage']>;
type Rule = ReturnType<Storage['getTargetValidationMetadatas']>[number];
type Constraint = ReturnType<Storage['getTargetValidatorConstraints']>[number];

/** The options that decide what is asked. */
export interface RuleOptions {
  readonly groups?: string[];
  readonly always?: boolean;
  readonly strictGroups?: boolean;
  readonly whitelist?: boolean;
  readonly forbidNonWhitelisted?: boolean;
  readonly forbidUnknownValues?: boolean;
  readonly skipUndefinedProperties?: boolean;
  readonly skipNullProperties?: boolean;
  readonly skipMissingProperties?: boolean;
}

/** Whether an instance certainly keeps its rules. As class-validator does, it strips what is not on the whitelist. */
export type HoldsRules = (instance: Instance) => boolean;

/** class-validator's names of the kinds of rules. */
const CONDITION = 'conditionalValidation';
const CHECK = 'customValidation';
const NESTED = 'nestedValidation';
const ALLOWED = 'whitelistValidation';
const KINDS: ReadonlySet<string> = new Set([CONDITION, CHECK, NESTED, ALLOWED]);

/** Name of the class that class-validator makes for a decorator which is a function. */
const MADE_FOR_DECORATOR = 'CustomConstraint';

/**
 * The reason where the rules of the class can only be judged by class-validator.
 *
 * @param report Told what turns out only with a body.
 */
export function holdingRules(type: Type<unknown>, options: RuleOptions, report: ReportsReason): HoldsRules | string {
  // The answer of a rule that turns out to be asynchronous says nothing yet.
  let judges = true;
  const isKept = (answer: unknown): boolean => {
    if (!isPromise(answer)) return Boolean(answer);

    answer.then(undefined, () => undefined);
    judges = false;
    report('rules that answer with a promise');

    return false;
  };
  const properties = rulesOf(type, options, { isKept, report });
  if (typeof properties === 'string') return properties;
  if (properties.size === 0 && options.forbidUnknownValues !== false) return 'a class without rules';

  const rules = [...properties.values()];

  return (instance) => {
    if (!judges || (options.whitelist && !keepsToWhitelist(instance, properties, options))) return false;

    try {
      return rules.every((holds) => holds(instance));
    } catch {
      return false;
    }
  };
}

/** The rules of each property that has some. */
function rulesOf(type: Type<unknown>, options: RuleOptions, asking: Asking): Map<string, HoldsRules> | string {
  const { always = false, strictGroups = false, groups } = options;
  const storage = classValidator?.getMetadataStorage();
  const rules = storage?.getTargetValidationMetadatas(type, '', always, strictGroups, groups);
  if (!storage || !rules?.every((rule) => KINDS.has(rule.type))) return 'rules of an unknown kind';

  const constraintsOf = (rule: Rule): readonly Constraint[] =>
    rule.type === CHECK ? storage.getTargetValidatorConstraints(rule.constraintCls as never) : [];
  if (rules.some((rule) => constraintsOf(rule).some((constraint) => constraint.async))) return 'asynchronous rules';

  const isSkipped = skipping(options);
  const properties = Object.entries(storage.groupByPropertyName(rules)).map(([name, own]): [string, HoldsRules] => [
    name,
    propertyRule(name, own, {
      checks: own.flatMap((rule) => constraintsOf(rule).map((constraint) => checkOf(rule, constraint, asking.isKept))),
      isSkipped,
      report: asking.report,
    }),
  ]);

  return new Map(properties);
}

function propertyRule(name: string, rules: readonly Rule[], { checks, isSkipped, report }: PropertyParts): HoldsRules {
  const conditions = rules.filter((rule) => rule.type === CONDITION).map((rule) => rule.constraints[0] as Condition);
  const nested = rules.some((rule) => rule.type === NESTED);

  return (instance) => {
    const value = instance[name];
    if (!conditions.every((applies) => applies(instance, value)) || isSkipped(value)) return true;

    if (nested && value !== undefined) return report(`the nested rules of ${name}`) ?? false;

    return checks.every((keeps) => keeps(instance, value));
  };
}

interface Asking {
  readonly isKept: IsKept;
  readonly report: ReportsReason;
}

interface PropertyParts {
  readonly checks: readonly Check[];
  readonly isSkipped: (value: unknown) => boolean;
  readonly report: ReportsReason;
}

/** Of `@IsOptional()` and `@ValidateIf()`. */
type Condition = (instance: Instance, value: unknown) => unknown;
type Check = (instance: Instance, value: unknown) => boolean;
type IsKept = (answer: unknown) => boolean;

function checkOf(rule: Rule, constraint: Constraint, isKept: IsKept): Check {
  const { each, propertyName: property, constraints, validateIf } = rule;
  // A container of the application may know the classes of its own constraints, and yield another instance each time.
  const made = constraint.target.name === MADE_FOR_DECORATOR ? constraint.instance : undefined;

  return (instance, value) => {
    if (validateIf && !validateIf(instance, value)) return true;

    const judge = made ?? constraint.instance;
    const details = { targetName: instance.constructor.name, property, object: instance, value, constraints };
    if (!each || !isIterated(value)) return isKept(judge.validate(value, details));

    // Lists alone come from a client; what else there is to iterate came from an initialiser.
    return Array.isArray(value) && value.every((item: unknown) => isKept(judge.validate(item, details)));
  };
}

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return (
    typeof answer === 'object' && answer !== null && typeof (answer as Partial<Promise<unknown>>).then === 'function'
  );
}

const isIterated = (value: unknown): boolean => Array.isArray(value) || value instanceof Set || value instanceof Map;

function keepsToWhitelist(instance: Instance, known: ReadonlyMap<string, unknown>, options: RuleOptions): boolean {
  for (const name of Object.keys(instance)) {
    if (known.has(name)) continue;
    if (options.forbidNonWhitelisted) return false;
    Reflect.deleteProperty(instance, name);
  }

  return true;
}

function skipping(options: RuleOptions): (value: unknown) => boolean {
  const ifUndefined = options.skipUndefinedProperties === true || options.skipMissingProperties === true;
  const ifNull = options.skipNullProperties === true || options.skipMissingProperties === true;

  return (value) => (ifUndefined && value === undefined) || (ifNull && value === null);
}
