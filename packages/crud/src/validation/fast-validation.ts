/** Validates plain records that break no rule without class-transformer and class-validator. Any other record goes through both. */
import { debugOnce } from '../debug-once.js';
import { FAST_PATHS } from '../fast-paths.js';
import type { BodyRules } from './body-rules.js';
import type { RuleOptions } from './applicable-rules.js';
import type { Body } from './plain-body.js';
import { type BodyPlace, rootPlace } from './settable-properties.js';
import { compileFastRules } from './fast-rules.js';
import { dropUnsent, toPlainBody } from './body-instance.js';
import { instancesOf, type PropertyFilter } from './undecorated-instance.js';

/** What class-transformer and class-validator together make of a body without faults; it shares its nested values. */
export type FastValidator = (body: Body) => Body | undefined;

const acceptNone: FastValidator = () => undefined;

/**
 * Compiles the rules of a class. Most bodies are valid: checking them does not prepare error objects.
 *
 * @param place The place of the records in the entity. Default: no known entity.
 * @param isAllowed Which properties a body may carry; others are left out. Default: all of them.
 */
export function fastValidatorOf(
  rules: BodyRules,
  options: RuleOptions,
  place: BodyPlace = rootPlace(rules),
  isAllowed?: PropertyFilter,
): FastValidator {
  const { type, validation, mode } = rules;
  if (!FAST_PATHS.bodies) return acceptNone;

  const report = debugOnce(
    (reason) => `${type.name}: bodies go through class-transformer and class-validator because of ${reason}`,
  );
  const { transform, transformOptions = {} } = validation || {};
  const makeInstance = Object.keys(transformOptions).length === 0 ? instancesOf(type, isAllowed) : 'transformOptions';
  const satisfiesRules =
    typeof makeInstance === 'string' ? makeInstance : compileFastRules(type, options, place, report);
  if (typeof makeInstance === 'string' || typeof satisfiesRules === 'string') {
    report(String(satisfiesRules));

    return acceptNone;
  }

  return (body) => {
    try {
      const instance = makeInstance(body);
      if (typeof instance === 'string') return report(instance);
      dropUnsent(instance, body, { partial: mode === 'update' });

      return satisfiesRules(instance, body) ? (transform ? instance : plainOf(instance, body)) : undefined;
    } catch {
      return undefined;
    }
  };
}

// Values that the body does not carry come from an initialiser, whose objects may be shared.
function plainOf(instance: Body, body: Body): Body {
  const plain: Body = {};

  for (const name of Object.keys(instance)) {
    const value = instance[name];
    plain[name] = Object.hasOwn(body, name) ? value : toPlainBody(value, undefined);
  }

  return plain;
}
