/** What requests select and write of records with embedded objects and relations → over HTTP, answers that have all that the document requires, and nothing that it does not show. */
import { expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
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

const members = resource(Member, 'members', {
  query: {
    exclude: ['name.first', 'hidden'],
    persist: ['address.geo.lat'],
    join: { team: { exclude: ['address.zip'], persist: ['title'] } },
  },
  routes: { deleteOneBase: { returnDeleted: true } },
});

const FIELDS = ['id', 'name.last', 'address.street', 'email&join=team||title'].map((fields) => `fields=${fields}`);
const QUERIES = ['', ...FIELDS, 'join=team', 'join=team||address.street'];

const GEO = { lat: 1, lng: 2 };
const MEMBER = { email: 'a@b', name: { first: 'Ada', last: 'Byron' }, address: { street: 'X', geo: GEO }, hidden: GEO };

// A document is walked by paths that its type does not know.
type Json = Record<string, any>;
const documentOf = (app: INestApplication) => SwaggerModule.createDocument(app, new DocumentBuilder().build()) as Json;

describeDatabases('a document', (db) => {
  let document: Json;
  const own = serving(db, [Member, Team], [members], {
    prepare: (app) => void (document = documentOf(app)),
    fill: async (source) => {
      const address = { street: 'Main', geo: GEO };
      await source.getRepository(Team).insert({ id: 1, title: 'Red', address });
      await source.getRepository(Member).insert({ ...MEMBER, id: 1, address, team: { id: 1 } });
    },
  });
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

  test('is the same after the start', () => expect(documentOf(own.app)).toEqual(document));

  test('the records of answers have what it requires, and nothing else', async () => {
    for (const [method, path, answered, status, sent] of [
      ...QUERIES.flatMap((query) => [
        ['get', `/members/1?${query}`, '/members/{id}', 200] as const,
        ['get', `/members?${query}`, '/members', 200] as const,
      ]),
      ['post', '/members?fields=id', '/members', 201, { id: 2, ...MEMBER }],
      ['patch', '/members/2?fields=email', '/members/{id}', 200, { email: 'e@f' }],
      ['delete', '/members/2?fields=name.last', '/members/{id}', 200],
    ] as const) {
      const answer = await own.send(method, path, sent);
      const wrong = mistakes(answerOf(answered, method, status), answer.body);
      expect([path, answer.status, wrong]).toEqual([path, status, []]);
    }
  });
});
