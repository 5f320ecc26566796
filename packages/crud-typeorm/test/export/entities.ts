/** Books of authors, with tags and reviews, for exports. */
import { Exclude } from 'class-transformer';
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
  @Column({ type: 'varchar', length: 10 }) tenant!: string;
  @Exclude() @Column({ type: 'varchar', length: 10 }) secret!: string;
  @Column({ type: 'int', nullable: true }) authorId!: number | null;
  @ManyToOne(() => Author)
  @JoinColumn({ name: 'authorId' })
  author!: Relation<Author> | null;
  @OneToMany(() => Review, (review) => review.book) reviews!: Relation<Review>[];
}

@Entity('export_reviews')
export class Review {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'int' }) stars!: number;
  @ManyToOne(() => Book, (book) => book.reviews)
  book!: Relation<Book>;
}

/** More than are read at a time. */
export const BOOKS = 450;
