/** Values by which a `@Transform()` that shows a value differs from one that masks it: no two are alike, and no part of them always differs. */
import type { CatalogColumn, ColumnKind } from '../plan/catalog.js';

const TEXTS = [
  'sample-one-two-three-four-five-six',
  'tample-one-two-three-four-five-six',
  'sample-one-two-thref-four-five-six',
  'sample-one-two-three-four-five-siy',
];
const NUMBERS = [1_001_001, 2_001_001, 1_002_001, 1_001_002];
const DATES = ['2001-02-03', '2011-02-03', '2001-11-03', '2001-02-13'];

const SAMPLES: Readonly<Record<ColumnKind, readonly unknown[]>> = {
  text: TEXTS,
  integer: NUMBERS,
  float: NUMBERS,
  bigint: NUMBERS.map(String),
  decimal: NUMBERS.map(String),
  boolean: [true, false],
  uuid: [
    '11111111-1111-4111-8111-111111111111',
    '21111111-1111-4111-8111-111111111111',
    '11111111-1111-4121-8111-111111111111',
    '11111111-1111-4111-8111-111111111112',
  ],
  enum: TEXTS,
  date: DATES,
  time: ['01:02:03', '11:02:03', '01:12:03', '01:02:13'],
  datetime: DATES.map((date) => new Date(`${date}T04:05:06.000Z`)),
  json: TEXTS.map((text) => ({ sample: text })),
  array: TEXTS.map((text) => [text]),
  binary: TEXTS.map((text) => Buffer.from(text)),
};

/** Values as a record holds them: of the column, or of a key in its JSON. */
export function samplesOf(
  { kind, members }: CatalogColumn,
  jsonPath: readonly string[] = [],
): readonly [unknown, ...unknown[]] {
  if (jsonPath.length > 0) return TEXTS.map((text) => nested(jsonPath, text)) as [unknown];
  const samples = kind === 'enum' && members && members.length > 1 ? members.slice(0, 4) : SAMPLES[kind];

  return samples as [unknown];
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => {
    const object = {};
    // Assigning to __proto__ would set no property.
    Object.defineProperty(object, key, { value: inner, enumerable: true });

    return object;
  }, value);
}
