/** Bodies for an entity with a column of every type go in; the text with which POST, bulk and PATCH answer is, byte for byte, what class-transformer and JSON.stringify make of the stored records. */
import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { type CrudResult, JsonText, NeedsRecords, RESULT, type Verb } from '@nestwright/crud/adapter';
import { instanceToPlain } from 'class-transformer';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { everyType } from '../read/every-type.js';
import { requestOf } from '../read/library.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { connect } from '../support/resources.js';

type Body = Record<string, unknown>;

/** Bodies hold no lists with null items. */
function acceptable(body: Body): Body {
  const { aTextList } = body;

  return Array.isArray(aTextList) ? { ...body, aTextList: aTextList.filter((item) => item !== null) } : body;
}

describeDatabases('answers of writes as text', (db) => {
  const { target: Every, values, inner } = everyType(db.kind);
  const bodies = fc.array(
    fc.tuple(values, inner).map(([own, embedded]) => ({ ...acceptable(own), inner: embedded })),
    { minLength: 3, maxLength: 5 },
  );
  const reasons = new Set<string>();
  let source: DataSource;
  // The entity is made for the database at run time, so that its columns have no types.
  let service: TypeOrmCrudService<any>;

  beforeAll(async () => {
    source = await connect(db, [Every]);
    service = new TypeOrmCrudService(source.getRepository(Every));
  });
  beforeEach(() => void reasons.clear());
  afterAll(() => source.destroy());

  const resultOf = async (verb: Verb, request: CrudRequest, body: unknown) =>
    (await service[RESULT](verb, request, body)) as CrudResult;
  const write = async (verb: Verb, request: CrudRequest, body: unknown) => {
    const result = await resultOf(verb, request, body);
    const text = await result.text!(Every as never);
    if (text instanceof JsonText) return text.text;

    reasons.add((text as NeedsRecords).reason);

    return JSON.stringify(instanceToPlain(await result.records()));
  };
  const read = async (id: number) =>
    JSON.stringify(instanceToPlain(await service.getOne(requestOf({ search: { id } }))));
  const returns = (statement: 'insert' | 'update') => toDatabase(source).returns[statement];

  test('are those of the stored records', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (records) => {
        await source.getRepository(Every).createQueryBuilder().delete().execute();

        const [first, changes, ...rest] = records.map((record, index) => ({ ...record, id: index + 1 }) as Body);
        const ids = rest.map(({ id }) => id as number);

        expect(await write('createOne', requestOf({}), first)).toBe(await read(1));
        expect(await write('createMany', requestOf({}), { bulk: rest })).toBe(
          `[${(await Promise.all(ids.map(read))).join(',')}]`,
        );

        const ofFirst = requestOf({ search: { id: 1 }, paramsFilter: [{ field: 'id', operator: '$eq', value: 1 }] });
        expect(await write('updateOne', ofFirst, { ...changes, id: undefined })).toBe(await read(1));
      }),
      // Shrinking would take minutes on a database.
      { numRuns: 15, endOnFailure: true },
    );

    expect([...reasons]).toEqual(
      returns('insert') && returns('update') ? [] : ['a write that could not be one statement'],
    );
  });

  test('are left to the service where it has its own', async () => {
    // The same.
    class Own extends TypeOrmCrudService<any> {
      override createMany = () => Promise.resolve([]);
    }
    service = new Own(source.getRepository(Every));

    expect(service[RESULT]('createMany', requestOf({}), {})).toEqual(new NeedsRecords("the service's own createMany"));

    const result = await resultOf('createOne', requestOf({}), { id: 100 });

    expect(await result.text!(Object)).toEqual(new NeedsRecords('a response class that is not the entity'));
    expect(await result.records()).toMatchObject({ id: 100 });
  });
});
