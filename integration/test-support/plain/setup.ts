/** Before each suite of the run with fast paths off: holds the environment and every test to it; whatever takes a fast path all the same fails, even where the test would not notice. */
import { afterAll, afterEach } from '@jest/globals';
import { TAKEN } from './tripwires.js';

const taken = ((globalThis as Record<symbol, unknown>)[Symbol.for(TAKEN)] ??= []) as string[];

function holdToThePlainWay(): void {
  const names = [...new Set(taken.splice(0))];
  if (names.length > 0) throw new Error(`Fast paths are off, yet they were taken: ${names.join(', ')}`);
}

if (process.env['NESTWRIGHT_FAST_PATHS'] !== 'off')
  throw new Error('This run wants NESTWRIGHT_FAST_PATHS=off: npm run test:plain');

afterEach(holdToThePlainWay);
afterAll(holdToThePlainWay);
