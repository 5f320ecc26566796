/** The text of our INSERT and UPDATE, held to what TypeORM's builders print on each database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  ChildEntity,
  Column,
  DataSource,
  type DataSourceOptions,
  Entity,
  type EntityMetadata,
  type ObjectLiteral,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Changes, RESET } from '../../../sql/src/statements/changes.js';
import { toColumn, toTable } from '../../src/typeorm/entity-tables.js';
import { writeAssignments } from '../../../sql/src/statements/update.js';
import { withPlaceholders } from '../../../sql/src/select/index.js';
import { insertText, type KeyMaker, bindEntity } from '../../../sql/src/statements/insert-text.js';
import { toDatabase } from '../../src/typeorm/database.js';

class Size {
  @Column({ type: 'varchar', nullable: true }) width?: string;
  @Column({ type: 'varchar', nullable: true }) height?: string;
}

@Entity('text_things')
@TableInheritance({ column: { name: 'kind', type: 'varchar' } })
class Thing {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', nullable: true, default: 'none' }) label?: string;
  @Column({ type: 'varchar', nullable: true, insert: false }) late?: string;
  @Column({ type: 'varchar', nullable: true, update: false }) early?: string;
  @Column(() => Size) size!: Size;
  @VersionColumn() version!: number;
  @UpdateDateColumn() updatedAt!: Date;
}

@ChildEntity()
class Box extends Thing {}

const place = (type: string) => {
  @Entity('text_places')
  class Place {
    @PrimaryColumn({ type: 'varchar', length: 10 }) code!: string;
    @Column({ type: type as 'geometry', nullable: true }) shape?: unknown;
    @Column({ type: type as 'geometry', srid: 4326, nullable: true }) spot?: unknown;
  }

  return Place;
};

describeDatabases('statements', (db) => {
  const Place = place(db.kind === 'sqlite' ? 'simple-json' : 'geometry');
  let source: DataSource;

  beforeAll(async () => {
    // Without tables: the texts alone are looked at.
    source = new DataSource({ ...db.connection, entities: [Thing, Box, Place] } as DataSourceOptions);
    await source.initialize();
  });

  afterAll(() => source.destroy());

  const point = { type: 'Point', coordinates: [1, 2] };
  const sql = () => () => 'UPPER(1)';

  test.each<[string, () => new () => ObjectLiteral, ObjectLiteral[], KeyMaker]>([
    ['a subclass', () => Box, [{ label: 'a' }], 'database'],
    ['several rows', () => Thing, [{ label: null, size: { width: '1' } }, {}, { early: 'b', late: 'c' }], 'database'],
    ['SQL', () => Thing, [{ label: sql() }, { label: 'b' }], 'database'],
    ['shapes', () => Place, [{ code: 'a', shape: point, spot: point }], 'client'],
  ])('an INSERT with %s reads as TypeORM writes it', (_, entityOf, rows, keyMaker) => {
    const metadata = source.getMetadata(entityOf());
    const entities = rows.map((row) => Object.assign(metadata.create(), row));
    const bound = entities.map((entity) => bindEntity(toTable(metadata), entity, keyMaker));
    const builder = source.createQueryBuilder().insert().into(metadata.target).values(entities);
    const [text, parameters] = builder.callListeners(false).updateEntity(false).getQueryAndParameters();
    const templates = bound.map(({ template }) => template);

    expect(withoutReturning(insertText(toDatabase(source), templates))).toBe(withoutReturning(text));
    expect(bound.flatMap(({ values }) => values)).toEqual(parameters);
  });

  test.each<[string, () => new () => ObjectLiteral, [string, unknown][]]>([
    ['an embedded object', () => Thing, [['size.width', 'a'], ['size.height', null], ['label', 'b']]], // prettier-ignore
    ['a default', () => Thing, [['label', RESET], ['late', RESET]]], // prettier-ignore
    ['SQL', () => Thing, [['label', sql()]]],
    ['a column that no update sets', () => Thing, [['early', 'a'], ['late', 'b']]], // prettier-ignore
    ['shapes', () => Place, [['shape', point], ['spot', point]]], // prettier-ignore
  ])('an UPDATE with %s reads as TypeORM writes it', (_, entityOf, values) => {
    const metadata = source.getMetadata(entityOf());
    const changes: Changes = new Map(values.map(([path, value]) => [toColumn(columnAt(metadata, path)), value]));
    const { text: clause, values: bound } = writeAssignments(toTable(metadata), changes);
    const set: ObjectLiteral = {};

    for (const [path, value] of values) {
      const column = columnAt(metadata, path);
      const [outer, inner] = path.split('.') as [string, string?];
      const standard = db.kind === 'sqlite' ? (column.default ? `'none'` : 'NULL') : 'DEFAULT';
      const given = value === RESET ? () => standard : value;

      if (inner) set[outer] = { ...(set[outer] as object | undefined), [inner]: given };
      else set[outer] = given;
    }

    const [text, parameters] = source.createQueryBuilder().update(metadata.target).set(set).getQueryAndParameters();
    const clauses = (part: string) =>
      withoutMoment(part.replace(/.* SET /, ''))
        .split(', ')
        .sort();

    expect(clauses(withPlaceholders(toDatabase(source), clause))).toEqual(clauses(text));
    expect(bound).toEqual(parameters);
  });
});

/** PostgreSQL's builder returns what the database fills in. */
const withoutReturning = (text: string) => text.replace(/ RETURNING .*/, '');

/** The moment of an update is as precise as its column here. */
const withoutMoment = (set: string) =>
  set.replace(/(updatedAt\W?) = (?:CURRENT_TIMESTAMP(?:\(\d\))?|strftime\(.*?'now'\))/, '$1');

const columnAt = ({ columns }: EntityMetadata, path: string) =>
  columns.find(({ propertyPath }) => propertyPath === path)!;
