import { IsInt, IsOptional, Length } from 'class-validator';
import { Column, DeleteDateColumn, Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
export class Author {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  name!: string;
}

@Entity()
export class Book {
  @PrimaryGeneratedColumn()
  id!: number;

  @Length(1, 200)
  @Column()
  title!: string;

  @IsOptional()
  @IsInt()
  @Column({ type: 'int', nullable: true })
  year!: number | null;

  @IsOptional()
  @ManyToOne(() => Author)
  author?: Author;

  @DeleteDateColumn()
  deletedAt!: Date | null;
}
