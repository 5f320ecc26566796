/**
 * Parses the application's own parameters into a nested object. Names that nest too deep or contradict each other are
 * refused.
 *
 * @grammar
 * extra = prefix key { "." key } ;  (* a parameter's name; its value is a text, or what JSON or ISO 8601 makes of it *)
 */
import { bound, type ParseContext, refuseText } from './parse-context.js';
import { typeValue } from './text-value.js';

type Nested = Record<string, unknown>;

/** Reads all parameters that start with a prefix of `extra`. */
export function parseExtra(context: ParseContext): Nested {
  const { parameters, names } = context.language;
  // Objects without a prototype, since a client may call a parameter `extra.__proto__.x`.
  const extra = Object.create(null) as Nested;
  for (const [parameter, values] of context.params) {
    const prefix = !parameters.has(parameter) && names.extra.find((start) => parameter.startsWith(start));
    if (!prefix || !values.length) continue;

    context.parameter = parameter;
    const keys = parameter.slice(prefix.length).split('.');
    bound(context, 0, keys.length, 'nesting');
    bound(context, 0, values.length, 'listValues');
    const last = keys.pop() as string;
    let parent = extra;
    for (const key of keys) {
      // Anything with a prototype is the value of another parameter, not an object made here.
      parent = Object.getPrototypeOf((parent[key] ??= Object.create(null))) ? clash(context) : (parent[key] as Nested);
    }
    if (last in parent) clash(context);

    parent[last] = typeValue(values.length > 1 ? values : values[0]);
  }

  return extra;
}

function clash(context: ParseContext): never {
  refuseText(context, 0, 'Invalid extra. It contradicts another');
}
