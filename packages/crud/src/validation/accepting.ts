/** The rules of a route's bodies in, a function that validates a record of them at once out, where it is plain data that breaks no rule; refuses (answers `undefined`) whatever class-transformer and class-validator must look at themselves. */
import { debugOnce } from '../debug-once.js';
import { FAST_PATHS } from '../fast-paths.js';
import type { BodyRules } from './body-rules.js';
import { holdingRules, type RuleOptions } from './holding-rules.js';
import { dropUnsent, toPlainBody } from './inbound.js';
import { instancesOf } from './undecorated.js';

type Body = Record<string, unknown>;

/** What class-transformer and class-validator together make of a body without faults; it shares its nested values. */
export type AcceptsBody = (body: Body) => Body | undefined;

const acceptsNothing: AcceptsBody = () => undefined;

/** Compiles the rules of a class. Most bodies are right: they are judged rule by rule, without the errors that class-validator prepares for each of them. */
export function acceptingValidator({ type, validation, partial }: BodyRules, options: RuleOptions): AcceptsBody {
  if (!FAST_PATHS) return acceptsNothing;

  const report = debugOnce(
    (reason) => `${type.name}: bodies go through class-transformer and class-validator because of ${reason}`,
  );
  const { transform, transformOptions = {} } = validation || {};
  const makes = Object.keys(transformOptions).length === 0 ? instancesOf(type) : 'transformOptions';
  const holds = typeof makes === 'string' ? makes : holdingRules(type, options, report);
  if (typeof makes === 'string' || typeof holds === 'string') {
    report(String(holds));

    return acceptsNothing;
  }

  return (body) => {
    try {
      const instance = makes(body);
      if (typeof instance === 'string') return report(instance);
      dropUnsent(instance, body, { partial });

      return holds(instance) ? (transform ? instance : plainOf(instance, body)) : undefined;
    } catch {
      return undefined;
    }
  };
}

// What the body does not carry came from an initialiser, whose objects may be everybody's.
function plainOf(instance: Body, body: Body): Body {
  const plain: Body = {};

  for (const name of Object.keys(instance)) {
    const value = instance[name];
    plain[name] = Object.hasOwn(body, name) ? value : toPlainBody(value, undefined);
  }

  return plain;
}
