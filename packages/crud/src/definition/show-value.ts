/** A value as a message shows it. */
export function show(value: unknown): string {
  if (typeof value === 'function') return value.name || 'a function';
  if (typeof value === 'bigint' || typeof value === 'symbol' || value === undefined) return String(value);

  try {
    return JSON.stringify(value);
  } catch {
    return typeof value;
  }
}
