/** What requests select and write of records with embedded objects, relations and classes of the response → over HTTP, answers that have all that the document requires, and nothing that it does not show; bodies as it shows them. */
import { beforeAll, expect, test } from '@jest/globals';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { CrudValidationGroups } from '@nestwright/crud';
import { Expose, Type } from 'class-transformer';
import { IsInt, IsOptional, Length } from 'class-validator';
import { Column, Entity, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const TEXT = { type: 'varchar', length: 20 } as const;

class Geo {
  @ApiProperty() @Column({ type: 'int' }) lat!: number;
  @ApiProperty() @Column({ type: 'int' }) lng!: number;
}

class Address {
  @ApiProperty() @Column(TEXT) street!: string;
  @ApiProperty({ nullable: true }) @Column({ ...TEXT, nullable: true }) zip!: string;
  @ApiProperty() @Column(() => Geo) geo!: Geo;
}

class Name {
  @ApiProperty() @Column(TEXT) first!: string;
  @ApiProperty() @Column(TEXT) last!: string;
}

@Entity('teams')
class Team {
  @ApiProperty() @PrimaryColumn({ type: 'int' }) id!: number;
  @ApiProperty() @Column(TEXT) title!: string;
  @ApiProperty() @Column(() => Address) address!: Address;
}

@Entity('members')
class Member {
  @ApiProperty() @PrimaryColumn({ type: 'int' }) id!: number;
  @ApiProperty() @Column(TEXT) email!: string;
  @ApiProperty() @Column(() => Name) name!: Name;
  @ApiProperty() @Column(() => Address) address!: Address;
  @ApiProperty() @Column(() => Geo) hidden!: Geo;
  @ApiProperty({ type: () => Team }) @ManyToOne(() => Team) team!: Team;
}

class CardTeam {
  @ApiProperty() id!: number;
  @ApiProperty() title!: string;
  @ApiProperty() address!: Address;
}

class CardName {
  @ApiProperty() first!: string;
  @ApiProperty() last!: string;
}

class Card {
  @ApiProperty() id!: number;
  @ApiProperty() email!: string;
  @ApiProperty() @Type(() => CardName) name!: CardName;
  @ApiProperty() address!: Address;
  @ApiProperty({ type: () => CardTeam }) @Type(() => CardTeam) team!: CardTeam;
  @ApiProperty({ type: String }) kind = 'card';
  @ApiProperty({ type: String }) @Expose() get label(): string {
    return `#${this.id}`;
  }
}

class CardPage {
  @ApiProperty({ type: () => [Card] }) @Type(() => Card) data!: Card[];
  @ApiProperty() count!: number;
  @ApiProperty() total!: number;
  @ApiProperty() page!: number;
  @ApiProperty() pageCount!: number;
}

const members = resource(Member, 'members', {
  query: {
    exclude: ['name.first', 'hidden'],
    persist: ['address.geo.lat'],
    join: { team: { exclude: ['address.zip'], persist: ['title'] } },
  },
  routes: { deleteOneBase: { returnDeleted: true } },
});
const cards = resource(Member, 'cards', {
  serialize: { get: Card, create: Card },
  query: { exclude: ['hidden'], persist: ['name'], join: { team: {} } },
});
const pages = resource(Member, 'pages', {
  serialize: { get: Card, getMany: CardPage },
  query: { exclude: ['hidden'], alwaysPaginate: true, unknown: 'ignore', join: { team: { allow: ['id'] } } },
});

const QUERIES = [
  ...['', 'fields=id', 'fields=email', 'fields=name', 'fields=name.last', 'fields=address.street', 'join=team'],
  ...['fields=id&join=team||id', 'fields=email&join=team||title', 'join=team||address.street'],
];
// A document is walked by paths that its type does not know.
type Json = Record<string, any>;

describeDatabases('a document', (db) => {
  let document: Json;
  const own = serving(db, [Member, Team], [members, cards, pages], {
    fill: async (source) => {
      const geo = { lat: 1, lng: 2 };
      const address = { street: 'Main', geo };
      const name = { first: 'Ada', last: 'Byron' };
      await source.getRepository(Team).insert({ id: 1, title: 'Red', address });
      await source.getRepository(Member).insert({ id: 1, email: 'a@b', name, address, hidden: geo, team: { id: 1 } });
    },
  });
  beforeAll(() => void (document = SwaggerModule.createDocument(own.app, new DocumentBuilder().build()) as Json));
  const resolved = (schema: Json): Json => {
    const reference = (schema['$ref'] ?? schema['allOf']?.[0].$ref) as string | undefined;
    return reference === undefined ? schema : document['components'].schemas[reference.split('/').at(-1)!];
  };

  /** What a value lacks of what a schema requires, and has beside what it shows. */
  function mistakes(schema: Json, value: unknown, path = ''): string[] {
    const { type, items, properties, required = [] } = resolved(schema);
    if (type === 'array')
      return (value as unknown[]).flatMap((item, index) => mistakes(items as Json, item, `${path}/${index}`));
    if (!properties) return [];
    const record = value as Json;
    return [
      ...(required as string[]).filter((name) => !Object.hasOwn(record, name)).map((name) => `${path} lacks ${name}`),
      ...Object.keys(record).flatMap((name) =>
        Object.hasOwn(properties as Json, name)
          ? record[name] === null
            ? []
            : mistakes((properties as Json)[name] as Json, record[name], `${path}/${name}`)
          : [`${path} shows ${name}`],
      ),
    ];
  }

  const answerOf = (path: string, method: string, status: number) => {
    const { schema } = document['paths'][path][method].responses[status].content['application/json'] as Json;
    return (schema.oneOf?.[0] ?? schema) as Json;
  };

  test.each(['members', 'cards', 'pages'])('%s have what it requires, and nothing else', async (path) => {
    for (const query of QUERIES) {
      const one = await own.send('get', `/${path}/1?${query}`);
      const many = await own.send('get', `/${path}?${query}`);
      expect([query, one.status, mistakes(answerOf(`/${path}/{id}`, 'get', 200), one.body)]).toEqual([query, 200, []]);
      expect([query, many.status, mistakes(answerOf(`/${path}`, 'get', 200), many.body)]).toEqual([query, 200, []]);
    }
  });

  test('embedded objects are shown without what is excluded, and require what `persist` selects', () => {
    const { required, properties } = resolved(answerOf('/members/{id}', 'get', 200));
    const address = resolved(properties.address);
    const team = resolved(properties.team);
    expect(Object.keys(properties as Json)).toEqual(['id', 'email', 'name', 'address', 'team']);
    expect(resolved(properties.name)).toEqual({
      type: 'object',
      properties: { last: { type: 'string', maxLength: 20 } },
    });
    expect([required, address['required']]).toEqual([['id', 'address'], ['geo']]);
    expect(resolved(address['properties'].geo)['required']).toEqual(['lat']);
    // As the join lets them out.
    expect(team['required']).toEqual(['id', 'title']);
    expect(Object.keys(resolved(team['properties'].address)['properties'] as Json)).toEqual(['street', 'geo']);
    expect(resolved(team['properties'].address)['required']).toBeUndefined();
  });

  test('a class in `serialize` requires what it makes itself and what every request selects', () => {
    const card = answerOf('/cards/{id}', 'get', 200);
    const page = resolved(answerOf('/pages', 'get', 200));
    expect(card).toEqual({ $ref: '#/components/schemas/CardResponseDto' });
    expect(resolved(card)['required']).toEqual(['id', 'name', 'kind', 'label']);
    expect(resolved(resolved(card)['properties'].name)['required']).toEqual(['first', 'last']);
    expect(resolved(resolved(card)['properties'].team)['required']).toEqual(['id']);
    expect(page['required']).toEqual(['data', 'count', 'total', 'page', 'pageCount']);
    expect(resolved(page['properties'].data.items)['required']).toEqual(['id']);
  });

  test('a body of PATCH may hold a part of an embedded object, which keeps the rest', async () => {
    const bodyOf = (path: string, method: string) =>
      resolved(document['paths'][path][method].requestBody.content['application/json'].schema as Json);
    const address = resolved(bodyOf('/cards/{id}', 'patch')['properties'].address);
    const int = { type: 'integer', format: 'int32' };
    const part = { name: { last: 'King' }, address: { geo: { lng: 7 } } };
    expect(address).toEqual({
      type: 'object',
      properties: {
        street: { type: 'string', maxLength: 20 },
        zip: { type: 'string', maxLength: 20, nullable: true },
        geo: { $ref: '#/components/schemas/UpdateMemberBodyAddressGeoDto' },
      },
    });
    expect(resolved(address['properties'].geo)).toEqual({ type: 'object', properties: { lat: int, lng: int } });
    expect(resolved(bodyOf('/cards', 'post')['properties'].address)['required']).toEqual(['street', 'geo']);
    expect(await own.statusOf('patch', '/members/1', part)).toBe(200);
    expect(await own.read('/cards/1')).toMatchObject({
      name: { first: 'Ada', last: 'King' },
      address: { street: 'Main', zip: null, geo: { lat: 1, lng: 7 } },
    });
  });

  test('the records of a write have what it requires, and nothing else', async () => {
    const geo = { lat: 1, lng: 1 };
    const body = { email: 'c@d', name: { first: 'C', last: 'D' }, address: { street: 'X', geo }, hidden: geo };
    for (const [method, path, answered, status, sent] of [
      ['post', '/cards?fields=id', '/cards', 201, { id: 2, ...body }],
      ['patch', '/members/2?fields=email', '/members/{id}', 200, { email: 'e@f' }],
      ['delete', '/members/2?fields=name.last', '/members/{id}', 200, undefined],
    ] as const) {
      const answer = await own.send(method, path, sent);
      expect([answer.status, mistakes(answerOf(answered, method, status), answer.body)]).toEqual([status, []]);
    }
  });
});

const { UPDATE } = CrudValidationGroups;

// The entities of docs/start.md, with decorators of TypeORM and class-validator alone.
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
  openapi: { operationIds: 'short', schemas: 'short' },
  query: { join: { author: {} } },
  routes: { deleteManyBase: true },
});

describeDatabases('a document of plain entities', (db) => {
  let document: Json;
  const own = serving(db, [Author, Book], [books], {
    prepare: (app) => void (document = SwaggerModule.createDocument(app, new DocumentBuilder().build())),
  });

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

  test('is the same after the start', () =>
    expect(SwaggerModule.createDocument(own.app, new DocumentBuilder().build())).toEqual(document));
});
