/** An empty database → the library that the suites read from: every kind of column, key and relation that a read treats in its own way, with texts, nulls and ties that make every operator honest; and reads of it by hand-made requests. */
import { afterAll, beforeAll } from '@jest/globals';
import type { CrudRequest, CrudRequestOptions } from '@nestwright/crud';
import { planRead, type ReadPlan } from '@nestwright/crud/adapter';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import { AfterLoad, Column, DeleteDateColumn, Entity, JoinColumn, JoinTable, ManyToMany } from 'typeorm';
import { ManyToOne, OneToMany, OneToOne, PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import type { DataSource, DataSourceOptions, ValueTransformer } from 'typeorm';
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { connect as connectTo } from '../support/resources.js';
import { Statements } from '../support/statements.js';
import type { PgParser, PgTypes } from '../../../sql/src/rows/default-parsers.js';
import { toCatalog } from '../../src/typeorm/entity-tables.js';

export const asNumber: ValueTransformer = {
  from: (value: unknown) => (value === null ? null : Number(value)),
  to: (value: unknown) => value,
};

class Label {
  @Column({ type: 'varchar', length: 40, nullable: true }) short!: string | null;
  @Column({ type: 'varchar', length: 40, nullable: true, name: 'long_text' }) long!: string | null;
}

@Entity('countries')
export class Country {
  @PrimaryColumn({ type: 'varchar', length: 2 }) code!: string;
  @Column({ type: 'varchar', length: 40 }) name!: string;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @OneToMany(() => Author, (author) => author.country) authors!: Relation<Author>[];
}

@Entity('authors')
export class Author {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 60, nullable: true, name: 'pen_name' }) name!: string | null;
  @Column(() => Label) label!: Label;
  @Column({ type: 'double precision', nullable: true }) score!: number | null;
  @Column({ type: 'decimal', precision: 20, scale: 2, nullable: true, transformer: asNumber }) balance!: number | null;
  @Column({ type: 'bigint', nullable: true }) big!: string | null;
  @Column({ type: Boolean, default: true }) active!: boolean;
  @Column({ type: 'simple-enum', enum: ['poet', 'critic'], default: 'poet' }) role!: 'poet' | 'critic';
  @Column({ type: Date, nullable: true, precision: 3 }) seenAt!: Date | null;
  @Column({ type: 'simple-array', nullable: true }) tags!: string[] | null;
  @Column({ type: 'simple-json', nullable: true }) settings!: unknown;
  @Column({ type: 'varchar', length: 20, default: 'hush', select: false }) secret!: string;
  @ManyToOne(() => Country, (country) => country.authors, { nullable: true }) country!: Relation<Country> | null;
  @ManyToOne(() => Author, (author) => author.pupils, { nullable: true }) mentor!: Relation<Author> | null;
  @OneToMany(() => Author, (author) => author.mentor) pupils!: Relation<Author>[];
  @OneToMany(() => Book, (book) => book.author) books!: Relation<Book>[];
  @ManyToMany(() => Circle, (circle) => circle.authors)
  @JoinTable({ name: 'authors_circles' })
  circles!: Relation<Circle>[];
  @OneToOne(() => Desk, (desk) => desk.author) desk!: Relation<Desk> | null;
}

@Entity('desks')
class Desk {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) wood!: string;
  @OneToOne(() => Author, (author) => author.desk) @JoinColumn() author!: Relation<Author>;
}

@Entity('circles')
class Circle {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) title!: string | null;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @ManyToMany(() => Author, (author) => author.circles) authors!: Relation<Author>[];
}

@Entity('shelves')
export class Shelf {
  @PrimaryColumn({ type: 'varchar', length: 10 }) room!: string;
  @PrimaryColumn({ type: 'int' }) no!: number;
  @Column({ type: 'varchar', length: 20 }) wood!: string;
  @OneToMany(() => Book, (book) => book.shelf) books!: Relation<Book>[];
}

@Entity('books')
export class Book {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 40, nullable: true }) title!: string | null;
  @Column({ type: 'int', nullable: true }) pages!: number | null;
  @Column({ type: 'int', nullable: true }) authorId!: number | null;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @ManyToOne(() => Author, (author) => author.books, { nullable: true }) author!: Relation<Author> | null;
  @ManyToOne(() => Shelf, (shelf) => shelf.books, { nullable: true }) shelf!: Relation<Shelf> | null;
  @OneToMany(() => Review, (review) => review.book) reviews!: Relation<Review>[];
  loadedAs?: string;
  @AfterLoad()
  noteLoad(): void {
    this.loadedAs = `${this.loadedAs ?? ''}book ${this.id}`;
  }
}

@Entity('reviews')
export class Review {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'int' }) stars!: number;
  @ManyToOne(() => Book, (book) => book.reviews) book!: Relation<Book>;
}

export const ENTITIES = [Country, Author, Desk, Circle, Shelf, Book, Review];

const NULLS = 'name score balance big seenAt tags settings country mentor'.split(' ');
const NOTHING = {
  ...(Object.fromEntries(NULLS.map((name) => [name, null])) as Record<string, null>),
  label: { short: null, long: null },
  active: true,
  role: 'poet' as Author['role'],
};

/** Authors as answers show them, with the keys of two relations. */
export const AUTHORS = [
  {
    id: 1,
    name: 'Anna',
    label: { short: 'an', long: 'The % sign' },
    score: 1.5,
    balance: 10.5,
    big: '9007199254740993',
    tags: ['a', 'b'],
    country: 'de',
    seenAt: new Date('2024-05-01T10:00:00.000Z'),
    settings: { theme: 'dark', size: 10, on: true },
  },
  {
    id: 2,
    name: 'anna',
    label: { short: 'AN', long: 'under_score' },
    score: 10,
    balance: 10,
    active: false,
    big: '9007199254740992',
    country: 'fr',
    mentor: 1,
    role: 'critic' as const,
    seenAt: new Date('2024-05-01T10:00:00.001Z'),
    settings: { theme: 'Dark', size: 2, on: false },
  },
  {
    id: 3,
    name: 'anna ',
    score: -3,
    balance: -0.01,
    big: '-5',
    tags: [],
    country: 'de',
    mentor: 1,
    seenAt: new Date('2024-04-30T23:59:59.999Z'),
    settings: { theme: null, list: [1, 2] },
  },
  { id: 4, name: '', label: { short: '', long: 'a*b?c[d]' }, tags: ['a', 'c d'], country: 'xx', mentor: 2 },
  { id: 5, name: 'O\'Neil || \\ "x"', label: { short: null, long: '!bang' }, balance: 100, settings: { size: '10' } },
  { id: 6, active: false, country: 'fr' },
  { id: 7, name: 'Øyvind Ångström 漢字', score: 10, settings: { theme: 'dark', size: 9.5 } },
  { id: 8, name: '10', big: '10', score: 0.1, seenAt: new Date('2024-05-01T10:00:00.000Z') },
].map((author) => ({ ...NOTHING, ...author }));

const GONE = { deletedAt: new Date('2024-01-01T00:00:00Z') };
const SHELVES = { A1: 'oak', A2: 'ash', B1: 'elm' };
const shelfOf = (place: string) => ({ room: place[0]!, no: Number(place[1]) });
const BOOKS = [
  { id: 11, title: 'One', pages: 100, authorId: 1, shelf: shelfOf('A1') },
  { id: 12, title: 'Two', pages: 200, authorId: 1, shelf: shelfOf('A2') },
  { id: 13, title: null, pages: 300, authorId: 1 },
  { id: 14, title: 'Lost', pages: 50, authorId: 2, shelf: shelfOf('A1'), ...GONE },
  { id: 15, title: 'One', pages: null, authorId: 3, shelf: shelfOf('B1') },
  { id: 16, title: 'Three', pages: 100, authorId: null },
  { id: 17, title: 'Four', pages: 10, authorId: 5, ...GONE },
  { id: 18, title: 'Five', pages: 20, authorId: 5, shelf: shelfOf('B1') },
];

const REVIEWS = ['11 1', '11 5', '12 5', '15 2', '14 4'].map((text) => text.split(' ').map(Number));
const CIRCLES = [
  { id: 21, title: 'Blue', authors: [1, 2] },
  { id: 22, title: 'Red', authors: [1] },
  { id: 23, title: 'Shut', authors: [1, 4], ...GONE },
  { id: 24, title: null, authors: [3] },
];

type Library = { readonly source: DataSource; readonly statements: Statements };

/** Connects to the library before the first test of the block, until after the last; until then there is no source. */
export function library(
  db: TestDatabase,
  options: Partial<DataSourceOptions> = {},
  fill?: (source: DataSource) => Promise<void>,
): Library {
  const statements = new Statements();
  const made = { statements } as { source: DataSource; statements: Statements };
  beforeAll(async () => {
    made.source = await connectTo(db, ENTITIES, { logger: statements, logging: ['query'], ...options });
    await seed(made.source);
    await fill?.(made.source);
  });
  afterAll(() => made.source.destroy());
  return made;
}

async function seed(source: DataSource): Promise<void> {
  const { manager } = source;
  const names = Object.entries({ de: 'Germany', fr: 'France', xx: 'Gone' });
  const countries = names.map(([code, name]) => ({ code, name, deletedAt: name === 'Gone' ? GONE.deletedAt : null }));
  const links = ({ country: code, mentor: id }: (typeof AUTHORS)[number]) => ({
    country: code && { code },
    mentor: id && { id },
  });
  await manager.insert(Country, countries);
  // TypeORM's types of a partial entity do not go through a JSON column.
  for (const row of AUTHORS) await manager.insert(Author, { ...row, ...links(row) } as never);
  await manager.insert(Desk, { wood: 'oak', author: { id: 1 } });
  for (const [place, wood] of Object.entries(SHELVES)) await manager.insert(Shelf, { ...shelfOf(place), wood });
  for (const book of BOOKS) await manager.insert(Book, book);
  for (const [index, [id, stars]] of REVIEWS.entries())
    await manager.insert(Review, { id: 101 + index, stars: stars!, book: { id: id! } });
  for (const { authors, ...circle } of CIRCLES) {
    await manager.insert(Circle, circle);
    await source.createQueryBuilder().relation(Circle, 'authors').of(circle.id).add(authors);
  }
}

interface Registry extends PgTypes {
  setTypeParser(type: number, parser: PgParser): void;
}

/** The parsers of PostgreSQL's driver. */
export const typesOf = ({ driver }: DataSource): Registry =>
  (driver as unknown as { postgres: { types: Registry } }).postgres.types;

/** A request as an override would make it. */
export const requestOf = (parsed: Partial<ParsedRequestParams>, options: CrudRequestOptions = {}): CrudRequest => ({
  parsed: { search: {}, ...parsed } as ParsedRequestParams,
  options: { query: {}, routes: {}, params: {}, ...options },
});

export const planOf = (source: DataSource, entity: new () => object, request: CrudRequest): ReadPlan =>
  planRead(request, toCatalog(source.getMetadata(entity)), 'many');
