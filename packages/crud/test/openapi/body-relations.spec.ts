/** Columns and relations of a model, by what the database requires and what cascades → what its bodies show and require in a valid document. */
import { beforeAll, expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import type { Catalog, CatalogColumn, CatalogRelation } from '../../src/plan/catalog.js';
import { relation } from '../plan/catalogs.js';
import { catalog, column, documentOf, id, KEY, resource } from './fixture.js';
import { type Json, nameOf, schemas, shapeOf } from './reading.js';

class Owner {
  @ApiProperty({ example: 7 }) givenId!: number;
  @ApiProperty({ default: 7 }) presetId!: number;
  @ApiProperty({ example: 7 }) given!: object;
}

class Target {}

const nullable = true;

const targetOf = (...keys: Partial<CatalogColumn>[]) =>
  catalog(Target, [...keys.map((key, at) => column('ab'[at]!, { primary: true, ...key })), column('title')]);
const COUNTED = targetOf(KEY);

/** What a property takes: `integer or {a integer}, such as 1`. */
function print(schema: Json | undefined): string {
  if (!schema) return 'nothing';
  const { $ref, anyOf, items, properties, nullable: isNullable, example, type, format } = schema;
  const name = $ref && nameOf(schema).replace(/OwnerBody|Dto/g, '');
  const parts = Object.entries((properties ?? {}) as Json).map(([part, of]) => `${part} ${print(of as Json)}`);
  const taken = anyOf ? (anyOf as Json[]).map(print).join(' or ') : parts.length > 0 ? `{${parts.join(' ')}}` : type;
  const rest = [isNullable && 'or null', anyOf && 'example' in schema && `such as ${JSON.stringify(example)}`];
  if (items) return [`lists of ${print(items as Json)}`, example && 'such as []'].filter(Boolean).join(', ');
  return [name ?? format ?? taken, ...rest].filter(Boolean).join(', ');
}

/** A relation to records with a counted key, or others, and what the bodies of POST and PATCH take. */
type Row = [name: string, kind: CatalogRelation['kind'], more: Partial<CatalogRelation>, post: string, patch?: string];

const insert = { cascadeInsert: true };
const update = { cascadeUpdate: true };
const both = { ...insert, ...update };
const UUIDS = targetOf({}, { kind: 'uuid' });
const BY_KEY = 'integer or {a integer}';
const ROWS: Row[] = [
  ['key', 'many-to-one', {}, `${BY_KEY}, such as 1`],
  ['none', 'many-to-one', { nullable }, `${BY_KEY}, or null, such as null`],
  ['text', 'many-to-one', { target: targetOf({}) }, 'string or {a string}'],
  ['pair', 'many-to-one', { target: UUIDS }, '{a string b uuid}'],
  ['keyless', 'many-to-one', { target: targetOf() }, 'object'],
  ['many', 'many-to-many', {}, `lists of ${BY_KEY}, such as []`],
  ['new', 'many-to-one', insert, `CreateNew or ${BY_KEY}`, `UpdateNew or ${BY_KEY}`],
  ['changed', 'many-to-one', update, `${BY_KEY}, such as 1`, 'UpdateChanged or integer, such as 1'],
  ['all', 'many-to-many', both, `lists of CreateAll or ${BY_KEY}`, 'lists of UpdateAll or UpdateAllChange or integer'],
  ['single', 'one-to-one', update, `${BY_KEY}, such as 1`, 'UpdateSingle or integer, such as 1'],
  ['children', 'one-to-many', {}, 'nothing'],
  ['made', 'one-to-many', insert, 'lists of CreateMade or CreateMadeChange', 'lists of UpdateMade or UpdateMadeChange'],
  ['kept', 'one-to-many', update, 'lists of CreateKept, such as []', 'lists of UpdateKept, such as []'],
  ['child', 'one-to-one-inverse', update, 'CreateChild, such as 1', 'UpdateChild, such as 1'],
];

const INTEGER = { kind: 'integer' } as const;
const keys = [
  ...[column('keyId', INTEGER), column('noneId', { ...INTEGER, nullable }), column('textId', { length: 9 })],
  ...[column('givenId', INTEGER), column('presetId', INTEGER)],
];
let document: unknown;
let bodies: Record<string, Json>[];

beforeAll(async () => {
  const references = (...found: CatalogColumn[]) => ({
    references: () => found.map((key) => ({ column: key, references: COUNTED.primary[0]! })),
  });
  const owner: Catalog = catalog(
    Owner,
    [id, ...keys],
    [
      ...ROWS.map(([name, kind, more]) => relation(name, kind, () => COUNTED, more as object)),
      ...keys.map((key) => relation(`of${key.path}`, 'many-to-one', () => COUNTED, references(key))),
      relation('given', 'many-to-one', () => COUNTED, references(column('otherId'))),
    ],
  );
  const only = ['createOneBase', 'updateOneBase', 'replaceOneBase'] as const;
  document = await documentOf([resource({ model: { type: Owner }, catalogOf: () => owner, only })]);
  const bodyOf = (verb: string) => schemas(document)[`${verb}OwnerBodyDto`]!['properties'] as Record<string, Json>;
  bodies = ['Create', 'Update'].map(bodyOf);
});

test.each(ROWS)('a relation: %s', (name, _, __, post, patch = post) =>
  expect(bodies.map((body) => print(body[name]))).toEqual([post, patch]),
);

test('a nested record requires its columns if it is created, and its key if it is changed among several', () => {
  const nested = Object.keys(schemas(document)).filter((name) => /^(Create|Update)OwnerBody(?!Dto)/.test(name));
  const namesOf = (shape: string) =>
    nested.filter((name) => shapeOf(document, name) === shape).map((name) => name.replace(/OwnerBody|Dto/g, ''));
  const shapes = ['title', 'a title?', 'a? title?'].map((shape) => namesOf(shape).toSorted().join(' '));
  expect([nested.length, ...shapes]).toEqual([
    15,
    'CreateAll CreateMade CreateNew UpdateAll UpdateMade UpdateNew',
    'CreateChild CreateKept CreateMadeChange UpdateAllChange UpdateChanged UpdateKept UpdateMadeChange',
    'UpdateChild UpdateSingle',
  ]);
});

test('a foreign key has an example that a first try accepts, unless the application gives one', () => {
  const [{ keyId, noneId, textId, givenId, presetId, given }] = bodies as [Record<string, Json>];
  const integer = { type: 'integer' };
  expect({ keyId, noneId, textId, givenId, presetId }).toEqual({
    keyId: { ...integer, example: 1 },
    noneId: { ...integer, nullable, example: null },
    textId: { type: 'string', maxLength: 9 },
    givenId: { ...integer, example: 7 },
    presetId: { ...integer, default: 7 },
  });
  expect(given!['example']).toBe(7);
});
