/** Documents with odd keys → the records whose value stands under a key, the same on each database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SCondition } from '@nestwright/crud-request';
import { DataSource, EntitySchema } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { read } from '../../../sql/src/select/index.js';
import { planOf, requestOf } from './library.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { connect } from '../support/resources.js';

class Sheet {
  id!: number;
  note!: unknown;
}

const schema = new EntitySchema<Sheet>({
  name: 'Sheet',
  target: Sheet,
  columns: { id: { type: 'int', primary: true }, note: { type: 'simple-json', nullable: true } },
});

const KEYS = [
  ...['plain', 'with blank', 'it"s', '"quoted"', '"', 'back\\slash', '\\', '\\"', "apo'strophe", 'new\nline', 'tab\t'],
  ...[
    '\u0001',
    'ключ',
    '🔑',
    'é',
    '0',
    'a-1',
    '[0]',
    '$',
    '*',
    '**',
    '%_',
    'a:b',
    'a/b',
    '{}',
    '?',
    ':p0',
    '$1',
    'last',
  ],
  ...['#-1', 'constructor', 'json_step0'],
];

describeDatabases('keys of documents', (db) => {
  let source: DataSource;

  beforeAll(async () => {
    source = await connect(db, [schema]);
    const notes = KEYS.flatMap((key, index) => [
      { [key]: `text ${index}` },
      { [key]: { [key]: { inner: index } } },
      { [key]: { [key]: index % 2 === 0 } },
      { [key]: null },
    ]);
    const sheets = [...notes, ['array', { plain: 'x' }], 'text', null].map((note, id) => ({ id, note }));
    await source.getRepository(Sheet).insert(sheets as never);
  });

  afterAll(() => source.destroy());

  const found = async (search: object) =>
    (await read<Sheet>(planOf(source, Sheet, requestOf({ search: search as SCondition })), toDatabase(source))).map(
      ({ id }) => id,
    );

  test.each(KEYS.map((key, index) => [JSON.stringify(key), key, index] as const))('%s', async (_, key, index) => {
    const [text, inner, flag] = [4 * index, 4 * index + 1, 4 * index + 2];

    expect(await found({ [`note.${key}`]: { $eq: `text ${index}` } })).toEqual([text]);
    expect(await found({ [`note.${key}.${key}.inner`]: { $gte: index, $lte: index } })).toEqual([inner]);
    expect(await found({ [`note.${key}.${key}`]: { $eq: index % 2 === 0 } })).toEqual([flag]);
    expect(await found({ [`note.${key}`]: { $notnull: true } })).toEqual([text, inner, flag]);
    expect(await found({ [`note.${key}.${key}`]: { $notnull: true } })).toEqual([inner, flag]);
  });

  // MariaDB's paths know no such key, however it is quoted: docs/databases.md says so.
  if (db.kind !== 'mysql') {
    test('a key that begins with a minus sign', async () => {
      await source.getRepository(Sheet).insert({ id: 9101, note: { '-a': 'minus' } } as never);

      expect(await found({ 'note.-a': { $eq: 'minus' } })).toEqual([9101]);
    });
  }
});
