// What JSON escapes: quotation marks, backslashes, control characters, halves of surrogate pairs.
// eslint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;
/** For longer texts, JSON.stringify is faster than scanning first. */
const SHORT = 48;

export function textJson(text: string): string {
  return text.length < SHORT && !ESCAPED.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** A number; what is not finite is null. */
export function numberJson(value: number): string {
  // Minus zero is printed as 0 both ways.
  return Number.isFinite(value) ? String(value) : 'null';
}

const { toJSON, toISOString } = Date.prototype;

/** Whether built-in values print natively (nobody has replaced `Date.prototype.toJSON` or the like). */
export function printsNatively(): boolean {
  return (
    Date.prototype.toJSON === toJSON &&
    Date.prototype.toISOString === toISOString &&
    ![String, Number, Boolean, Array, Object].some(({ prototype }) => 'toJSON' in prototype)
  );
}
