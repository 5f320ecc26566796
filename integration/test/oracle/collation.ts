/** How the database's collation orders texts. The database itself is asked, since no program imitates a collation. */
import type { DataSource } from 'typeorm';
import { Database, type DatabaseName } from './evaluator/differences.js';
import type { ComparableField } from './queries/cells.js';
import { PROBES, swapCase } from './queries/operands.js';

/** Texts in one statement: two parameters each. */
const BATCH = 500;
const TEXTUAL: ReadonlySet<string> = new Set(['text', 'enum', 'JSON text']);

/** The database as the evaluator sees it, with the places of every text that a query can compare. */
export async function databaseOf(name: DatabaseName, source: DataSource, fields: readonly ComparableField[]) {
  const unplaced = new Database(name);
  const { textOrder, jsonTextOrder, uuidOrder } = unplaced.differences;
  const stored = fields.flatMap(({ type, values, column }) =>
    TEXTUAL.has(type) ? [...values.map(String), ...(column.members ?? [])] : [],
  );
  // Whatever a key leads to may be compared with a text.
  const scalars = fields.flatMap(({ keys, values }) => (keys.length > 0 ? values.map(String) : []));
  const probes = [...(PROBES.text ?? []), ...(PROBES['JSON text'] ?? []), ''].map(String);
  const cased = [...stored, ...scalars, ...probes].flatMap((text) => [text, swapCase(text)]);
  const texts = [...cased, ...cased.map((text) => unplaced.fold(text))];
  const text = textOrder === 'code points' ? undefined : await placesOf(source, texts, 'varchar(255)');
  const native = uuidOrder !== 'as text' && source.options.type === 'mariadb';
  const uuids = fields.flatMap(({ type, values }) => (type === 'uuid' ? values.map(String) : []));
  return new Database(name, {
    ...(text && { text }),
    ...(text && jsonTextOrder !== 'code points' && { 'JSON text': text }),
    ...(native && { uuid: await placesOf(source, uuids, 'uuid') }),
  });
}

async function placesOf(source: DataSource, given: readonly string[], type: string): Promise<Map<string, number>> {
  const texts = [...new Set(given)];
  const mark = (index: number): string => (source.options.type === 'postgres' ? `$${index}` : '?');
  const ranking = 'SELECT id, DENSE_RANK() OVER (ORDER BY body) AS place FROM oracle_texts';
  await source.query(`CREATE TABLE oracle_texts (id int, body ${type})`);
  try {
    for (let start = 0; start < texts.length; start += BATCH) {
      const batch = texts.slice(start, start + BATCH);
      const rows = batch.map((_, index) => `(${mark(index * 2 + 1)}, ${mark(index * 2 + 2)})`);
      const values = batch.flatMap((text, index) => [start + index, text]);
      await source.query(`INSERT INTO oracle_texts VALUES ${rows.join(', ')}`, values);
    }
    const ranks: { id: number; place: string }[] = await source.query(ranking);
    return new Map(ranks.map(({ id, place }) => [texts[id]!, Number(place)]));
  } finally {
    await source.query('DROP TABLE oracle_texts');
  }
}

/** Texts whose case the database folds otherwise than the table of differences says. */
export async function misfolded(database: Database, source: DataSource, texts: readonly string[]): Promise<string[]> {
  const mark = source.options.type === 'postgres' ? '$1::text' : '?';
  const wrong: string[] = [];
  for (const text of texts) {
    const [row]: { folded: string }[] = await source.query(`SELECT LOWER(${mark}) AS folded`, [text]);
    if (row?.folded !== database.fold(text)) wrong.push(text);
  }
  return wrong;
}
