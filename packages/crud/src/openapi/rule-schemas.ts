/** What the rules of class-validator require of a value, as JSON Schema. */
import { KINDS, type PropertyRules, type Reason } from '../validation/applicable-rules.js';
import type { SchemaObject } from './json-schema.js';

type Row = (constraints: readonly unknown[]) => { readonly [K in keyof SchemaObject]?: unknown };

const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** By the names of class-validator. Rules without a row are not documented. */
const RULES: Readonly<Record<string, Row>> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isObject: () => ({ type: 'object' }),
  isNotEmptyObject: () => ({ type: 'object' }),
  isDate: () => ({ type: 'string', format: 'date-time' }),
  isDateString: () => ({ type: 'string', format: 'date-time' }),
  isIso8601: () => ({ type: 'string', format: 'date-time' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  isFqdn: () => ({ type: 'string', format: 'hostname' }),
  isIp: ([version]) => ({ type: 'string', format: String(version) === '6' ? 'ipv6' : 'ipv4' }),
  isIn: ([members]) => ({ enum: members }),
  isEnum: ([members]) => ({ enum: enumMembers(members as object) }),
  equals: ([value]) => ({ enum: [value] }),
  isNotEmpty: () => ({ minLength: 1 }),
  minLength: ([minLength]) => ({ type: 'string', minLength }),
  maxLength: ([maxLength]) => ({ type: 'string', maxLength }),
  isLength: ([minLength, maxLength]) => ({ type: 'string', minLength, maxLength }),
  matches: ([pattern]) => ({ type: 'string', ...patternSchema(pattern) }),
  min: ([minimum]) => ({ minimum: asNumber(minimum) }),
  max: ([maximum]) => ({ maximum: asNumber(maximum) }),
  isPositive: () => ({ minimum: 0 }),
  isNegative: () => ({ maximum: 0 }),
  isDivisibleBy: ([multipleOf]) => ({ multipleOf }),
  isArray: () => ({ type: 'array' }),
  arrayMinSize: ([minItems]) => ({ type: 'array', minItems }),
  arrayMaxSize: ([maxItems]) => ({ type: 'array', maxItems }),
  arrayNotEmpty: () => ({ type: 'array', minItems: 1 }),
  arrayUnique: () => ({ type: 'array', uniqueItems: true }),
};

/** What rules require of a value together. */
export function ruleSchema(rules: PropertyRules['rules']): SchemaObject {
  const own: { type?: SchemaObject['type'] } = {};
  const items: SchemaObject = {};
  let isList = false;

  for (const { rule } of rules) {
    isList ||= rule.each;
    if (rule.type === KINDS.check || rule.type === KINDS.defined)
      Object.assign(rule.each ? items : own, known(RULES[rule.name ?? '']?.(rule.constraints ?? []) ?? {}));
  }

  return isList || own.type === 'array' ? { ...own, type: 'array', items } : own;
}

/** Whether validation refuses a body that lacks the property. */
export function isRequiredByRules(rules: PropertyRules['rules']): boolean {
  const conditions = rules.filter(({ rule }) => rule.type === KINDS.condition);
  // A condition without a group releases rules without one alone.
  const releases = (reason: Reason) => conditions.some((by) => by.reason !== 'free' || reason === 'free');

  return rules.some(({ rule, reason }) => REQUIRING.has(rule.type) && !releases(reason));
}

/** Kinds of rules that a missing value may break. */
const REQUIRING: ReadonlySet<string> = new Set([KINDS.check, KINDS.defined]);

/** JSON Schema has patterns, but no flags that change what they match. */
function patternSchema(pattern: unknown): SchemaObject {
  return pattern instanceof RegExp && !/[imsvy]/.test(pattern.flags) ? { pattern: pattern.source } : {};
}

/** The members of a list or of a TypeScript enum, which maps its numbers back to their names. */
export function enumMembers(values: object): (string | number)[] {
  if (Array.isArray(values)) return values as (string | number)[];
  const members = values as Record<string, string | number>;

  return Object.keys(members)
    .filter((key) => !(/^-?\d+(\.\d+)?$/.test(key) && typeof members[key] === 'string'))
    .map((key) => members[key] as string | number);
}

function known(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
