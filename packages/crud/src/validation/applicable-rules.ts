import type { ValidationPipeOptions } from '@nestjs/common';
import { getOrInsert } from '../get-or-insert.js';
import { classValidator } from '../nest/optional-peers.js';
import type { WriteMode } from '../plan/write-plan.js';
import type { Body } from './plain-body.js';
import type { RuleTiming } from './settable-properties.js';

type Storage = ReturnType<NonNullable<typeof classValidator>['getMetadataStorage']>;

/** class-validator's metadata of one decorator. */
export type Rule = ReturnType<Storage['getTargetValidationMetadatas']>[number];
/** What checks a value. */
export type Constraint = ReturnType<Storage['getTargetValidatorConstraints']>[number];
/** Of `@IsOptional()` and `@ValidateIf()`. */
export type Condition = (instance: Body, value: unknown) => unknown;

/** What a rule is given beside the value. */
export type RuleArguments = NonNullable<Parameters<Constraint['instance']['validate']>[1]>;

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
  promise: 'promiseValidation',
  allowed: 'whitelistValidation',
} as const;

/**
 * Why a rule applies: all rules of its class do (`class`), it has the group or `always` (`group`), or it has no group
 * (`free`).
 *
 * An ungrouped condition (`@IsOptional()`) affects ungrouped rules only: grouped rules have conditions of their own.
 */
export type Reason = 'class' | 'group' | 'always' | 'free';

export interface PropertyRules {
  readonly name: string;
  readonly rules: readonly { readonly rule: Rule; readonly reason: Reason }[];
}

/** Whether a rule applies to a property, by reason. */
export const APPLIES = {
  class: () => true,
  group: () => true,
  always: (carried, timing) => carried || timing === 'always',
  free: (carried, timing, mode) => carried || (timing === 'always' && mode !== 'update'),
} as const satisfies Record<Reason, (carried: boolean, timing: RuleTiming, mode: WriteMode) => boolean>;

/** A group that no rule has, to find the ungrouped rules. */
const NO_GROUP = ['nestwright: no group'];

/**
 * The rules of a class that apply: of the model, those of a group and ungrouped ones; of other classes, all.
 *
 * @param group Group of the model's rules. Default: all rules apply; if the options name groups, those of the groups and ungrouped ones.
 */
export function rulesByProperty(
  type: object,
  options: RuleOptions,
  group: string | undefined,
): readonly PropertyRules[] {
  const { always = false, strictGroups = false, groups } = options;
  const named = group === undefined ? groups : [group, ...(groups ?? [])];
  const bound = rulesOf(type, always, strictGroups, named);
  const free = named?.length
    ? rulesOf(type, true, strictGroups, NO_GROUP).filter((rule) => rule.always !== true && !bound.includes(rule))
    : [];
  const properties = new Map<string, PropertyRules['rules'][number][]>();
  const add = (rule: Rule, reason: Reason): void => {
    getOrInsert(properties, rule.propertyName, () => []).push({ rule, reason: group === undefined ? 'class' : reason });
  };

  for (const rule of bound) add(rule, rule.groups?.length ? 'group' : 'always');
  for (const rule of free) add(rule, 'free');

  return Array.from(properties, ([name, rules]) => ({ name, rules }));
}

/** All rules of a class. */
export function rulesInAnyGroup(type: object): readonly Rule[] {
  return rulesOf(type, true, false, undefined);
}

function rulesOf(
  type: object,
  always: boolean,
  strict: boolean,
  groups: readonly string[] | undefined,
): readonly Rule[] {
  const storage = classValidator?.getMetadataStorage();

  return storage?.getTargetValidationMetadatas(type as never, '', always, strict, groups as string[]) ?? [];
}

/** The rules that no condition turns off. */
export function activeRules(instance: Body, value: unknown, applicable: PropertyRules['rules']): readonly Rule[] {
  const holds = (isFree: boolean): boolean =>
    applicable
      .filter(({ rule, reason }) => rule.type === KINDS.condition && (reason === 'free') === isFree)
      .map(({ rule }) => (rule.constraints[0] as Condition)(instance, value))
      .every(Boolean);
  if (!holds(false)) return [];

  const free = holds(true);

  return applicable.flatMap(({ rule, reason }) =>
    rule.type !== KINDS.condition && (free || reason !== 'free') ? [rule] : [],
  );
}

/** What checks the values of a rule. */
export function constraintsOf({ type, constraintCls }: Rule): readonly Constraint[] {
  const isCheck = type === KINDS.check || type === KINDS.defined;

  return isCheck
    ? (classValidator?.getMetadataStorage().getTargetValidatorConstraints(constraintCls as never) ?? [])
    : [];
}

/** Whether values are left alone by an option. */
export function skipping(options: RuleOptions): (value: unknown) => boolean {
  const ifUndefined = options.skipUndefinedProperties === true || options.skipMissingProperties === true;
  const ifNull = options.skipNullProperties === true || options.skipMissingProperties === true;

  return (value) => (ifUndefined && value === undefined) || (ifNull && value === null);
}
