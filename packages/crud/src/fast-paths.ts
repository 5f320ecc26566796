/** The fast paths, by their names in `NESTWRIGHT_FAST_PATHS`. */
const NAMES = [
  /** Rows come as arrays, on PostgreSQL as the database's own texts. */
  'rows',
  /** Answers are written as JSON from rows. */
  'text',
  /** POST, bulk and PATCH are one statement that answers. */
  'returning',
  /** Plain bodies become instances without class-transformer. */
  'bodies',
  /** Generated handlers do without the library's interceptor. */
  'handlers',
  /** Records are made plain without class-transformer. */
  'serialization',
] as const;

/** Whether each may be taken. */
export type FastPaths = Readonly<Record<(typeof NAMES)[number], boolean>>;

/**
 * What `NESTWRIGHT_FAST_PATHS` says.
 *
 * @example
 * readFastPaths('off').rows; // false, as all others
 * readFastPaths('-text,-rows').rows; // false, and text; all others true
 * @throws Error if it names no fast path.
 */
export function readFastPaths(setting = ''): FastPaths {
  const off = new Set(['', 'on', 'off'].includes(setting) ? [] : setting.split(','));
  const unknown = [...off].find((name) => !NAMES.some((known) => name === `-${known}`));
  if (unknown !== undefined) {
    throw new Error(
      `NESTWRIGHT_FAST_PATHS: "${unknown}" is none of off, ${NAMES.map((name) => `-${name}`).join(', ')}`,
    );
  }

  const paths = NAMES.map((name) => [name, setting !== 'off' && !off.has(`-${name}`)] as const);

  return Object.freeze(Object.fromEntries(paths) as FastPaths);
}

/** Which fast paths requests may take; read once, when the library is loaded. */
export const FAST_PATHS = readFastPaths(process.env['NESTWRIGHT_FAST_PATHS']);
