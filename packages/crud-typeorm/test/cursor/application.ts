/** A database → readings of stations, in lists that are read by cursors: served on Express. */
import type { DataSource, EntityTarget } from 'typeorm';
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { entitiesFor, FIELDS, literalsFor } from './entities.js';

export const RECORDS = 60;
/** Names by which readings are sorted. */
export const NAMES = [...FIELDS, 'station.title', 'station.id', 'id', 'part'];

/** Equal numbers in each run. */
function randomizer(): (below: number) => number {
  let state = 42;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** Serves readings for the tests of a block. */
export function servingReadings(db: TestDatabase) {
  const { Reading, Station, Mark } = entitiesFor(db.kind);
  const resources = [
    looseResource(Reading, 'readings', { query: { cursor: true, join: { station: {}, marks: {} } } }),
    looseResource(Reading, 'plain', { query: { join: { station: {} } } }),
    looseResource(Reading, 'freed', { query: { cursor: true, conditions: ['secret'] } }),
    looseResource(Station, 'stations', {
      query: { cursor: true, sort: [{ field: 'title', order: 'DESC' }], limit: 2 },
    }),
  ];
  const own = serving(db, [Reading, Station, Mark], resources, {
    fill: (source) => fill(source, db, { Reading, Station, Mark }),
  });
  return { own, Reading };
}

async function fill(
  source: DataSource,
  { kind }: TestDatabase,
  { Reading, Station, Mark }: ReturnType<typeof entitiesFor>,
): Promise<void> {
  const name = (text: string) => source.driver.escape(text);
  const table = (entity: EntityTarget<object>) => name(source.getMetadata(entity).tableName);
  const random = randomizer();
  const literals = literalsFor(kind);
  const pick = (list: readonly string[]) => list[random(list.length)]!;
  for (const title of ['NULL', `'north'`, `'South'`, `'south'`])
    await source.query(`INSERT INTO ${table(Station)} (${name('title')}) VALUES (${title})`);
  const columns = ['id', 'part', ...FIELDS, 'stationId'].map(name).join(', ');
  const rows = Array.from({ length: RECORDS }, (_, index) =>
    [
      String(Math.floor(index / 2)),
      `'${index % 2 === 0 ? 'left' : 'right'}'`,
      ...FIELDS.map((field) => pick(literals[field])),
      pick(['NULL', '1', '2', '3', '4']),
    ].join(', '),
  );
  await source.query(`INSERT INTO ${table(Reading)} (${columns}) VALUES ${rows.map((row) => `(${row})`).join(', ')}`);
  await source.query(
    `INSERT INTO ${table(Mark)} (${name('readingId')}, ${name('readingPart')}) VALUES (1, 'left'), (1, 'left'), (2, 'right')`,
  );
}
