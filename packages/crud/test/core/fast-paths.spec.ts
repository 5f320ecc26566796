import { expect, test } from '@jest/globals';
import { fastPathsOf } from '../../src/fast-paths.js';

const ALL = { rows: true, text: true, returning: true, bodies: true, handlers: true, serialization: true };

test('every fast path may be taken unless the environment says otherwise', () => {
  expect(fastPathsOf()).toEqual(ALL);
  expect(fastPathsOf('on')).toEqual(ALL);
});

test('off turns all of them off', () => {
  expect(Object.values(fastPathsOf('off'))).toEqual(Object.values(ALL).map(() => false));
});

test('names with a minus are turned off alone', () => {
  expect(fastPathsOf('-text,-rows')).toEqual({ ...ALL, text: false, rows: false });
});

test.each(['-txet', 'text', '-text,', 'no'])('%s is refused, as it turns nothing off', (setting) => {
  expect(() => fastPathsOf(setting)).toThrow('is none of off, -rows, -text, -returning');
});
