import { CrudValidationGroups } from '@nestjsx/crud';
import { Exclude, Type } from 'class-transformer';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { Column, DeleteDateColumn, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm';

const { CREATE, UPDATE } = CrudValidationGroups;

@Entity('users')
export class User {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsString({ always: true })
  @IsOptional({ groups: [UPDATE] })
  @Column('varchar', { unique: true })
  email!: string;

  @IsOptional({ groups: [CREATE, UPDATE] })
  @Column('varchar', { nullable: true })
  name?: string | null;

  @Exclude({ toPlainOnly: true })
  @IsOptional({ groups: [CREATE, UPDATE] })
  @Column('varchar', { nullable: true })
  password?: string | null;

  @OneToMany(() => Post, (post) => post.author)
  posts?: Post[];
}

@Entity('posts')
export class Post {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsOptional({ groups: [UPDATE] })
  @IsString({ groups: [CREATE, UPDATE] })
  @MaxLength(40, { always: true })
  @Column('varchar')
  title!: string;

  @IsOptional({ groups: [CREATE, UPDATE] })
  @Column('varchar', { nullable: true })
  slug?: string | null;

  @IsOptional({ groups: [CREATE, UPDATE] })
  @Column('boolean', { default: false })
  published?: boolean;

  @IsOptional({ groups: [CREATE, UPDATE] })
  @Column('integer', { nullable: true })
  authorId?: number | null;

  @DeleteDateColumn()
  deletedAt?: Date | null;

  @Type(() => User)
  @ManyToOne(() => User, (user) => user.posts)
  author?: User;

  @OneToMany(() => Comment, (comment) => comment.post)
  comments?: Comment[];
}

@Entity('comments')
export class Comment {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsString({ groups: [CREATE] })
  @IsOptional({ groups: [UPDATE] })
  @Column('varchar')
  text!: string;

  @Column('integer')
  postId!: number;

  @ManyToOne(() => Post, (post) => post.comments)
  post?: Post;
}
