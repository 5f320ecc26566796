/** Entities that hide values in every way there is: response schemas name the properties that answers have, no more and no fewer. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import request from 'supertest';
import { getMetadataArgsStorage } from 'typeorm';
import { describeDatabases } from '../../test-support/index.js';
import { CompanyDto, EmployeeDto, EmployeePage, type HidingApplication, openHiding } from './hiding/application.js';
import { Box, Clear, Employee, ENTITIES, Inner } from './hiding/entities.js';

const { columns, embeddeds, relations } = getMetadataArgsStorage();
const documented = new Set<unknown>([...ENTITIES, Object.getPrototypeOf(Employee), Box, Clear, Inner]);
const prototypeOf = (target: unknown) => (target as typeof Employee).prototype as object;

// With nothing but what TypeScript notes of a column or embedded object: a `Partial<Box>` is any object.
for (const { target, propertyName } of [...columns, ...embeddeds])
  if (documented.has(target)) ApiProperty()(prototypeOf(target), propertyName);

for (const { target, propertyName, relationType, type: related } of relations) {
  if (documented.has(target)) {
    ApiProperty({ type: () => (related as () => typeof Employee)(), isArray: relationType === 'one-to-many' })(
      prototypeOf(target),
      propertyName,
    );
  }
}
ApiProperty({ type: 'boolean' })(Employee.prototype, 'openState');
for (const property of ['id', 'open', 'excluded', 'company', 'openFlag'])
  ApiProperty()(EmployeeDto.prototype, property);
ApiProperty()(CompanyDto.prototype, 'open');
ApiProperty({ type: () => [EmployeeDto] })(EmployeePage.prototype, 'data');
for (const property of ['count', 'total', 'page', 'pageCount'])
  ApiProperty({ type: 'integer' })(EmployeePage.prototype, property);

// A document is walked by paths that its type does not know.
type Json = Record<string, any>;

const EMPLOYEE_JOINS = ['closedCompany', 'groupedCompany', 'publicCompany', 'notes', 'closedNotes', 'publicNotes'];
const EMPLOYEE_QUERY = ['company', 'company.owner', 'company.typedOwner', 'pets', ...EMPLOYEE_JOINS]
  .map((name) => `join=${name}`)
  .join('&');

/** Resource documented, resources that give its answers (of which one gives them to groups, too), and what they join. */
const CASES: readonly [resource: string, answering: readonly string[], query: string][] = [
  ['employees', ['employees', 'grouped'], EMPLOYEE_QUERY],
  ['grouped', ['grouped'], EMPLOYEE_QUERY],
  ['summaries', ['summaries'], 'join=company&join=notes'],
  ['pages', ['pages'], 'join=company&join=notes'],
  ['freed', ['freed'], 'join=company&join=notes'],
  ['pets', ['pets', 'grouped-pets'], 'join=employee'],
];

describeDatabases('response schemas over hidden values', (db) => {
  let hiding: HidingApplication;
  let document: Json;

  beforeAll(async () => {
    hiding = await openHiding(db, 'express');
    document = SwaggerModule.createDocument(hiding.app, new DocumentBuilder().build()) as Json;
  });
  afterAll(() => hiding.app.close());

  /** Every property that a schema names, in full. */
  function namedBy(schema: Json, prefix = ''): string[] {
    const { $ref, allOf, items } = schema as { $ref?: string; allOf?: [Json]; items?: Json };
    if ($ref) return namedBy(document['components'].schemas[$ref.split('/').at(-1)!] as Json, prefix);
    if (allOf || items) return namedBy(allOf?.[0] ?? items!, prefix);

    return Object.entries((schema['properties'] ?? {}) as Json).flatMap(([name, inner]) => [
      prefix + name,
      ...namedBy(inner as Json, `${prefix}${name}.`),
    ]);
  }

  /** Every property that an answer has, in full; the document says nothing of keys in a JSON column. */
  function namesIn(value: unknown, prefix = ''): string[] {
    if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, prefix));
    if (typeof value !== 'object' || value === null || prefix.endsWith('settings.')) return [];

    return Object.entries(value).flatMap(([name, inner]) => [prefix + name, ...namesIn(inner, `${prefix}${name}.`)]);
  }

  const schemaOf = (path: string, list: 'list' | 'page' | 'record'): Json => {
    const { schema } = document['paths'][path].get.responses[200].content['application/json'] as Json;

    return (schema.oneOf?.[list === 'page' ? 1 : 0] ?? schema) as Json;
  };
  const answersOf = async (path: string): Promise<string[]> => {
    const names: string[] = [];
    for (const groups of ['', 'hr']) {
      const { status, body } = await request(hiding.url).get(path).set('x-groups', groups);
      expect([path, status]).toEqual([path, 200]);
      names.push(...namesIn(body));
    }

    return names;
  };
  const sorted = (names: readonly string[]) => [...new Set(names)].sort();

  test.each(CASES)('of %s name what answers show', async (resource, answering, query) => {
    const lists = await Promise.all(answering.map((path) => answersOf(`/${path}?${query}`)));
    const pages = await Promise.all(answering.map((path) => answersOf(`/${path}?${query}&page=1&limit=10`)));
    const isPaged = resource === 'pages';

    expect(sorted(namedBy(schemaOf(`/${resource}`, isPaged ? 'page' : 'list')))).toEqual(sorted(lists.flat()));
    expect(sorted(namedBy(schemaOf(`/${resource}`, 'page')))).toEqual(sorted(pages.flat()));
    if (isPaged) return;

    const records = await Promise.all(
      answering.flatMap((path) => [1, 2, 3].map((id) => answersOf(`/${path}/${id}?${query}`))),
    );
    expect(sorted(namedBy(schemaOf(`/${resource}/{id}`, 'record')))).toEqual(sorted(records.flat()));
  });

  test('of a route without serialization show more than those of another route', async () => {
    const list = namedBy(schemaOf('/raw', 'list'));

    // What is no column may be set by whoever loads a record, for all that the document knows.
    expect(sorted(list)).toEqual(sorted([...(await answersOf('/raw')), 'openState']));
    expect(list).toEqual(expect.arrayContaining(['excluded', 'box.secret']));
    expect(namedBy(schemaOf('/raw/{id}', 'record'))).not.toEqual(expect.arrayContaining(['excluded']));
  });

  test('require nothing that only some of the records have', () => {
    const { required } = document['components'].schemas.PetResponseDto as Json;

    expect(required).toEqual(['id']);
  });
});
