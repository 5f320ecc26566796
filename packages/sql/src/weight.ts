/** Estimated V8 heap sizes of cached objects, measured by `integration/memory/weight.js`. */

/** A small object: its header and a few properties. */
export const OBJECT_BYTES = 48;

/** A parameter of a statement: the function that reads its value, with its closure. */
export const PARAMETER_BYTES = 160;

/** A returned column: the code that sets it in records and writes it as JSON. */
export const CELL_BYTES = 800;

/** A text in one piece; V8 takes two bytes for each character as soon as one of them needs them. */
export function textBytes(text: string): number {
  return 24 + (Buffer.byteLength(text) === text.length ? text.length : 2 * text.length);
}
