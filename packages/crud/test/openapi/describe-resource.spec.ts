/** Options and a catalog → operations and the schemas that they refer to, without an application. */
import { describe, expect, test } from '@jest/globals';
import { documentedProperties } from '../../src/openapi/class-properties.js';
import { describeRoute } from '../../src/openapi/describe-resource.js';
import type { DescribedRoute } from '../../src/openapi/handlers.js';
import { Schemas } from '../../src/openapi/schemas.js';
import { catalog, column, resource, type ResourceOptions } from './fixture.js';

class Note {
  id!: number;
  text!: string;
}

const notes = catalog(Note, [
  column('id', { kind: 'integer', primary: true, autoIncrement: true, generated: true, hasDefault: true }),
  column('text', { length: 80 }),
]);

function describeNotes(routes: readonly DescribedRoute[], options: ResourceOptions = {}) {
  const { definition } = resource({ name: 'NotesController', model: { type: Note }, ...options });
  const schemas = new Schemas();
  const operations = routes.map((route) => describeRoute(definition, notes, route, '/notes/{id}', { schemas }));
  const properties = Object.fromEntries(
    [...schemas.classes].map((type) => [type.name, Object.fromEntries(documentedProperties(type))]),
  );

  return { operations, properties, literals: schemas.literals };
}

const reference = (name: string) => ({ $ref: `#/components/schemas/~${name}` });
const id = { type: 'integer', example: 1 };

const schemasByStatus = ({ responses = {} }: ReturnType<typeof describeRoute>) =>
  Object.entries(responses).map(([status, { content }]) => [status, content?.['application/json']?.schema]);

test('a record: its id, parameters and schema come from the catalog', () => {
  const { operations, properties } = describeNotes([{ route: 'getOneBase' }], { query: { exclude: ['text'] } });
  const [operation] = operations;

  expect(operation).toMatchObject({
    summary: 'Retrieve a single Note',
    operationId: 'getOneBaseNotesControllerNote',
    idChoice: 'free',
  });
  expect(operation).not.toHaveProperty('requestBody');
  expect(operation!.parameters.slice(0, 2)).toMatchObject([
    { name: 'id', in: 'path', required: true, description: 'Note: `id`', schema: { type: 'integer' } },
    { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string', enum: ['id'] } } },
  ]);
  expect(schemasByStatus(operation!)).toEqual([
    ['200', reference('NoteResponseDto')],
    ['400', reference('CrudErrorDto')],
    ['404', reference('CrudErrorDto')],
  ]);
  expect(properties).toMatchObject({ '~NoteResponseDto': { id: { required: true, ...id } } });
  expect(Object.keys(properties['~NoteResponseDto']!)).toEqual(['id']);
});

test('a body: what the server fills in is left out', () => {
  const { operations, properties } = describeNotes([{ route: 'createOneBase' }]);

  expect(operations[0]!.requestBody).toEqual({
    required: true,
    content: { 'application/json': { schema: reference('CreateNoteBodyDto') } },
  });
  expect(properties['~CreateNoteBodyDto']).toMatchObject({ text: { required: true, type: 'string', maxLength: 80 } });
});

test('a list: an array or a page, which refer to one schema of records', () => {
  const { operations, literals } = describeNotes([{ route: 'getManyBase' }]);

  expect(schemasByStatus(operations[0]!)[0]).toEqual([
    '200',
    { oneOf: [{ type: 'array', items: reference('NoteResponseDto') }, reference('GetManyNoteResponseDto')] },
  ]);
  expect(literals['~GetManyNoteResponseDto']).toMatchObject({
    properties: { data: { type: 'array', items: reference('NoteResponseDto') }, count: { type: 'integer' } },
    required: ['data', 'count', 'total', 'page', 'pageCount'],
  });
});

describe('what a handler declares itself', () => {
  test('its id stays, also on a second path; its body and its status, too', () => {
    const { operations } = describeNotes([
      { route: 'createOneBase', ownId: 'addNote', ownBody: true, status: 202 },
      { route: 'deleteManyBase', ownId: 'dropNotes', isSecondPath: true },
    ]);

    expect(operations.map(({ operationId, idChoice }) => [operationId, idChoice])).toEqual([
      ['addNote', 'own'],
      ['dropNotesByPost', 'own'],
    ]);
    expect(operations[0]).not.toHaveProperty('requestBody');
    expect(Object.keys(operations[0]!.responses!)).toEqual(['202', '400', '409']);
  });
});

describe('names of schemas', () => {
  const shape = (name: string, type: object) => ({
    base: Note,
    name,
    properties: new Map([['text', { metadata: { ...type } }]]),
  });

  test('equal ones share a name; another takes the next one that is free, or a number', () => {
    const schemas = new Schemas();
    const names = (type: string) => schemas.makeClass(shape('Note', { type }), ['NoteDto', 'AdminNoteDto']).name;

    expect([names('string'), names('string'), names('number'), names('boolean')]).toEqual([
      '~NoteDto',
      '~NoteDto',
      '~AdminNoteDto',
      '~AdminNote2Dto',
    ]);
  });

  test('a document has them without marks, beside the classes of the application', () => {
    const schemas = new Schemas();
    const { $ref } = schemas.add(['NoteDto'], { type: 'object' });
    const document = {
      paths: { '/notes': { get: { body: { $ref }, other: { $ref: '#/components/responses/Gone' } } } },
      components: { schemas: { NoteDto: { type: 'string' } } },
    };
    schemas.finish(document, schemas.literals as Record<string, object>, false);

    expect(document).toEqual({
      paths: {
        '/notes': {
          get: { body: { $ref: '#/components/schemas/NoteDto2' }, other: { $ref: '#/components/responses/Gone' } },
        },
      },
      components: { schemas: { NoteDto: { type: 'string' }, NoteDto2: { type: 'object' } } },
    });
  });
});
