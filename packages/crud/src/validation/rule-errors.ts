/** What rules that fail become: class-validator's errors, with its messages. */
import { ValidationError } from 'class-validator';
import { getOrInsert } from '../get-or-insert.js';
import type { Check, RuleOptions } from './applicable-rules.js';

export class RuleFault extends Error {
  constructor(
    readonly property: string,
    cause: unknown,
  ) {
    super(`A rule of ${property} has thrown`, { cause });
  }
}

/** The place of an error. */
export interface Spot {
  readonly parent: Spot | undefined;
  readonly target: object;
  readonly value: unknown;
  readonly property: string | undefined;
}

export interface Failure {
  readonly spot: Spot;
  readonly type: string;
  readonly message: string;
  readonly context?: object | undefined;
}

/** A check that is answered later has no failure at first; it keeps its place among the others. */
export type Failures = (Failure | undefined)[];

/** The failure of a check, with its message. */
export function describeFailure(spot: Spot, check: Check, options: RuleOptions): Failure {
  const details = describeValue(check, spot.target, spot.value);
  const { context } = check.rule as { readonly context?: object };

  return {
    spot,
    type: check.constraint?.name || check.rule.type,
    message: writeMessage(check, details, options),
    context,
  };
}

export function toFault(error: unknown, spot: Spot): RuleFault {
  return error instanceof RuleFault ? error : new RuleFault(showPath(spot), error);
}

export function showPath(spot: Spot | undefined): string {
  if (!spot) return '';

  return spot.parent ? `${showPath(spot.parent)}.${spot.property}` : String(spot.property);
}

/** Failures in the form of class-validator's errors. */
export function writeErrors(failures: Failures, { validationError: shown = {} }: RuleOptions): ValidationError[] {
  const errors: ValidationError[] = [];
  const known = new Map<Spot, ValidationError>();
  const open = (spot: Spot): ValidationError =>
    getOrInsert(known, spot, () => {
      const { target, value, property } = spot;
      const error = Object.assign(new ValidationError(), { property, children: [] }) as ValidationError;
      if (shown.target !== false) error.target = target;
      if (shown.value !== false) error.value = value;
      (spot.parent ? open(spot.parent).children! : errors).push(error);

      return error;
    });

  for (const failure of failures) {
    if (!failure) continue;

    const { spot, type, message, context } = failure;
    const error = open(spot);
    error.constraints = { ...error.constraints, [type]: message };
    if (context) error.contexts = { ...error.contexts, [type]: { ...error.contexts?.[type], ...context } };
  }

  return errors;
}

/** What a rule is given beside the value. */
export type RuleArguments = NonNullable<Parameters<NonNullable<Check['constraint']>['instance']['validate']>[1]>;

/** What a rule is told of the value. */
export function describeValue({ targetName, rule }: Check, object: object, value: unknown): RuleArguments {
  const { propertyName: property, constraints } = rule;

  return { targetName, property, object, value, constraints };
}

/** The rule's own message, or else the default one. */
function writeMessage({ rule, constraint }: Check, details: RuleArguments, options: RuleOptions): string {
  const { dismissDefaultMessages } = options;
  const written = rule.message || (dismissDefaultMessages ? undefined : constraint?.instance.defaultMessage?.(details));
  const text = typeof written === 'function' ? written(details) : written;

  return (text ?? '').replaceAll(PLACEHOLDER, (found) => fillPlaceholder(found, details) ?? found);
}

const PLACEHOLDER = /\$(?:constraint\d+|value|property|target)/g;

function fillPlaceholder(placeholder: string, details: RuleArguments): string | undefined {
  const { value, property, targetName, constraints } = details;
  if (placeholder === '$property') return property;
  if (placeholder === '$target') return targetName;
  if (placeholder === '$value') return PRINTABLE.has(typeof value) ? String(value) : undefined;

  const index = Number(placeholder.slice('$constraint'.length)) - 1;
  const given = (constraints as unknown[] | undefined) ?? [];

  return index in given ? printConstraint(given[index]) : undefined;
}

const PRINTABLE: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

function printConstraint(constraint: unknown): string {
  if (Array.isArray(constraint)) return constraint.join(', ');

  return typeof constraint === 'symbol' ? String(constraint.description) : String(constraint);
}
