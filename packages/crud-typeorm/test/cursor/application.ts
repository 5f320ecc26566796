/** A database → readings of stations, in lists that are read by cursors: served on Express. */
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions, EntityTarget } from 'typeorm';
import { listen, type TestDatabase } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
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

/** @example const { app, url } = await openReadings(db); */
export async function openReadings(
  db: TestDatabase,
): Promise<{ app: INestApplication; url: string; source: DataSource; Reading: EntityTarget<object> }> {
  const { Reading, Station, Mark } = entitiesFor(db.kind);
  const query = { cursor: true, join: { station: {}, marks: {} } };
  const resources = [
    resource(Reading as never, 'readings', { query } as never),
    resource(Reading as never, 'plain', { query: { join: { station: {} } } } as never),
    resource(Reading as never, 'freed', { query: { cursor: true, conditions: ['secret'] } } as never),
    resource(Station as never, 'stations', {
      query: { cursor: true, sort: [{ field: 'title', order: 'DESC' }], limit: 2 },
    } as never),
  ];
  const entities = [Reading, Station, Mark] as never[];
  const module = await Test.createTestingModule({
    imports: [
      TypeOrmModule.forRoot({ ...db.connection, entities, synchronize: true } as DataSourceOptions),
      TypeOrmModule.forFeature(entities),
    ],
    controllers: resources.map(({ controller }) => controller),
    providers: resources.map(({ provider }) => provider),
  }).compile();
  const { app, url } = await listen(module, 'express');
  const source = app.get<DataSource>(getDataSourceToken());
  await fill(source, db, { Reading, Station, Mark });

  return { app, url, source, Reading };
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
