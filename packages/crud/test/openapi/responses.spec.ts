/** Options of a resource in, the responses of each route out: their statuses, bodies, headers and error codes. */
import { expect, test } from '@jest/globals';
import { type CrudErrorCode, ERRORS } from '../../src/errors.js';
import type { DescribedRoute } from '../../src/openapi/handlers.js';
import type { ResponseObject, SchemaObject } from '../../src/openapi/json-schema.js';
import { type ContentShape, describeResponses } from '../../src/openapi/responses.js';
import { type BaseRouteName, routeNames } from '../../src/routes/route-table.js';
import { documentOf, resource, type ResourceOptions } from './fixture.js';
import { ref, schemas } from './reading.js';

const refer = (shape: ContentShape): SchemaObject => (typeof shape === 'string' ? ref(shape) : shape);

const responsesOf = (
  route: BaseRouteName,
  options: ResourceOptions = {},
  own: Partial<Pick<DescribedRoute, 'isSecondPath' | 'status' | 'produces'>> = {},
) =>
  describeResponses(
    resource(options).definition,
    { route, status: undefined, produces: ['application/json'], ...own },
    refer,
  );

/** `record`, or the keys of an object (`?`: not required) and their types, of one or several alternatives. */
const nameOf = ({ $ref, oneOf, type, properties, required = [] }: SchemaObject): string => {
  if (oneOf) return oneOf.map(nameOf).join('|');
  const keys = Object.entries(properties ?? {}).map(
    ([key, of]) => `${key}${required.includes(key) ? '' : '?'}:${of.type}`,
  );
  return $ref?.split('/').pop() ?? (keys.join('+') || type!);
};

/** A response in a line: what it is, its bodies and its headers. */
const lineOf = ([status, { description, content, headers }]: [string, ResponseObject]) =>
  [
    ...[status, description],
    ...Object.entries(content ?? {}).map(([type, { schema }]) => `${type.split('/')[1]}=${nameOf(schema)}`),
    ...(headers ? [Object.keys(headers).join()] : []),
  ].join(' > ');

const PAGED = { alwaysPaginate: true, cursor: true, links: true };
const ALL = { etag: true, links: true, export: { formats: ['ndjson', 'csv'] as const } };
const BY_CONDITION = { updateManyBase: { byCondition: true }, deleteManyBase: { byCondition: true } };
const [MATCHING, CONFLICT] = [{ routes: BY_CONDITION }, { onConflict: ['email'] }];
const UPSERTING = { routes: { createOneBase: CONFLICT, createManyBase: CONFLICT } };
const RECOVERED = { returnRecovered: false };
const DELETED = { deleteOneBase: { returnDeleted: true }, deleteManyBase: { returnDeleted: true } };
const RETURNING = { routes: { ...DELETED, recoverOneBase: RECOVERED, recoverManyBase: RECOVERED } };
const ROW_PAGE = 'data:array+count:integer+total:integer+page:integer+pageCount:integer';
const NDJSON = 'x-ndjson; charset=utf-8=string';
const CSV = 'csv; charset=utf-8; header=present=string';
const HEADERS = 'X-Crud-Truncated,Link,ETag';
const LISTS = `200 > The User records that match > json=list|page > ${NDJSON} > ${CSV} > ${HEADERS}`;
const UNCHANGED = '304 > The client has the answer: `If-None-Match` names its tag > ETag';
const CREATED = '201 > The created User > json=record';
const ALL_CREATED = '201 > The created User records, in the order sent > json=list';
const SOME_CREATED = '201 > The User records, of which the request created some > json=list';
const OTHER_CREATED = '201 > The User, which the request created > json=record';
const UPDATED = '200 > The updated User records, in the order sent > json=list|affected:integer';
const GROUPS = 'What was computed of each group of User records';

test.each<[BaseRouteName, ResourceOptions, ...lines: string[]]>([
  ['getManyBase', {}, '200 > The User records that match > json=list|page > X-Crud-Truncated'],
  ['getManyBase', { query: PAGED }, '200 > The User records that match > json=page'],
  ['getManyBase', { query: ALL }, LISTS, UNCHANGED],
  ['getOneBase', { query: ALL }, '200 > The User > json=record > ETag', UNCHANGED],
  ['createOneBase', { query: ALL }, '201 > The created User > json=record > ETag'],
  ['createOneBase', UPSERTING, '200 > The User that was there already, as it was changed > json=record', CREATED],
  ['createManyBase', UPSERTING, '200 > The User records, which were all there already > json=list', ALL_CREATED],
  ['updateOneBase', { query: ALL }, '200 > The updated User > json=record > ETag'],
  ['replaceOneBase', {}, '200 > The replaced User > json=record', OTHER_CREATED],
  ['deleteOneBase', { query: ALL }, '200 > The User is deleted'],
  ['deleteOneBase', RETURNING, '200 > The User is deleted > json=record'],
  ['recoverOneBase', { query: ALL }, '200 > The recovered User > json=record > ETag'],
  ['recoverOneBase', { query: ALL, ...RETURNING }, '200 > The recovered User'],
  ['countBase', { query: ALL }, '200 > How many User records match > json=count:integer'],
  ['aggregateBase', { query: ALL }, `200 > ${GROUPS} > json=array|${ROW_PAGE} > X-Crud-Truncated`],
  ['updateManyBase', { query: ALL, ...MATCHING }, UPDATED],
  ['replaceManyBase', {}, '200 > The replaced User records, in the order sent > json=list', SOME_CREATED],
  ['deleteManyBase', MATCHING, '200 > The User records are deleted > json=affected:integer'],
  ['deleteManyBase', RETURNING, '200 > The User records are deleted > json=list'],
])('successes of %s with %j', (route, options, ...lines) => {
  const successes = Object.entries(responsesOf(route, options)).filter(([status]) => Number(status) < 400);
  expect(successes.map(lineOf)).toEqual(lines);
});

test('a status of the handler takes the place of the usual one, and 204 has no body', () => {
  const linesOf = (status: number) => {
    const [first] = Object.entries(responsesOf('getOneBase', {}, { status, produces: ['text/a', 'text/b'] }));
    return lineOf(first!);
  };
  expect(linesOf(202)).toBe('202 > The User > a=record > b=record');
  expect(linesOf(204)).toBe('204 > The User');
});

const namesOf = (routes: BaseRouteName[]) => routes.map((route) => route.replace('Base', '')).join(' ');

/** Codes that only some routes answer with, and those routes. */
const BODIES = 'createOne createMany updateOne replaceOne updateMany replaceMany deleteMany recoverMany';
const CODES: [CrudErrorCode, string][] = [
  ['CRUD_INVALID_CURSOR', 'getMany'],
  ['CRUD_INVALID_PAGINATION', 'getMany aggregate updateMany deleteMany'],
  ['CRUD_CONDITION_REQUIRED', 'updateMany deleteMany'],
  ['CRUD_INVALID_BODY', BODIES],
  ['CRUD_VALUE_OUT_OF_RANGE', BODIES.replace('updateMany', 'aggregate updateMany')],
  ['CRUD_STALE_VERSION', 'createMany updateOne replaceOne deleteOne updateMany replaceMany deleteMany recoverMany'],
  ['CRUD_NOT_FOUND', 'getOne updateOne replaceOne deleteOne recoverOne updateMany replaceMany deleteMany recoverMany'],
  ['CRUD_CONFLICT', BODIES.replace('updateMany', 'deleteOne updateMany')],
  ['CRUD_PRECONDITION_FAILED', 'updateOne replaceOne deleteOne recoverOne'],
];

const codesOf = (route: BaseRouteName, options: ResourceOptions) => {
  const responses = responsesOf(route, options, { isSecondPath: route === 'deleteManyBase' });
  return Object.entries(responses).flatMap(([status, { description, content }]) => {
    if (Number(status) < 400) return [];
    const [, listed = ''] = description.split('. Codes: ');
    const codes = listed.replaceAll('`', '').split(', ') as CrudErrorCode[];
    const { schema, examples } = content!['application/json']!;
    const shown = Object.keys(examples!);
    expect([schema, codes]).toEqual([ref('error'), codes.filter((code) => ERRORS[code].status === Number(status))]);
    // Of what any request may meet, some are shown; of the rest all.
    expect(shown.length).toBeGreaterThan(0);
    expect(codes).toEqual(expect.arrayContaining(shown));
    if (status !== '400') expect(shown).toEqual(codes);
    for (const code of shown as CrudErrorCode[]) {
      const summary = ERRORS[code].message;
      const message = code === 'CRUD_NOT_FOUND' ? 'User not found' : summary;
      const value = { statusCode: Number(status), message, error: expect.any(String), code };
      expect(examples![code]).toEqual({ summary, value });
    }
    return codes;
  });
};

test.each(CODES)('%s is named by %s alone', (code, routes) => {
  const requiring = { createManyBase: { onConflict: ['email'] }, deleteOneBase: { requireMatch: true } };
  const options = { query: { etag: true, cursor: true }, routes: { ...BY_CONDITION, ...requiring } };
  expect(namesOf(routeNames().filter((route) => codesOf(route, options).includes(code)))).toBe(routes);
});

test('a resource without cursors and conditions for writes names no code of theirs', () => {
  const codes = routeNames().flatMap((route) => codesOf(route, {}));
  const absent = CODES.slice(0, 3).map(([code]) => codes.filter((each) => each === code).length);
  expect(absent).toEqual([0, 2, 0]);
  expect(codes).not.toContain('CRUD_PRECONDITION_FAILED');
});

test('the schema of errors is in every document', async () => {
  const { properties, required } = schemas(await documentOf([resource({ only: ['countBase'] })]))['CrudErrorDto']!;
  const [text, description] = [{ type: 'string' }, expect.any(String)];
  expect(required).toEqual(['statusCode', 'message']);
  expect(properties).toEqual({
    statusCode: { type: 'integer' },
    message: { oneOf: [text, { type: 'array', items: text }], description },
    error: { ...text, description },
    code: { ...text, enum: Object.keys(ERRORS), description },
    field: { ...text, description },
  });
});
