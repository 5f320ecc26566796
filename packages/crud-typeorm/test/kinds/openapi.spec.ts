/** What requests select and write of records with embedded objects, relations and classes of the response → over HTTP, answers that have all that the document requires, and nothing that it does not show; bodies as it shows them. */
import { beforeAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
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

const carded = { exclude: ['hidden' as const], persist: ['name' as const], join: { team: {} } };
const cards = resource(Member, 'cards', { serialize: { get: Card, create: Card }, query: carded });
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
const object = (properties: object, required?: string[]) => ({ type: 'object', properties, required });
const documentOf = (app: INestApplication) => SwaggerModule.createDocument(app, new DocumentBuilder().build()) as Json;

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
  beforeAll(() => void (document = documentOf(own.app)));
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
    const lacking = (required as string[]).filter((name) => !Object.hasOwn(record, name));
    const told = Object.entries(record).flatMap(([name, part]) => {
      const known = Object.hasOwn(properties as Json, name);
      if (!known) return [`${path} shows ${name}`];
      return part === null ? [] : mistakes((properties as Json)[name] as Json, part, `${path}/${name}`);
    });
    return [...lacking.map((name) => `${path} lacks ${name}`), ...told];
  }

  const answerOf = (path: string, method: string, status: number) => {
    const { schema } = document['paths'][path][method].responses[status].content['application/json'] as Json;
    return (schema.oneOf?.[0] ?? schema) as Json;
  };

  test.each(['members', 'cards', 'pages'])('%s have what it requires, and nothing else', async (path) => {
    for (const query of QUERIES) {
      for (const [at, route] of Object.entries({ [`/${path}/1`]: `/${path}/{id}`, [`/${path}`]: `/${path}` })) {
        const { status, body } = await own.send('get', `${at}?${query}`);
        expect([query, status, mistakes(answerOf(route, 'get', 200), body)]).toEqual([query, 200, []]);
      }
    }
  });

  test('embedded objects are shown without what is excluded, and require what `persist` selects', () => {
    const { required, properties } = resolved(answerOf('/members/{id}', 'get', 200));
    const [address, team] = [resolved(properties.address), resolved(properties.team)];
    expect(Object.keys(properties as Json)).toEqual(['id', 'email', 'name', 'address', 'team']);
    expect(resolved(properties.name)).toEqual(object({ last: { type: 'string', maxLength: 20 } }));
    expect([required, address['required']]).toEqual([['id', 'address'], ['geo']]);
    expect(resolved(address['properties'].geo)['required']).toEqual(['lat']);
    // As the join lets them out.
    expect(team['required']).toEqual(['id', 'title']);
    const { properties: shown, required: none } = resolved(team['properties'].address);
    expect([Object.keys(shown as Json), none]).toEqual([['street', 'geo'], undefined]);
  });

  test('a class in `serialize` requires what it makes itself and what every request selects', () => {
    const card = answerOf('/cards/{id}', 'get', 200);
    const { required, properties } = resolved(card);
    const page = resolved(answerOf('/pages', 'get', 200));
    expect(card).toEqual({ $ref: '#/components/schemas/CardResponseDto' });
    expect(required).toEqual(['id', 'name', 'kind', 'label']);
    expect(['name', 'team'].map((name) => resolved(properties[name])['required'])).toEqual([['first', 'last'], ['id']]);
    expect(page['required']).toEqual(['data', 'count', 'total', 'page', 'pageCount']);
    expect(resolved(page['properties'].data.items)['required']).toEqual(['id']);
  });

  test('a body of PATCH may hold a part of an embedded object, which keeps the rest', async () => {
    const bodyOf = (path: string, method: string) =>
      resolved(document['paths'][path][method].requestBody.content['application/json'].schema as Json);
    const address = resolved(bodyOf('/cards/{id}', 'patch')['properties'].address);
    const int = { type: 'integer', format: 'int32' };
    const part = { name: { last: 'King' }, address: { geo: { lng: 7 } } };
    const street = { type: 'string', maxLength: 20 };
    const geo = { $ref: '#/components/schemas/UpdateMemberBodyAddressGeoDto' };
    expect(address).toEqual(object({ street, zip: { ...street, nullable: true }, geo }));
    expect(resolved(address['properties'].geo)).toEqual(object({ lat: int, lng: int }));
    expect(resolved(bodyOf('/cards', 'post')['properties'].address)['required']).toEqual(['street', 'geo']);
    expect(await own.statusOf('patch', '/members/1', part)).toBe(200);
    const stored = { street: 'Main', zip: null, geo: { lat: 1, lng: 7 } };
    expect(await own.read('/cards/1')).toMatchObject({ name: { first: 'Ada', last: 'King' }, address: stored });
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
  @IsOptional() @ManyToOne(() => Author, (author) => author.books, { cascade: ['insert'] }) author?: Author;
}

const openapi = { operationIds: 'short', schemas: 'short' } as const;
const books = resource(Book, 'books', { openapi, query: { join: { author: {} } }, routes: { deleteManyBase: true } });

describeDatabases('a document of plain entities', (db) => {
  let document: Json;
  const own = serving(db, [Author, Book], [books], { prepare: (app) => void (document = documentOf(app)) });

  test('has the columns, relations and rules of the entities in its schemas', () => {
    const { schemas } = document['components'];
    const id = { type: 'integer', format: 'int32', example: 1 };
    const year = { type: 'integer', format: 'int32', nullable: true };
    const title = { type: 'string', minLength: 1, maxLength: 200 };
    const length = db.connection.type === 'mysql' ? { maxLength: 255 } : {};
    const key = object({ id }, ['id']);
    const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const author = (verb: string) => ({ nullable: true, anyOf: [to(`${verb}BookAuthor`), id, key] });
    const required = ['title'];
    const name = { type: 'string', minLength: 1, maxLength: 80 };
    const newAuthor = object({ name }, ['name']);
    for (const verb of ['Create', 'Update', 'Replace']) expect(schemas[`${verb}BookAuthor`]).toMatchObject(newAuthor);
    expect([schemas['CreateBook'], schemas['UpdateBook'], schemas['ReplaceBook']]).toEqual([
      object({ title, year, author: author('Create') }, required),
      object({ id, title, year, author: author('Update') }),
      object({ id, title, year, author: author('Replace') }, required),
    ]);
    expect(schemas['CreateManyBooks'].properties.bulk.items).toEqual(to('CreateBook'));
    expect(schemas['DeleteManyBookItem']).toEqual(key);
    const text = { type: 'string', ...length };
    const related = { nullable: true, type: 'object', allOf: [to('BookResponseAuthor')] };
    expect(schemas['BookResponse']).toEqual(object({ id, title: text, year, author: related }, ['id']));
    expect(schemas['BookResponseAuthor']).toEqual(object({ id, name: text }, ['id']));
    expect(document['paths']['/books/bulk/delete'].post.operationId).toBe('deleteManyBooksByPost');
  });

  test('is the same after the start', () => expect(documentOf(own.app)).toEqual(document));
});
