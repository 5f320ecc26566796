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
  @PrimaryGeneratedColumn() id!: number;
  @Length(1, 80) @Column() name!: string;
  @IsOptional() @OneToMany(() => Book, (book) => book.author) books?: object[];
}

@Entity()
class Book {
  @PrimaryGeneratedColumn() id!: number;
  @IsOptional({ groups: [UPDATE] }) @Length(1, 200, { always: true }) @Column() title!: string;
  @IsOptional() @IsInt() @Column({ type: 'int', nullable: true }) year!: number | null;

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
    const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const author = (verb: string) => ({ nullable: true, anyOf: [to(`${verb}BookAuthor`), ...key] });
    const required = ['title'];

    const name = { type: 'string', minLength: 1, maxLength: 80 };
    const newAuthor = { type: 'object', properties: { name }, required: ['name'] };
    for (const verb of ['Create', 'Update', 'Replace']) expect(schemas[`${verb}BookAuthor`]).toMatchObject(newAuthor);
    expect([schemas['CreateBook'], schemas['UpdateBook'], schemas['ReplaceBook']]).toEqual([
      { type: 'object', properties: { title, year, author: author('Create') }, required },
      { type: 'object', properties: { id, title, year, author: author('Update') } },
      { type: 'object', properties: { id, title, year, author: author('Replace') }, required },
    ]);
    expect(schemas['CreateManyBooks'].properties.bulk.items).toEqual(to('CreateBook'));
    expect(schemas['DeleteManyBookItem']).toEqual({ type: 'object', properties: { id }, required: ['id'] });
    expect(schemas['BookResponse']).toEqual({
      type: 'object',
      properties: {
        id,
        title: { type: 'string', ...length },
        year,
        author: { nullable: true, type: 'object', allOf: [to('BookResponseAuthor')] },
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
