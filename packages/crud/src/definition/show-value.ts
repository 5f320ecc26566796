/** A value as a message shows it. */
export function show(value: unknown): string {
  if (typeof value === 'function') return (isClass(value) && value.name) || 'a function';
  if (typeof value === 'bigint' || typeof value === 'symbol' || value === undefined) return String(value);

  try {
    return JSON.stringify(value);
  } catch {
    return typeof value;
  }
}

function isClass(value: object): boolean {
  return Function.prototype.toString.call(value).startsWith('class');
}
