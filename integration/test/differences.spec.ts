/** The table of docs/databases.md: what each database itself does differently, row by row. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { resource } from '../../packages/crud-typeorm/test/support/resources.js';
import { serving } from '../../packages/crud-typeorm/test/support/serving.js';
import { DATABASES, describeDatabases } from '../test-support/index.js';

const KINDS = ['small', 'large', 'medium'];

@Entity('differences')
class Sample {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) text!: string | null;
  @Column({ type: 'simple-enum', enum: KINDS }) kind!: string;
  @Column({ type: 'uuid' }) ref!: string;
  @Column({ type: 'decimal', precision: 6, scale: 2 }) price!: number;
  @Column({ type: 'simple-json' }) doc!: { theme: string };
}

const TEXTS = ['étude', null, 'Zoë', 'ada', '_x', '\uFF41wide', '😀'];
const REFS = ['6b1f7b1e-0c2a-4a57-9d5e-00000000000b', 'a3c5d7e9-1b3d-4f6a-8c9e-00000000000a'];
const samples = resource(Sample, 'samples');

/** UTF-16 puts supplementary characters before U+E000; code points do not. */
const byCodePoints = (texts: readonly string[]) =>
  [...texts].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

const guide = readFileSync(new URL('../../docs/databases.md', import.meta.url), 'utf8');
const [, , ...lines] = guide
  .split('\n\n')
  .find((block) => block.startsWith('| | SQLite |'))!
  .split('\n');
const rows = lines.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

describeDatabases('differences', (db) => {
  const records = TEXTS.map((text, at) => {
    const [kind, ref] = [KINDS[at % 3]!, REFS[at % 2]!];
    return { id: at + 1, text, kind, ref, price: 1.5, doc: { theme: text ?? 'B' } };
  });
  const served = serving(db, [Sample], [samples], { fill: ({ manager }) => manager.insert(Sample, records) });
  const list = (query: string) => served.read(`/samples?${query}`) as Promise<Sample[]>;
  const sorted = async (name: 'text' | 'ref' | 'kind') => (await list(`sort=${name},ASC`)).map((one) => one[name]);
  const texts = TEXTS.filter((text) => text !== null);

  /** What the database itself makes of a statement, a value per row. */
  const asked = async (sql: string): Promise<unknown[]> =>
    (await served.source.query(sql)).map((row: object) => Object.values(row)[0] as unknown);

  const SHOWN: Record<string, (word: string) => Promise<void>> = {
    'Letters whose case `L` operators ignore': async (word) => {
      const found = await list(`s=${encodeURIComponent('{"text":{"$inL":["ÉTUDE","ADA"]}}')}&sort=id,ASC`);
      expect(found.map(({ text }) => text)).toEqual(word === 'A–Z only' ? ['ada'] : ['étude', 'ada']);
    },
    'Nulls in an ascending sort': async (word) => {
      expect((await sorted('text')).indexOf(null)).toBe(word === 'first' ? 0 : texts.length);
    },
    'Order of text (sort, `gt` `lt` `gte` `lte` `between`)': async (word) => {
      const collated = 'SELECT text FROM differences WHERE text IS NOT NULL ORDER BY text, id';
      const order = word === 'code points' ? byCodePoints(texts) : await asked(collated);
      expect((await sorted('text')).filter((text) => text !== null)).toEqual(order);
    },
    'Order of text in JSON (`gt` `lt` `gte` `lte` `between`)': async (word) => {
      const found = (await list('filter=doc.theme||gt||a&sort=id,ASC')).map(({ doc }) => doc.theme);
      const collated = `SELECT text FROM differences WHERE text > 'a' ORDER BY id`;
      const isAfter = (theme: string) => byCodePoints([theme, 'a'])[0] === 'a';
      expect(found).toEqual(word === 'code points' ? texts.filter(isAfter) : await asked(collated));
    },
    'Order of uuids': async () => {
      const refs = await sorted('ref');
      const own = await asked('SELECT ref FROM differences ORDER BY ref, id');
      expect(refs).toEqual(served.source.options.type === 'mariadb' ? own : [...refs].sort());
    },
    'Sort by an enum': async (word) => {
      const order = word === 'as declared' ? KINDS : [...KINDS].sort();
      expect([...new Set(await sorted('kind'))]).toEqual(order);
    },
    'A decimal column without a transformer': async (word) => {
      expect((await list('limit=1'))[0]!.price).toBe(word === 'a number' ? 1.5 : '1.50');
    },
  };

  test.each(rows)('%s', (title, ...words) => SHOWN[title!]!(words[DATABASES.indexOf(db.kind)]!));
});
