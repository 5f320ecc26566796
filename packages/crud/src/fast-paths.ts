/** Nothing in, whether requests may take short cuts out: `NESTWRIGHT_FAST_PATHS=off` in the environment sends every one of them down the plain path; read once, when the library is loaded. */

/** Whether requests may take short cuts. */
export const FAST_PATHS = process.env['NESTWRIGHT_FAST_PATHS'] !== 'off';
