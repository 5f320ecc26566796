/** How many bytes of V8's heap kept things take, as measured by `integration/memory/weight.js`. */

/** A small object: its header and a few properties. */
export const OBJECT_BYTES = 48;

/** A place of a statement's value: the function that takes it from its input, with what the function knows. */
export const PARAMETER_BYTES = 160;

/** A column that is returned: what sets it in records and writes it as JSON. */
export const CELL_BYTES = 800;

/** A text in one piece; V8 takes two bytes for each character as soon as one of them needs them. */
export function textBytes(text: string): number {
  return 24 + (Buffer.byteLength(text) === text.length ? text.length : 2 * text.length);
}
