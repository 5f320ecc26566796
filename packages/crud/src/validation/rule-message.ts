import type { RuleArguments, Constraint, Rule } from './applicable-rules.js';

/** The rule's own message, or else the default one. */
export function messageOf(
  rule: Rule,
  constraint: Constraint | undefined,
  details: RuleArguments,
  withDefault: boolean,
): string {
  const written = rule.message || (withDefault ? constraint?.instance.defaultMessage?.(details) : undefined);
  const text = typeof written === 'function' ? written(details) : written;

  return (text ?? '').replaceAll(PLACEHOLDER, (found) => filledIn(found, details) ?? found);
}

const PLACEHOLDER = /\$(?:constraint\d+|value|property|target)/g;

function filledIn(
  placeholder: string,
  { value, property, targetName, constraints }: RuleArguments,
): string | undefined {
  if (placeholder === '$property') return property;
  if (placeholder === '$target') return targetName;
  if (placeholder === '$value') return isPrintable(value) ? String(value) : undefined;

  const index = Number(placeholder.slice('$constraint'.length)) - 1;
  const given = (constraints as unknown[] | undefined) ?? [];

  return index in given ? printConstraint(given[index]) : undefined;
}

function isPrintable(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function printConstraint(constraint: unknown): string {
  if (Array.isArray(constraint)) return constraint.join(', ');

  return typeof constraint === 'symbol' ? String(constraint.description) : String(constraint);
}
