import type { Type } from '@nestjs/common';
import { hasDecoratedProperty } from '../nest/metadata.js';
import { classValidator } from '../nest/optional-peers.js';

const known = new WeakMap<object, Map<string, boolean>>();

/** Whether a class knows a property; worked out once, for the properties that path and `persist` name. */
export function knowsProperty(type: Type<unknown>, property: string): boolean {
  let answers = known.get(type);
  if (!answers) known.set(type, (answers = new Map<string, boolean>()));

  const cached = answers.get(property);
  if (cached !== undefined) return cached;

  const answer =
    hasDecoratedProperty(type.prototype as object, property) || hasRule(type, property) || initialises(type, property);
  answers.set(property, answer);

  return answer;
}

/** Whether a rule of class-validator stands on a property, whatever its groups. */
export function hasRule(type: Type<unknown>, property: string): boolean {
  const rules = classValidator?.getMetadataStorage().getTargetValidationMetadatas(type, '', true, false) ?? [];

  return rules.some(({ propertyName }) => propertyName === property);
}

function initialises(type: Type<unknown>, property: string): boolean {
  try {
    const instance = new type() as Record<string, unknown>;

    return Object.hasOwn(instance, property) && instance[property] !== undefined;
  } catch {
    return false;
  }
}
