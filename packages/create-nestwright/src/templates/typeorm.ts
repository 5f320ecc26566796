import type { Choices } from '../choices.js';
import type { Files } from './files.types.js';

const service = (entity: string, plural: string): string => `import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { ${entity} } from './${entity.toLowerCase()}.entity.js';

@Injectable()
export class ${plural}Service extends TypeOrmCrudService<${entity}> {
  constructor(@InjectRepository(${entity}) ${plural.toLowerCase()}: Repository<${entity}>) {
    super(${plural.toLowerCase()});
  }
}
`;

const AUTHOR = `import { CrudValidationGroups } from '@nestwright/crud';
import { IsOptional, Length } from 'class-validator';
import { Column, Entity, OneToMany, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Book } from '../books/book.entity.js';

const { UPDATE } = CrudValidationGroups;

@Entity('authors')
export class Author {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsOptional({ groups: [UPDATE] })
  @Length(1, 80, { always: true })
  @Column({ length: 80 })
  name!: string;

  @OneToMany(() => Book, (book) => book.author)
  books?: Relation<Book>[];
}
`;

const BOOK = `import { CrudValidationGroups } from '@nestwright/crud';
import { IsInt, IsOptional, Length } from 'class-validator';
import { Column, Entity, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Author } from '../authors/author.entity.js';

const { UPDATE } = CrudValidationGroups;

@Entity('books')
export class Book {
  @PrimaryGeneratedColumn()
  id!: number;

  // Required when a book is created, optional when it is updated.
  @IsOptional({ groups: [UPDATE] })
  @Length(1, 200, { always: true })
  @Column({ length: 200 })
  title!: string;

  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int', nullable: true })
  year!: number | null;

  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int', nullable: true })
  authorId!: number | null;

  @ManyToOne(() => Author, (author) => author.books)
  author?: Relation<Author>;
}
`;

/** How the application reaches its database; tests have one in memory, or that of DATABASE_URL. */
const DATABASE: Readonly<Record<Choices['database'], string>> = {
  sqlite: `import { mkdirSync } from 'node:fs';
import type { TypeOrmModuleOptions } from '@nestjs/typeorm';

/** SQLite in a file; in memory for tests. */
export function databaseOptions(): TypeOrmModuleOptions {
  const isTest = process.env['DATABASE_URL'] === 'memory';
  if (!isTest) mkdirSync('data', { recursive: true });

  return {
    type: 'sqljs',
    ...(!isTest && { location: 'data/app.sqlite', autoSave: true }),
    autoLoadEntities: true,
    synchronize: true,
  };
}
`,
  postgres: `import type { TypeOrmModuleOptions } from '@nestjs/typeorm';

/** The PostgreSQL of DATABASE_URL. */
export function databaseOptions(): TypeOrmModuleOptions {
  return { type: 'postgres', url: process.env['DATABASE_URL'], autoLoadEntities: true, synchronize: true };
}
`,
  mariadb: `import type { TypeOrmModuleOptions } from '@nestjs/typeorm';

/** The MariaDB or MySQL of DATABASE_URL. */
export function databaseOptions(): TypeOrmModuleOptions {
  const { DATABASE_URL: url = '' } = process.env;
  if (!url.startsWith('mysql:')) throw new Error('DATABASE_URL must name a database: mysql://root@127.0.0.1:3306/app');

  return {
    type: 'mariadb',
    url,
    timezone: 'Z',
    charset: 'utf8mb4',
    autoLoadEntities: true,
    synchronize: true,
    retryAttempts: 0,
  };
}
`,
};

export const TYPEORM_FILES = ({ database }: Choices): Files => ({
  'src/database.ts': DATABASE[database],
  'src/authors/author.entity.ts': AUTHOR,
  'src/authors/authors.service.ts': service('Author', 'Authors'),
  'src/books/book.entity.ts': BOOK,
  'src/books/books.service.ts': service('Book', 'Books'),
});
