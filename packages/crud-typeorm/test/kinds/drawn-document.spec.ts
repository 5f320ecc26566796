/** Entities with decorators of TypeORM and class-validator alone → a document with every schema in full. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { CrudModule, CrudValidationGroups } from '@nestwright/crud';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IsInt, IsOptional, Length } from 'class-validator';
import { Column, type DataSourceOptions, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';

const { UPDATE } = CrudValidationGroups;

// The entities of docs/start.md.
@Entity()
class Author {
  @PrimaryGeneratedColumn()
  id!: number;

  @Length(1, 80)
  @Column()
  name!: string;

  @IsOptional()
  @OneToMany(() => Book, (book) => book.author)
  books?: object[];
}

@Entity()
class Book {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsOptional({ groups: [UPDATE] })
  @Length(1, 200, { always: true })
  @Column()
  title!: string;

  @IsOptional()
  @IsInt()
  @Column({ type: 'int', nullable: true })
  year!: number | null;

  @IsOptional()
  @ManyToOne(() => Author, (author) => author.books, { cascade: ['insert'] })
  author?: Author;
}

const books = resource(Book, 'books', {
  query: { join: { author: {} } },
  routes: { deleteManyBase: true },
});

describeDatabases('a document of plain entities', (db) => {
  let app: INestApplication;
  // A document is walked by paths that its type does not know.
  let document: Record<string, any>;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, entities: [Author, Book], synchronize: true } as DataSourceOptions),
        TypeOrmModule.forFeature([Book]),
        CrudModule.forRoot({ openapi: { operationIds: 'short', schemas: 'short' } }),
      ],
      controllers: [books.controller],
      providers: [books.provider],
    }).compile();
    app = module.createNestApplication();
    document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  });
  afterAll(() => app.close());

  test('has the columns, relations and rules of the entities in its schemas', () => {
    const { schemas } = document['components'];
    const id = { type: 'integer', format: 'int32', example: 1 };
    const year = { type: 'integer', format: 'int32', nullable: true };
    const title = { type: 'string', minLength: 1, maxLength: 200 };
    const length = db.connection.type === 'mysql' ? { maxLength: 255 } : {};
    const key = [id, { type: 'object', properties: { id }, required: ['id'] }];
    const author = (name: string) => ({
      nullable: true,
      anyOf: [{ $ref: `#/components/schemas/${name}` }, ...key],
    });
    const newAuthor = {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1, maxLength: 80 } },
      required: ['name'],
    };

    expect(schemas).toMatchObject({
      CreateBookAuthor: newAuthor,
      UpdateBookAuthor: newAuthor,
      ReplaceBookAuthor: newAuthor,
    });
    expect(schemas['CreateBook']).toEqual({
      type: 'object',
      properties: { title, year, author: author('CreateBookAuthor') },
      required: ['title'],
    });
    expect(schemas['UpdateBook']).toEqual({
      type: 'object',
      properties: { id, title, year, author: author('UpdateBookAuthor') },
    });
    expect(schemas['ReplaceBook']).toEqual({
      type: 'object',
      properties: { id, title, year, author: author('ReplaceBookAuthor') },
      required: ['title'],
    });
    expect(schemas['CreateManyBooks'].properties.bulk.items).toEqual({ $ref: '#/components/schemas/CreateBook' });
    expect(schemas['DeleteManyBookItem']).toEqual({ type: 'object', properties: { id }, required: ['id'] });
    expect(schemas['BookResponse']).toEqual({
      type: 'object',
      properties: {
        id,
        title: { type: 'string', ...length },
        year,
        author: { nullable: true, type: 'object', allOf: [{ $ref: '#/components/schemas/BookResponseAuthor' }] },
      },
      required: ['id'],
    });
    expect(schemas['BookResponseAuthor']).toEqual({
      type: 'object',
      properties: { id, name: { type: 'string', ...length } },
      required: ['id'],
    });
    expect(document['paths']['/books/bulk/delete'].post.operationId).toBe('deleteManyBooksByPost');
  });

  test('is the same after the start', async () => {
    await app.init();
    expect(SwaggerModule.createDocument(app, new DocumentBuilder().build())).toEqual(document);
  });
});
