/** Cursors that are damaged, cut, foreign, or forged with a checksum that is right → a page or a 400 with its code, and never a fault of the server. `CURSOR_ATTACKS` says how many. */
import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { anyCharacter, describeDatabases, sampleCount } from '../../../../integration/test-support/index.js';
import { NAMES, servingReadings } from './readings.js';

const ATTACKS = Number(process.env['CURSOR_ATTACKS'] ?? sampleCount(600));
const AT_ONCE = 8;

/** What a database might stumble over. */
const TEXTS = [
  '', ' ', '0', '-0', '00', '-1', '1.5', '1e5', '1e999', '-1e999', '1e-999', '+1', '.5', '5.', '0x10', 'NaN', 'Infinity', '-Infinity', 'infinity', '-infinity', 'inf', 'nan',
  '9'.repeat(19), '9'.repeat(20), `-${'9'.repeat(20)}`, '9'.repeat(400), `0.${'9'.repeat(400)}`, '9223372036854775807', '9223372036854775808', '2147483648',
  'true', 'false', 't', 'f', 'null', 'NULL', '2026-01-01', '0000-00-00', '2026-13-45', '2026-02-30', '99999999', '99999999-99-99', '2026-1-1', '20260101', '4714-01-01 BC', '294277-01-01',
  '2026-01-01T00:00:00Z', '2026-01-01 25:61:61', '2026-01-01T00:00:00.1234567890123+99:99', '2026-01-01 00:00:00 BC', '0000-00-00 00:00:00', '2026-01-01T00:00:00+15:59', '24:00:00', '99:99:99',
  '00000000-0000-4000-8000-000000000001', '{00000000-0000-4000-8000-000000000001}', '00000000000040008000000000000001', '00000000-0000-4000-8000-00000000000g',
  'zeal', 'ZEAL', '1', '3', '4', '99999', 'a\0b', '\ud800', '\udfff\ud800', '😀', '\u202e', 'Å', 'A\u030a', '\ufffe', '\u0001', "'", "''", '"', '`', '\\', '\\x00', '%', '_', ':p0', '$1', '?', ';--', "' OR 1=1 --",
  'i', 'i5', 'i-5', 'i9223372036854775807', 'i9223372036854775808', `i${'9'.repeat(30)}`, 'i1.5', 'iNaN', 'r', 'r1.5', 'r1e400', 'r-Infinity', 'rNaN', 'rx', 't', 'tx', 'tx\0y', 'b', 'b0', 'b00ff', 'bzz', 'n', 'x1',
  'x'.repeat(4000), '😀'.repeat(500), '[]', '{}', '__proto__', 'constructor',
] as const; // prettier-ignore

const value = fc.oneof(
  ...[
    { arbitrary: fc.constantFrom<unknown>(...TEXTS), weight: 8 },
    { arbitrary: fc.constant(null), weight: 1 },
  ],
  { arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }), weight: 2 },
  { arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constantFrom({}, [], ['a'])), weight: 1 },
);

/** Parts of a cursor as they should be, and what is put in their place. */
type Part = 'version' | 'model' | 'mark' | 'sort' | 'values';
const WAYS = ['one value', 'one value', 'part', 'bytes', 'cut', 'text', 'spelling'] as const;
const sorted = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom('ASC', 'DESC'));
const attack = fc.record({
  sort: fc.uniqueArray(sorted, { selector: ([name]) => name, minLength: 1, maxLength: 3 }),
  way: fc.constantFrom('values', 'values', 'values', ...WAYS),
  mark: fc.constantFrom('next', 'next=', 'previous', 'previous='),
  values: fc.array(value, { minLength: 5, maxLength: 5 }),
  part: fc.constantFrom<Part>('version', 'model', 'mark', 'sort', 'values'),
  at: fc.nat(),
  bytes: fc.uint8Array({ maxLength: 40 }),
});
type Attack = typeof attack extends fc.Arbitrary<infer T> ? T : never;
/** What a cursor says. */
type Content = [version: number, model: string, mark: string, sort: string[], values: (string | null)[]];
const contentOf = (cursor: string): Content =>
  JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8', 6)) as Content;

function sealed(content: string): string {
  const bytes = Buffer.from(content);
  return Buffer.concat([createHash('sha256').update(bytes).digest().subarray(0, 6), bytes]).toString('base64url');
}

const forged = (content: unknown): string => sealed(JSON.stringify(content));

/** What is sent in the place of a cursor, and whether a page may be answered. */
function made(cursor: string, { way, mark, values, part, at, bytes }: Attack): [text: string, mayPass: boolean] {
  const [version, model, , sort, held] = contentOf(cursor);
  const bad = values[0];
  switch (way) {
    case 'values':
      return [forged([version, model, mark, sort, held.map((_, index) => values[index])]), true];
    case 'one value': {
      const changed = held.map((one, index) => (index === at % held.length ? bad : one));
      return [forged([version, model, mark, sort, changed]), true];
    }
    case 'part': {
      const parts: Record<Part, unknown> = { version, model, mark, sort, values: held };
      return [forged(Object.values({ ...parts, [part]: part === 'sort' ? [...sort, 'id,ASC'] : bad })), false];
    }
    case 'spelling':
      return [sealed(` ${JSON.stringify(contentOf(cursor))}`), false];
    case 'cut':
      return [cursor.slice(0, at % cursor.length), false];
    case 'text':
      return [Buffer.from(bytes).toString(at % 2 ? 'base64url' : 'latin1'), false];
    default: {
      const changed = Buffer.from(cursor, 'base64url');
      changed[at % changed.length]! ^= 1 + ((bytes[0] ?? 0) % 255);
      return [changed.toString('base64url'), false];
    }
  }
}

describeDatabases('cursors that were not answered', (db) => {
  const { own } = servingReadings(db);
  const get = (search: string, cursor: string) =>
    own.send('get', `/readings?limit=4&${search}&cursor=${encodeURIComponent(cursor)}`);

  test('are a page or a 400 with its code', async () => {
    const genuine = new Map<string, string>();
    const faults: unknown[] = [];
    const seen = { passed: 0, refused: 0 };
    const tried = async (one: Attack): Promise<void> => {
      const search = one.sort.map((sort) => `sort=${sort.join(',')}`).join('&');
      let cursor = genuine.get(search);
      if (!cursor) genuine.set(search, (cursor = (await get(search, '')).body.next as string));
      const [text, mayPass] = made(cursor, one);
      if (text === '' || text === cursor) return;
      const { status, body } = await get(search, text);
      const isPage = status === 200 && mayPass && Array.isArray(body.data) && body.data.length <= 4;
      const isRefused = status === 400 && body.code === 'CRUD_INVALID_CURSOR' && body.field === 'cursor';
      if (isPage) seen.passed += 1;
      else if (isRefused) seen.refused += 1;
      else faults.push([search, one.way, safeContent(text), status, body]);
    };
    const attacks = fc.sample(attack, { seed: 20_261_122, numRuns: ATTACKS }).values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of attacks) await tried(one);
      }),
    );
    expect(faults.slice(0, 20)).toEqual([]);
    expect(seen.passed).toBeGreaterThan(ATTACKS / 200);
    expect(seen.refused).toBeGreaterThan(ATTACKS / 4);
  }, 1_200_000);
});

function safeContent(text: string): unknown {
  try {
    return contentOf(text);
  } catch {
    return text;
  }
}
