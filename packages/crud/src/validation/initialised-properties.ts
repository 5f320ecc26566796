import { oncePerObject } from '../get-or-insert.js';

/** The properties that an instance has a value in from the start. */
export const initialisedProperties = oncePerObject((type: object): ReadonlySet<string> => {
  try {
    const instance = new (type as new () => object)();

    // Includes class fields without a value, if the compiler emits them.
    return new Set(Object.entries(instance).flatMap(([name, value]) => (value === undefined ? [] : name)));
  } catch {
    // The constructor may require parameters.
    return new Set();
  }
});
