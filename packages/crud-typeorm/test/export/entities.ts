/** Books of authors, with reviews, for exports. */
import type { Type } from '@nestjs/common';
import { Exclude, Expose, Transform } from 'class-transformer';
import { parse } from 'csv-parse/sync';
import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, type Relation } from 'typeorm';

@Entity('export_authors')
export class Author {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 40, nullable: true }) name!: string | null;
}

@Entity('export_books')
export class Book {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 60, nullable: true }) title!: string | null;
  @Column({ type: 'decimal', precision: 12, scale: 2 }) price!: string;
  @Exclude() @Column({ type: 'varchar', length: 10 }) secret!: string;
  @Column({ type: 'int', nullable: true }) authorId!: number | null;
  @ManyToOne(() => Author) @JoinColumn({ name: 'authorId' }) author!: Relation<Author> | null;
  @OneToMany(() => Review, (review) => review.book) reviews!: Relation<Review>[];
}

@Entity('export_reviews')
export class Review {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'int' }) stars!: number;
  @ManyToOne(() => Book, (book) => book.reviews) book!: Relation<Book>;
}

/** More than are read at a time. */
export const BOOKS = 450;

/** A class of answers that fails on one record in the middle. */
export function failingAt2500(error: () => Error): Type<unknown> {
  @Exclude()
  class Failing {
    @Expose()
    @Transform(({ value }: { value: number }) => {
      if (value === 2500) throw error();
      return value;
    })
    id!: number;
    @Expose() title!: string;
    @Expose() body!: string;
  }
  return Failing;
}

/** Numbers from 1 to as many as there are, at most 10,000, for `INSERT ... SELECT`. */
export const numbers = (count: number): string => {
  const digits = `(${Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS n`).join(' UNION ALL ')})`;
  return `(SELECT a.n * 1000 + b.n * 100 + c.n * 10 + d.n + 1 AS seq FROM ${digits} a, ${digits} b, ${digits} c, ${digits} d WHERE a.n < ${count / 1000}) numbers`;
};

export type Row = Record<string, unknown>;

/** The records of an answer in lines of JSON. */
export function recordsIn(text: string): Row[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Row);
}

/** The records of an answer in comma-separated values, where empty without quotation marks is null. */
export const tableIn = (text: string): Row[] =>
  parse(text, {
    columns: true,
    cast: (value: string, { quoting, header }) => (value === '' && !quoting && !header ? null : value),
  }) as Row[];
