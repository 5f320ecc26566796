/** Schemas in; out, copies without defaults or with other references, and the names that they have in a document. */
import { expect, test } from '@jest/globals';
import { objectSchema, omitDefaults, replaceReferences } from '../../src/openapi/json-schema.js';
import { Schemas } from '../../src/openapi/schemas.js';
import { ref, TEXT } from './reading.js';

const X = { ...TEXT, default: 'x' };

test('defaults are left out at any depth, but not what has that name, nor values', () => {
  const names = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
  const keys = ['enum', 'const', 'example', 'examples'];
  const shaped = (text: object) => ({
    ...text,
    items: text,
    anyOf: [text, { not: text }],
    then: { properties: [text] },
    ...Object.fromEntries(names.map((name) => [name, { default: text }])),
    ...Object.fromEntries(keys.map((key) => [key, X])),
  });
  const schema = shaped(X);
  expect(omitDefaults(schema)).toEqual(shaped(TEXT));
  expect(schema).toEqual(shaped(X));
});

test('references are replaced at any depth, be it in a list, but not in what is no plain object', () => {
  const date = new Date();
  const node = { $ref: 'a', list: [{ $ref: 'b' }], properties: { $ref: { $ref: 'c', text: 'd' } }, date, no: null };
  const replaced = { $ref: 'a!', list: [{ $ref: 'b!' }], properties: { $ref: { $ref: 'c!', text: 'd' } } };
  expect(replaceReferences(node, (reference) => `${reference}!`)).toEqual({ ...replaced, date, no: null });
});

/** A document with the schemas of an application, and generated ones that its one path refers to. */
function finished(own: Record<string, object>, refuses: boolean, add: (schemas: Schemas) => object[]) {
  const schemas = new Schemas();
  const document: Record<string, unknown> = { paths: add(schemas), components: { schemas: own, securitySchemes: {} } };
  schemas.finish(document, schemas.literals, refuses);
  return document;
}

const [one, two] = [objectSchema({ one: {} }), objectSchema({ two: {} })];

test.each<[string, Record<string, object>, (schemas: Schemas) => object[], string[], Record<string, object>]>([
  ['have the first name', {}, (all) => [all.add(['A', 'B'], one), all.add(['A'], one)], ['A', 'A'], { A: one }],
  [
    ...(['that differ have the second, then numbered ones', {}] as const),
    (all) => [one, two, {}, X].map((schema) => all.add(['ADto', 'BDto'], schema)),
    ['ADto', 'BDto', 'B2Dto', 'B3Dto'],
    { ADto: one, BDto: two, B2Dto: {}, B3Dto: X },
  ],
  ['are one with an equal one of the application', { A: one }, (all) => [all.add(['A'], one)], ['A'], { A: one }],
  [
    ...(['give way to another of the application', { A: two, A2: two }] as const),
    (all) => [all.add(['A'], one), all.add(['A3'], two)],
    ['A4', 'A3'],
    { A: two, A2: two, A4: one, A3: two },
  ],
  [
    ...(['that refer to themselves, too, by another of their names', { A: two }] as const),
    (all) => {
      const add = () =>
        all.addRecursive(['A', 'B'], 'key', () => ({ anyOf: [all.addRecursive(['A', 'B'], 'key', () => one)] }));
      return [add(), add()];
    },
    ['B', 'B'],
    { A: two, B: { anyOf: [ref('B')] } },
  ],
])('generated schemas %s', (_, own, add, names, schemas) => {
  expect(finished(own, false, add)).toEqual({
    ...{ paths: names.map(ref), components: { schemas, securitySchemes: {} } },
  });
});

test('a name that the application has is refused, unless another one can be taken', () => {
  expect(() => finished({ A: two }, true, (all) => [all.add(['A'], one)])).toThrow(/^The schema A would be both/);
  const recursive = finished({ A: two }, true, (all) => [all.addRecursive(['A', 'B'], 'key', () => one)]);
  expect(recursive['paths']).toEqual([ref('B')]);
  const equal = finished({ A: one }, true, (all) => [all.add(['A'], one)]);
  expect(equal['paths']).toEqual([ref('A')]);
});
