/** What requests select and write of records with embedded objects, relations and classes of the response → over HTTP, answers that have all that the document requires, and nothing that it does not show; bodies as it shows them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { getDataSourceToken } from '@nestjs/typeorm';
import { Expose, Type } from 'class-transformer';
import request from 'supertest';
import { Column, type DataSource, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

class Geo {
  @ApiProperty() @Column({ type: 'int' }) lat!: number;
  @ApiProperty() @Column({ type: 'int' }) lng!: number;
}

class Address {
  @ApiProperty() @Column({ type: 'varchar', length: 20 }) street!: string;
  @ApiProperty({ nullable: true }) @Column({ type: 'varchar', length: 20, nullable: true }) zip!: string;
  @ApiProperty() @Column(() => Geo) geo!: Geo;
}

class Name {
  @ApiProperty() @Column({ type: 'varchar', length: 20 }) first!: string;
  @ApiProperty() @Column({ type: 'varchar', length: 20 }) last!: string;
}

@Entity('teams')
class Team {
  @ApiProperty() @PrimaryColumn({ type: 'int' }) id!: number;
  @ApiProperty() @Column({ type: 'varchar', length: 20 }) title!: string;
  @ApiProperty() @Column(() => Address) address!: Address;
}

@Entity('members')
class Member {
  @ApiProperty() @PrimaryColumn({ type: 'int' }) id!: number;
  @ApiProperty() @Column({ type: 'varchar', length: 20 }) email!: string;
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
  '',
  'fields=id',
  'fields=email',
  'fields=name',
  'fields=name.last',
  'fields=address.street',
  'join=team',
  'fields=id&join=team||id',
  'fields=email&join=team||title',
  'join=team||address.street',
];

// A document is walked by paths that its type does not know.
type Json = Record<string, any>;

describeDatabases('a document', (db) => {
  let app: INestApplication;
  let url: string;
  let document: Json;

  beforeAll(async () => {
    const resources = [members, cards, pages];
    ({ app, url } = await serve(db, [Member, Team], resources));
    document = SwaggerModule.createDocument(app, new DocumentBuilder().build()) as Json;

    const source = app.get<DataSource>(getDataSourceToken());
    const geo = { lat: 1, lng: 2 };
    const address = { street: 'Main', geo };
    await source.getRepository(Team).insert({ id: 1, title: 'Red', address });
    const name = { first: 'Ada', last: 'Byron' };
    await source.getRepository(Member).insert({ id: 1, email: 'a@b', name, address, hidden: geo, team: { id: 1 } });
  });
  afterAll(() => app.close());

  const schemas = () => document['components'].schemas as Record<string, Json>;
  const resolved = (schema: Json): Json => {
    const reference = (schema['$ref'] ?? schema['allOf']?.[0].$ref) as string | undefined;

    return reference === undefined ? schema : schemas()[reference.split('/').at(-1)!]!;
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
      const one = await request(url).get(`/${path}/1?${query}`);
      const many = await request(url).get(`/${path}?${query}`);

      expect([query, one.status, mistakes(answerOf(`/${path}/{id}`, 'get', 200), one.body)]).toEqual([query, 200, []]);
      expect([query, many.status, mistakes(answerOf(`/${path}`, 'get', 200), many.body)]).toEqual([query, 200, []]);
    }
  });

  test('what is excluded of an embedded object does not show, nor one that is excluded whole', () => {
    const record = resolved(answerOf('/members/{id}', 'get', 200));

    expect(Object.keys(record['properties'] as Json)).toEqual(['id', 'email', 'name', 'address', 'team']);
    expect(resolved(record['properties'].name)).toEqual({
      type: 'object',
      properties: { last: { type: 'string', maxLength: 20 } },
    });
  });

  test('what `persist` selects of an embedded object is required, with the objects around it', () => {
    const record = resolved(answerOf('/members/{id}', 'get', 200));
    const address = resolved(record['properties'].address);

    expect(record['required']).toEqual(['id', 'address']);
    expect(address['required']).toEqual(['geo']);
    expect(resolved(address['properties'].geo)['required']).toEqual(['lat']);
  });

  test('embedded objects of joined records are shown as the join lets them out', () => {
    const team = resolved(resolved(answerOf('/members/{id}', 'get', 200))['properties'].team);

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
    const patch = document['paths']['/cards/{id}'].patch.requestBody.content['application/json'].schema as Json;
    const post = document['paths']['/cards'].post.requestBody.content['application/json'].schema as Json;
    const address = resolved(resolved(patch)['properties'].address);
    const answer = await request(url)
      .patch('/members/1')
      .send({ name: { last: 'King' }, address: { geo: { lng: 7 } } });
    const { body } = await request(url).get('/cards/1');

    expect(address).toEqual({
      type: 'object',
      properties: {
        street: { type: 'string', maxLength: 20 },
        zip: { type: 'string', maxLength: 20, nullable: true },
        geo: { $ref: '#/components/schemas/UpdateMemberBodyAddressGeoDto' },
      },
    });
    expect(resolved(address['properties'].geo)).toEqual({
      type: 'object',
      properties: { lat: { type: 'integer', format: 'int32' }, lng: { type: 'integer', format: 'int32' } },
    });
    expect(resolved(resolved(post)['properties'].address)['required']).toEqual(['street', 'geo']);
    expect(answer.status).toBe(200);
    expect(body).toMatchObject({
      name: { first: 'Ada', last: 'King' },
      address: { street: 'Main', zip: null, geo: { lat: 1, lng: 7 } },
    });
  });

  describe('and of what is written', () => {
    test('the records of a write are the same', async () => {
      const body = {
        id: 2,
        email: 'c@d',
        name: { first: 'C', last: 'D' },
        address: { street: 'X', geo: { lat: 1, lng: 1 } },
        hidden: { lat: 1, lng: 1 },
      };
      const created = await request(url).post('/cards?fields=id').send(body);
      const updated = await request(url).patch('/members/2?fields=email').send({ email: 'e@f' });
      const deleted = await request(url).delete('/members/2?fields=name.last');

      expect([created.status, mistakes(answerOf('/cards', 'post', 201), created.body)]).toEqual([201, []]);
      expect([updated.status, mistakes(answerOf('/members/{id}', 'patch', 200), updated.body)]).toEqual([200, []]);
      expect([deleted.status, mistakes(answerOf('/members/{id}', 'delete', 200), deleted.body)]).toEqual([200, []]);
    });
  });
});
