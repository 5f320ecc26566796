/** The records that the suites about reads are over: every kind of column, key and relation that a read treats in its own way. */
import { AfterLoad, ChildEntity, Column, DeleteDateColumn, Entity, JoinColumn, JoinTable, ManyToMany } from 'typeorm';
import { ManyToOne, OneToMany, OneToOne, PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { TableInheritance, type ValueTransformer } from 'typeorm';

export const asNumber: ValueTransformer = {
  from: (value: unknown) => (value === null ? null : Number(value)),
  to: (value: unknown) => value,
};

export class Label {
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
  @Column({ type: 'date', nullable: true }) born!: string | null;
  @Column({ type: 'time', nullable: true }) wakes!: string | null;
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
export class Desk {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) wood!: string;
  @OneToOne(() => Author, (author) => author.desk) @JoinColumn() author!: Relation<Author>;
}

@Entity('circles')
export class Circle {
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

@Entity('pets')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export class Pet {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@ChildEntity('cat')
export class Cat extends Pet {
  @Column({ type: 'int', nullable: true }) lives!: number | null;
}

@ChildEntity('dog')
export class Dog extends Pet {
  @Column({ type: 'varchar', length: 20, nullable: true }) trick!: string | null;
}

export const ENTITIES = [Country, Author, Desk, Circle, Shelf, Book, Review, Pet, Cat, Dog];
