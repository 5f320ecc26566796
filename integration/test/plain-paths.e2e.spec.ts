/** The suite of the example once more, with the fast paths off: the answers are the same. */
export {};

// Read when the library is loaded, so that the suites are imported after it.
process.env['NESTWRIGHT_FAST_PATHS'] = 'off';

await import('./example.e2e.spec.js');
