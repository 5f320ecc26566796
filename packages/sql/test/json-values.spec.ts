/** Texts and numbers as JSON, as long as nobody has changed how built-in values print; and what texts weigh. */
import { expect, test } from '@jest/globals';
import { numberJson, printsNatively, textJson } from '../src/json/text.js';
import { textBytes } from '../src/weight.js';

test('texts are printed as JSON.stringify prints them', () => {
  const characters = ['', 'a', '"', '\\', '/', '\0', '\n', '\u001f', ' ', '\u007f', 'é', '\u2028', '\ud7ff', '\ue000'];
  const surrogates = ['\ud800', '\udbff', '\udc00', '\udfff', '\ud83d\ude00'];
  const texts = [...characters, ...surrogates].flatMap((one) => [one, `a${one}b`, one + 'a'.repeat(50)]);
  expect(texts.map(textJson)).toEqual(texts.map((text) => JSON.stringify(text)));
});

test('numbers are printed as JSON.stringify prints them', () => {
  const numbers = [0, -0, 1.5, -1e21, 1e-7, NaN, Infinity, -Infinity];
  expect(numbers.map(numberJson)).toEqual(numbers.map((number) => JSON.stringify(number)));
});

test.each([
  [Date, 'toISOString'],
  ...[Date, String, Number, Boolean, Array, Object].map((type) => [type, 'toJSON'] as const),
] as const)('%p with another %s is noticed, as long as it has it', ({ prototype: holder }, name) => {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  const natively = [printsNatively()];
  Object.defineProperty(holder, name, { value: () => 'x', configurable: true });
  natively.push(printsNatively());
  if (before) Object.defineProperty(holder, name, before);
  else Reflect.deleteProperty(holder, name);
  natively.push(printsNatively());
  expect(natively).toEqual([true, false, true]);
});

test('a text takes two bytes for each character as soon as one of them needs them', () => {
  expect(['', 'abc', 'abé'].map(textBytes)).toEqual([24, 27, 30]);
});
