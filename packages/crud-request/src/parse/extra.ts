/**
 * Parameters of the application's own come in, a nested object goes out; names that nest too deep or contradict each other are refused.
 *
 * @grammar
 * extra = prefix key { "." key } ;                 (* a parameter's name; its value is a text, or what JSON or ISO 8601 makes of it *)
 */
import type { ParamMap } from '../syntax/decode-query.js';
import { bound, type QueryReading, refuseAt } from './reading.js';
import { typeValue } from './text-value.js';

type Nested = Record<string, unknown>;

/** Reads all parameters that start with a prefix of `extra`. */
export function parseExtra(params: ParamMap, reading: QueryReading): Nested {
  const { parameters, names } = reading.language;
  // Objects without a prototype, since a client may call a parameter `extra.__proto__.x`.
  const nest = (): Nested => Object.create(null) as Nested;
  const extra = nest();
  for (const [parameter, values] of params) {
    const prefix = names.extra.find((start) => parameter.startsWith(start));
    if (parameters.has(parameter) || !prefix || !values.length) {
      continue;
    }
    reading.parameter = parameter;
    const keys = parameter.slice(prefix.length).split('.');
    bound(reading, 0, keys.length, 'nesting');
    bound(reading, 0, values.length, 'listValues');
    const last = keys.pop() as string;
    let parent = extra;
    for (const key of keys) {
      // What is a value already, and has a prototype, cannot be an object too.
      parent = Object.getPrototypeOf((parent[key] ??= nest())) ? clash(reading) : (parent[key] as Nested);
    }
    if (last in parent) {
      clash(reading);
    }
    parent[last] = typeValue(values.length > 1 ? values : values[0]);
  }

  return extra;
}

function clash(reading: QueryReading): never {
  refuseAt(reading, 0, 'Invalid extra. It contradicts another');
}
