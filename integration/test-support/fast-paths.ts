/** The values of the option `fastPaths` that a suite which sets it itself runs with: in the run with fast paths off, that one alone. */

/** @example describe.each(FAST_PATHS)('with fast paths: %s', (fastPaths) => configureCrudDatabase(source, { fastPaths })); */
export const FAST_PATHS: readonly boolean[] = process.env['NESTWRIGHT_FAST_PATHS'] === 'off' ? [false] : [true, false];
