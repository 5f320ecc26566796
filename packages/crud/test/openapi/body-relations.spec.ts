/** Columns and relations of a model, by what the database requires and what cascades → what its bodies show and require in a valid document. */
import { beforeAll, expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import type { Catalog, CatalogColumn, CatalogRelation } from '../../src/plan/catalog.js';
import { relation } from '../plan/catalogs.js';
import { catalog, column, documentOf, resource } from './fixture.js';
import { type Json, ref, requiredBy, schemas, shapeOf } from './reading.js';

class Owner {
  @ApiProperty({ example: 7 }) givenId!: number;
  @ApiProperty({ default: 7 }) presetId!: number;
  @ApiProperty({ example: 7 }) given!: object;
  @ApiProperty({ readOnly: true }) sealed!: string;
}

class Target {}

const counted = { kind: 'integer', primary: true, autoIncrement: true, generated: true, hasDefault: true } as const;
const nullable = true;
const KEY = { type: 'integer', example: 1 };
const RECORD = { type: 'object', properties: { a: KEY }, required: ['a'] };
const TEXT = { type: 'string' };
const PAIR = { type: 'object', properties: { a: TEXT, b: { ...TEXT, format: 'uuid' } }, required: ['a', 'b'] };

const targetOf = (...keys: Partial<CatalogColumn>[]) =>
  catalog(Target, [...keys.map((key, at) => column('ab'[at]!, { primary: true, ...key })), column('title')]);
const COUNTED = targetOf(counted);

const one = (...anyOf: object[]) => ({ anyOf });
const many = (...anyOf: object[]) => ({ type: 'array', items: { anyOf } });
const created = (name: string) => ref(`CreateOwnerBody${name}Dto`);
const updated = (name: string) => ref(`UpdateOwnerBody${name}Dto`);

/** A relation to records with a counted key, or others, and its schemas in the bodies of POST and PATCH. */
type Row = [string, CatalogRelation['kind'], Partial<CatalogRelation>, post: unknown, patch: unknown, target?: Catalog];
const both = (
  name: string,
  kind: CatalogRelation['kind'],
  schema: object,
  target?: Catalog,
  more: object = {},
): Row => [...([name, kind, more, schema, schema, target] as const)];

const insert = { cascadeInsert: true };
const update = { cascadeUpdate: true };
const ROWS: Row[] = [
  both('key', 'many-to-one', { ...one(KEY, RECORD), example: 1 }),
  both('none', 'many-to-one', { ...one(KEY, RECORD), nullable, example: null }, COUNTED, { nullable }),
  both('text', 'many-to-one', one(TEXT, { ...RECORD, properties: { a: TEXT } }), targetOf({})),
  both('pair', 'many-to-one', one(PAIR), targetOf({}, { kind: 'uuid' })),
  both('keyless', 'many-to-one', one({ type: 'object' }), targetOf()),
  both('many', 'many-to-many', { ...many(KEY, RECORD), example: [] }),
  ['new', 'many-to-one', insert, one(created('New'), KEY, RECORD), one(updated('New'), KEY, RECORD)],
  [
    ...(['changed', 'many-to-one', update, { ...one(KEY, RECORD), example: 1 }] as const),
    { ...one(updated('Changed'), KEY), example: 1 },
  ],
  [
    ...(['all', 'many-to-many', { ...insert, ...update }, many(created('All'), KEY, RECORD)] as const),
    many(updated('All'), updated('AllChange'), KEY),
  ],
  ['single', 'one-to-one', update, { ...one(KEY, RECORD), example: 1 }, { ...one(updated('Single'), KEY), example: 1 }],
  ['children', 'one-to-many', {}, undefined, undefined],
  [
    ...(['newChildren', 'one-to-many', insert, many(created('NewChildren'), created('NewChildrenChange'))] as const),
    many(updated('NewChildren'), updated('NewChildrenChange')),
  ],
  [
    ...(['oldChildren', 'one-to-many', update, { ...many(created('OldChildren')), example: [] }] as const),
    { ...many(updated('OldChildren')), example: [] },
  ],
  [
    'child',
    'one-to-one-inverse',
    update,
    { ...one(created('Child')), example: 1 },
    { ...one(updated('Child')), example: 1 },
  ],
];

const INTEGER = { kind: 'integer' } as const;
const keys = [
  ...[column('keyId', INTEGER), column('noneId', { ...INTEGER, nullable }), column('textId', { length: 9 })],
  ...[column('givenId', INTEGER), column('presetId', INTEGER)],
];
const columns = [
  column('sealed'),
  ...[column('id', counted), column('title'), column('nick', { nullable }), column('role', { hasDefault: true })],
  ...[column('made', { generated: true }), column('version', { ...INTEGER, source: 'version' })],
  ...[column('free.a', { nullable }), column('free.b', { hasDefault: true })],
  ...[column('bound.a'), column('bound.b', { nullable })],
  ...keys,
];

let document: unknown;
let bodies: Record<string, Json>[];

beforeAll(async () => {
  const references = (...found: CatalogColumn[]) => ({
    references: () => found.map((key) => ({ column: key, references: COUNTED.primary[0]! })),
  });
  const owner: Catalog = catalog(Owner, columns, [
    ...ROWS.map(([name, kind, more, , , target = COUNTED]) => relation(name, kind, () => target, more as object)),
    ...keys.map((key) => relation(`of${key.path}`, 'many-to-one', () => COUNTED, references(key))),
    relation('bare', 'many-to-one', () => COUNTED, references(column('bareId'))),
    relation('given', 'many-to-one', () => COUNTED, references(column('otherId'))),
    relation('free', 'many-to-one', () => COUNTED, { ...references(column('freeId')), nullable }),
  ]);
  const only = ['createOneBase', 'updateOneBase', 'replaceOneBase'] as const;
  document = await documentOf([resource({ model: { type: Owner }, catalogOf: () => owner, only })]);
  const bodyOf = (verb: string) => schemas(document)[`${verb}OwnerBodyDto`]!['properties'] as Record<string, Json>;
  bodies = ['Create', 'Update'].map(bodyOf);
});

test.each(ROWS)('a relation: %s', (name, _, __, ...[post, patch]) =>
  expect(bodies.map((body) => body[name])).toEqual([post, patch]),
);

test('a record that is created requires what it lacks, one that is changed its key, unless it is the only one', () => {
  const nested = Object.keys(schemas(document)).filter((name) => /^(Create|Update)OwnerBody(?!Dto)/.test(name));
  const shapes = nested.map((name) => `${name.replace(/OwnerBody|Dto/g, '')} ${shapeOf(document, name)}`);
  const of = (shape: string, ...names: string[]) => names.map((name) => `${name} ${shape}`);
  expect(shapes.toSorted()).toEqual(
    [
      ...of('title', 'CreateNew', 'CreateAll', 'CreateNewChildren', 'UpdateNew', 'UpdateAll', 'UpdateNewChildren'),
      ...of('a title?', 'CreateNewChildrenChange', 'CreateOldChildren', 'CreateChild', 'UpdateChanged'),
      ...of('a title?', 'UpdateAllChange', 'UpdateNewChildrenChange', 'UpdateOldChildren'),
      ...of('a? title?', 'UpdateSingle', 'UpdateChild'),
    ].toSorted(),
  );
});

test('a foreign key has an example that a first try accepts, unless the application gives one', () => {
  const [{ keyId, noneId, textId, givenId, presetId, given }] = bodies as [Record<string, Json>];
  expect({ keyId, noneId, textId, givenId, presetId, given }).toEqual({
    keyId: KEY,
    noneId: { type: 'integer', nullable, example: null },
    textId: { ...TEXT, maxLength: 9 },
    givenId: { type: 'integer', example: 7 },
    presetId: { type: 'integer', default: 7 },
    given: { ...one(KEY, RECORD), example: 7 },
  });
});

test('what the database fills in, and what is read-only, is not required', () => {
  const required = 'givenId,presetId,given,title,bound,keyId,textId,bare';
  const asked = ['Create', 'Update', 'Replace'].map((verb) => requiredBy(document, `${verb}OwnerBodyDto`)?.join());
  expect(asked).toEqual([required, undefined, required]);
});
