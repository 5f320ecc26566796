import type { ValidationPipeOptions } from '@nestjs/common';
import { getMetadataStorage, type MetadataStorage } from 'class-validator';
import { getOrInsert } from '../get-or-insert.js';
import type { WriteMode } from '../plan/write-plan.js';
import { type BodyPlace, decideRuleTiming, type RuleTiming } from './settable-properties.js';
import type { Body } from './plain-body.js';

/** class-validator's metadata of one decorator. */
export type Rule = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];
/** What checks a value. */
export type Constraint = ReturnType<MetadataStorage['getTargetValidatorConstraints']>[number];
/** Of `@IsOptional()` and `@ValidateIf()`. */
export type Condition = (instance: Body, value: unknown) => unknown;

/** The options that decide which rules apply, and how errors are worded. */
export type RuleOptions = Pick<
  ValidationPipeOptions,
  | ('groups' | 'always' | 'strictGroups')
  | ('whitelist' | 'forbidNonWhitelisted' | 'forbidUnknownValues')
  | ('skipUndefinedProperties' | 'skipNullProperties' | 'skipMissingProperties')
  | ('stopAtFirstError' | 'dismissDefaultMessages' | 'validationError')
>;

/** class-validator's names of the kinds of rules that are no checks of a value. */
export const KINDS = {
  condition: 'conditionalValidation',
  check: 'customValidation',
  defined: 'isDefined',
  nested: 'nestedValidation',
  allowed: 'whitelistValidation',
} as const;

/**
 * Why a rule applies: it has the group, or all rules of its class apply (`group`); it has `always`; or it has no group
 * (`free`).
 *
 * An ungrouped condition (`@IsOptional()`) affects ungrouped rules only: grouped rules have conditions of their own.
 */
export type Reason = 'group' | 'always' | 'free';

export interface PropertyRules {
  readonly name: string;
  readonly rules: readonly { readonly rule: Rule; readonly reason: Reason }[];
}

/** Whether a rule applies to a property, by reason. */
export const APPLIES = {
  group: () => true,
  always: (carried, timing) => carried || timing === 'always',
  free: (carried, timing, mode) => carried || (timing === 'always' && mode !== 'update'),
} as const satisfies Record<Reason, (carried: boolean, timing: RuleTiming, mode: WriteMode) => boolean>;

/** A group that no rule has, to find the ungrouped rules. */
const NO_GROUP = ['nestwright: no group'];

/**
 * The rules of a class that apply: of the model, those of a group and ungrouped ones; of other classes, all.
 *
 * @param group Group of the model's rules. Default: all rules apply; if the options name groups, those of the groups
 * and ungrouped ones.
 */
export function rulesByProperty(
  type: object,
  options: RuleOptions,
  group: string | undefined,
): readonly PropertyRules[] {
  const { always = false, strictGroups = false, groups } = options;
  const named = group === undefined ? groups : [group, ...(groups ?? [])];
  const bound = findRules(type, always, strictGroups, named);
  const free = named?.length
    ? findRules(type, true, strictGroups, NO_GROUP).filter((rule) => rule.always !== true && !bound.includes(rule))
    : [];
  const properties = new Map<string, PropertyRules['rules'][number][]>();
  const add = (rule: Rule, reason: Reason): void => {
    getOrInsert(properties, rule.propertyName, () => []).push({ rule, reason: group === undefined ? 'group' : reason });
  };

  for (const rule of bound) add(rule, rule.groups?.length ? 'group' : 'always');
  for (const rule of free) add(rule, 'free');

  return Array.from(properties, ([name, rules]) => ({ name, rules }));
}

/** All rules of a class. */
export function rulesInAnyGroup(type: object): readonly Rule[] {
  return findRules(type, true, false, undefined);
}

function findRules(type: object, always: boolean, strict: boolean, groups: readonly string[] | undefined): Rule[] {
  return getMetadataStorage().getTargetValidationMetadatas(type as never, '', always, strict, groups as string[]);
}

/** The rules of a class at a place of a body, ready to be asked. */
export interface CompiledRules {
  /** Whether the class has no rules. */
  readonly isUnknown: boolean;
  readonly properties: readonly CompiledProperty[];
}

/** The rules of one property: those for a body that carries it, and those for one that does not. */
export interface CompiledProperty {
  readonly name: string;
  readonly present: CompiledChecks;
  readonly absent: CompiledChecks;
}

export interface CompiledChecks {
  /** Turn everything off. */
  readonly conditions: readonly Condition[];
  /** Turn off the checks without a group. */
  readonly freeConditions: readonly Condition[];
  /** In the order in which class-validator asks them. */
  readonly checks: readonly Check[];
}

/** One constraint of a rule; a rule for nested objects has none. */
export interface Check {
  readonly rule: Rule;
  /** Name of the class. */
  readonly targetName: string;
  readonly isFree: boolean;
  readonly constraint?: Constraint;
  /** Default: the application's container is asked each time. */
  readonly validator?: Constraint['instance'];
}

const ORDER: readonly string[] = [KINDS.defined, KINDS.check, KINDS.nested];

/** Name of the class that class-validator makes for a decorator which is a function. */
const MADE_FOR_DECORATOR = 'CustomConstraint';

export function compileRules(type: object, options: RuleOptions, place: BodyPlace): CompiledRules {
  const rules = rulesByProperty(type, options, place.group);
  const properties = rules.flatMap(({ name, rules: own }): CompiledProperty[] => {
    const timing = decideRuleTiming(place, name);
    if (timing === 'never') return [];

    const mayBeAbsent = place.partial || place.initialised.has(name);
    const compile = (carried: boolean): CompiledChecks => {
      const isAsked = ({ reason }: { readonly reason: Reason }) => APPLIES[reason](carried, timing, place.mode);

      return compileChecks(type, carried || !mayBeAbsent ? own.filter(isAsked) : []);
    };

    return [{ name, present: compile(true), absent: compile(false) }];
  });

  return { isUnknown: rules.length === 0, properties };
}

function compileChecks(type: object, rules: PropertyRules['rules']): CompiledChecks {
  const findConditions = (areFree: boolean): Condition[] =>
    rules
      .filter(({ rule, reason }) => rule.type === KINDS.condition && (reason === 'free') === areFree)
      .map(({ rule }) => rule.constraints[0] as Condition);
  const checks = ORDER.flatMap((kind) => rules.filter(({ rule }) => rule.type === kind));

  return {
    conditions: findConditions(false),
    freeConditions: findConditions(true),
    checks: checks.flatMap((own) => splitRule(type, own)),
  };
}

function splitRule(type: object, { rule, reason }: PropertyRules['rules'][number]): Check[] {
  const check = { rule, targetName: (type as { readonly name: string }).name, isFree: reason === 'free' };
  if (rule.type === KINDS.nested) return [check];

  return getMetadataStorage()
    .getTargetValidatorConstraints(rule.constraintCls as never)
    .map((constraint) => ({
      ...check,
      constraint,
      ...(constraint.target.name === MADE_FOR_DECORATOR && { validator: constraint.instance }),
    }));
}
