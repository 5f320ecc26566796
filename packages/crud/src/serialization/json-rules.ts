/** Which properties of a class are written as JSON, for adapters that write JSON without records. */
import { getClassPlan } from './class-plan.js';
import { convertToPlain } from './to-plain.js';

/** How the properties of a class are printed. */
export interface JsonRules {
  /** Whether a property is printed. */
  leaves(property: string): boolean;
  /** The printed properties in order; undefined: in the record's own order. */
  readonly order?: readonly string[];
  /** The class that `@Type()` gives a property; undefined without one. */
  typeOf(property: string): unknown;
}

/**
 * The rules of a class whose instances have some properties of their own, or why there are none.
 *
 * @param own Properties that the records can have.
 */
export function jsonRulesOf(target: unknown, own: ReadonlySet<string>): JsonRules | string {
  if (typeof target !== 'function') return 'records without a class';

  const plan = getClassPlan(target);
  if (typeof plan === 'string') return plan;

  const prototype = target.prototype as object;
  const { exposesAll, hidden, exposed, names, types } = plan;
  if (names.size > 0) return 'properties under other names (@Expose({ name }))';

  const foreign = exposed.find((property) => !own.has(property) && (exposesAll || property in prototype));
  if (foreign !== undefined) return `${foreign}, which only a record can compute (@Expose())`;
  if (
    prototype.constructor !== target ||
    [...SPECIAL].some(
      (name) =>
        own.has(name) || (name in prototype && name !== 'constructor' && name !== '__proto__' && name !== 'toJSON'),
    )
  )
    return 'a property that class-transformer or Nest treats specially';

  const accessor = [...own].find((property) => property in prototype);
  if (accessor !== undefined) return `the accessor ${accessor}`;
  const leaving = new Set(exposed);

  return {
    leaves: (property) => (exposesAll ? !hidden.has(property) : leaving.has(property)),
    ...(!exposesAll && { order: exposed }),
    typeOf: (property) => types.get(property)?.(),
  };
}

/** Names by which class-transformer, `JSON.stringify` or Nest recognize special objects. */
const SPECIAL: ReadonlySet<string> = new Set(['then', 'pipe', 'toJSON', 'constructor', '__proto__']);

/**
 * One property's value as JSON text, by way of class-transformer and `JSON.stringify` themselves; undefined if JSON
 * leaves the property out.
 */
export function jsonProperty(name: string, value: unknown): string | undefined {
  const text = JSON.stringify(convertToPlain({ [name]: value }));

  return text === '{}' ? undefined : text.slice(JSON.stringify(name).length + 2, -1);
}
