/** Validates plain records that break no rule without class-transformer and class-validator. Any other record goes through both. */
import { debugOnce } from '../debug-once.js';
import { FAST_PATHS } from '../fast-paths.js';
import type { BodyRules } from './body-rules.js';
import type { RuleOptions } from './applicable-rules.js';
import { type BodyPlace, rootPlace } from './settable-properties.js';
import { compileFastRules } from './fast-rules.js';
import { dropUnsent, toPlainBody } from './body-instance.js';
import { instancesOf, type Takes } from './undecorated-instance.js';

type Body = Record<string, unknown>;

/** What class-transformer and class-validator together make of a body without faults; it shares its nested values. */
export type FastValidator = (body: Body) => Body | undefined;

const acceptNone: FastValidator = () => undefined;

/**
 * Compiles the rules of a class. Most bodies are valid: checking them does not prepare error objects.
 *
 * @param place Where the records stand. Default: in no entity that is known.
 * @param isTaken Which properties a body may carry; others are left out. Default: all of them.
 */
export function fastValidatorOf(
  rules: BodyRules,
  options: RuleOptions,
  place: BodyPlace = rootPlace(rules),
  isTaken?: Takes,
): FastValidator {
  const { type, validation, mode } = rules;
  if (!FAST_PATHS.bodies) return acceptNone;

  const report = debugOnce(
    (reason) => `${type.name}: bodies go through class-transformer and class-validator because of ${reason}`,
  );
  const { transform, transformOptions = {} } = validation || {};
  const makes = Object.keys(transformOptions).length === 0 ? instancesOf(type, isTaken) : 'transformOptions';
  const holds = typeof makes === 'string' ? makes : compileFastRules(type, options, place, report);
  if (typeof makes === 'string' || typeof holds === 'string') {
    report(String(holds));

    return acceptNone;
  }

  return (body) => {
    try {
      const instance = makes(body);
      if (typeof instance === 'string') return report(instance);
      dropUnsent(instance, body, { partial: mode === 'update' });

      return holds(instance, body) ? (transform ? instance : plainOf(instance, body)) : undefined;
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
