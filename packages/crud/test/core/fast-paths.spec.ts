import { expect, test } from '@jest/globals';
import { readFastPaths } from '../../src/fast-paths.js';

const ALL = { rows: true, text: true, returning: true, bodies: true, handlers: true, serialization: true };

test('every fast path may be taken unless the environment says otherwise', () => {
  expect(readFastPaths()).toEqual(ALL);
  expect(readFastPaths('on')).toEqual(ALL);
});

test('off turns all of them off', () => {
  expect(Object.values(readFastPaths('off'))).toEqual(Object.values(ALL).map(() => false));
});

test('names with a minus are turned off alone', () => {
  expect(readFastPaths('-text,-rows')).toEqual({ ...ALL, text: false, rows: false });
});

test.each(['-txet', 'text', '-text,', 'no'])('%s is refused, as it turns nothing off', (setting) => {
  expect(() => readFastPaths(setting)).toThrow('is none of off, -rows, -text, -returning');
});
