/** Records of every column type go in; the JSON text written from rows is, byte for byte, what class-transformer and JSON.stringify make of the records that TypeORM itself reads. */
import 'reflect-metadata';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { JsonText, NeedsRecords, RESULT } from '@nestwright/crud/adapter';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import { Exclude, instanceToPlain, Type } from 'class-transformer';
import fc from 'fast-check';
import { AfterLoad, Column, Entity, ManyToOne, OneToMany, PrimaryColumn, QueryFailedError } from 'typeorm';
import { type RelationOptions, type Repository, type ValueTransformer } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { serialize } from '../../../crud/src/serialization/serialize.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { everyType } from './every-type.js';
import { requestOf, typesOf } from './library.js';
import { connecting } from '../support/connecting.js';
import { connect } from '../support/resources.js';

/** The text, or the reason why there is none. */
async function written(
  // Services of any entity.
  service: TypeOrmCrudService<any>,
  request: CrudRequest,
  model: unknown,
  verb: 'getMany' | 'getOne' = 'getMany',
): Promise<string | readonly string[]> {
  const result = service[RESULT](verb, request);
  const text = result instanceof NeedsRecords ? result : await (await result)?.text?.(model as never);
  return text instanceof JsonText ? text.text : [(text as NeedsRecords).reason];
}

const plainText = (answer: unknown): string => JSON.stringify(instanceToPlain(answer));

describeDatabases('JSON written from rows', (db) => {
  const { target: Every, values, inner } = everyType(db.kind);
  const join = { parent: {}, 'parent.friends': {}, children: {}, 'children.friends': {}, friends: { exclude: ['id'] } };
  const joined = ['parent', 'parent.friends', 'children', 'children.friends'].map((field) => ({ field }));
  const source = connecting(db, [Every]);
  // The entity is made for the database at run time, so that its columns have no types.
  const repo: Repository<any> = source.getRepository(Every as never);
  const service = new TypeOrmCrudService(repo);
  const many = (parsed: Partial<ParsedRequestParams> = {}, query: object = {}) =>
    requestOf(parsed, { query: { join, ...query } } as never);

  const store = async (rows: readonly object[], links: readonly (readonly [number, number])[]) => {
    await source.createQueryBuilder().delete().from('every_friends_every').execute();
    await repo.createQueryBuilder().update().set({ parent: null }).execute();
    await repo.createQueryBuilder().delete().execute();
    await repo.insert(rows.map((row, id) => ({ ...row, id: id + 1 })));
    for (const [from, to] of links) {
      await repo.update({ id: from }, { parent: { id: to } });
      const friends = source.createQueryBuilder().relation(Every, 'friends').of(from);
      await friends.add(to).catch(() => undefined);
    }
  };

  test('has numbers where a document has them, also integers beyond 2^53', async () => {
    const [[own, embedded] = []] = fc.sample(fc.tuple(values, inner), 1);
    const document = { amount: 4e18 };
    const documents = { aSimpleJson: document, ...(db.kind !== 'sqlite' && { aJson: document }) };
    await store([{ ...own, inner: embedded, ...documents }], []);
    expect(await service.getMany(many())).toMatchObject([documents]);
    expect(JSON.parse(String(await written(service, many(), Every)))).toMatchObject([documents]);
  });

  test('is what TypeORM, class-transformer and JSON.stringify print', async () => {
    const id = fc.integer({ min: 1, max: 4 });
    const row = fc.tuple(values, inner).map(([own, embedded]) => ({ ...own, inner: embedded }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 4, maxLength: 4 }),
        fc.uniqueArray(fc.tuple(id, id), { selector: String, maxLength: 5 }),
        async (rows, links) => {
          await store(rows, links);
          const found = await repo.find({ order: { id: 'ASC' } });
          const withParents = await repo.find({ order: { id: 'ASC' }, relations: { parent: true } });
          // SQLite's driver gives bigints as numbers, which this library never does.
          for (const record of [...found, ...withParents, ...withParents.flatMap(({ parent }) => parent ?? [])])
            if (typeof record.aBigint === 'number') record.aBigint = String(record.aBigint);
          for (const fastPaths of [false, true]) {
            configureCrudDatabase(source, { fastPaths });
            const records = await service.getMany(many({ join: [{ field: 'parent' }] }));
            expect(records).toStrictEqual(withParents);
            expect(JSON.stringify(serialize(records, Every as never))).toBe(plainText(withParents));
          }
          expect(await service.getMany(many())).toStrictEqual(found);
          expect(await written(service, many(), Every)).toBe(plainText(found));
          for (const request of [
            () => many({ join: joined }),
            () => many({ join: [{ field: 'friends', select: ['aVarchar'] }, { field: 'parent' }], fields: ['aDate'] }),
            () => many({ join: joined, limit: 3, offset: 1, page: 1 }, { alwaysPaginate: true }),
          ])
            expect(await written(service, request(), Every)).toBe(plainText(await service.getMany(request())));
          const one = () => many({ join: joined, search: { id: 2 } });
          expect(await written(service, one(), Every, 'getOne')).toBe(plainText(await service.getOne(one())));
        },
      ),
      // Shrinking would take minutes on a database.
      { numRuns: 8, endOnFailure: true },
    );
  });

  test('leaves out keys of documents that would mislead class-transformer, as records do', async () => {
    const aSimpleJson = { constructor: null, list: [{ constructor: { name: 'x' }, kept: '\u2028' }], then: 1 };
    await store([{ aSimpleJson }, { aSimpleJson: { then: [], proto: JSON.parse('{"__proto__":1}') as unknown } }], []);
    const text = (await written(service, many(), Every)) as string;
    expect(text).not.toMatch(/constructor|__proto__/);
    expect(text).toContain('"then":1');
  });

  if (db.kind === 'postgres') {
    test('parsers that the application gave to pg have their say', async () => {
      const types = typesOf(source);
      const parser = types.getTypeParser(1184);
      await store([{ aTimestamptz: new Date(0) }], []);
      const before = await written(service, many(), Every);
      try {
        types.setTypeParser(1184, (text) => ({ text }));
        const text = await written(service, many(), Every);
        expect(text).toBe(plainText(await service.getMany(many())));
        expect(text).not.toBe(before);
      } finally {
        types.setTypeParser(1184, parser);
      }
      expect(await written(service, many(), Every)).toBe(before);
    });

    test('moments without a zone are the time of the process, wherever it is', async () => {
      const zone = process.env['TZ'];
      const aTimestamp = new Date('2024-07-01T12:00:00.5Z');
      await store([{ aTimestamp, aTimestamptz: new Date('2024-07-01T12:00:00.05Z'), aDate: '2018-11-04' }], []);
      try {
        for (const [name, offset] of Object.entries({ 'America/Sao_Paulo': 180, 'Asia/Kolkata': -330, UTC: 0 })) {
          process.env['TZ'] = name;
          expect(aTimestamp.getTimezoneOffset()).toBe(offset);
          expect(await written(service, many(), Every)).toBe(plainText(await repo.find()));
        }
      } finally {
        process.env['TZ'] = zone;
      }
    });

    test('an error of the database is what TypeORM throws, and the connection is lent again', async () => {
      const failing = await connect(db, [Every], { synchronize: false, extra: { max: 1 } });
      const own = new TypeOrmCrudService<any>(failing.getRepository(Every as never)); // The same.
      await source.query('ALTER TABLE every RENAME TO gone');
      const works = [own.getMany(many()), written(own, many(), Every), own.getMany(many())];
      const errors = await Promise.all(works.map((work) => work.catch((error: unknown) => error)));
      await source.query('ALTER TABLE gone RENAME TO every');
      expect(String(errors[1])).toBe(String(errors[0]));
      for (const error of errors as Error[]) expect(error.cause ?? error).toBeInstanceOf(QueryFailedError);
      await expect(written(own, many(), Every)).resolves.toMatch(/^\[/);
      await failing.destroy();
    });
  }
});

describeDatabases(
  'what only records can tell is left to records',
  (db) => {
    const moment = (prototype: object, transformer?: ValueTransformer) => {
      Column({ type: 'datetime', nullable: true, ...(transformer && { transformer }) })(prototype, 'at');
      return prototype;
    };
    const related = (target: new () => object, options: RelationOptions = {}) => {
      const prototype = target.prototype as object;
      ManyToOne(() => target, 'below', options)(prototype, 'above');
      OneToMany(() => target, 'above')(prototype, 'below');
      return prototype;
    };
    const embedded = (prototype: object, inner: new () => object, array = false) => {
      Column({ type: 'int' })(inner.prototype as object, 'size');
      Column(() => inner, { array })(prototype, 'inner');
      return prototype;
    };
    // Classes are changed in ways that no type allows.
    const decorations: readonly (readonly [reason: RegExp, decorate: (target: any) => void])[] = [
      [/AfterLoad/, ({ prototype }) => AfterLoad()(Object.assign(prototype, { loaded: () => undefined }), 'loaded')],
      [/@Type\(\) of label/, ({ prototype }) => Type(() => Date)(prototype, 'label')],
      [/@Type\(\) of at/, ({ prototype }) => Type(() => Date)(moment(prototype, { from: String, to: String }), 'at')],
      [/@Type\(\) of above/, (target) => Type(() => Object)(related(target), 'above')],
      [/lazy relations of Thing/, (target) => related(target, { lazy: true })],
      [/@Type\(\) of inner/, ({ prototype }) => Type(() => Object)(embedded(prototype, class {}), 'inner')],
      [/the constructor of inner/, ({ prototype }) => embedded(prototype, class { size = 1; })], // prettier-ignore
      [/the list inner/, ({ prototype }) => embedded(prototype, class {}, true)],
      [/the property 1/, ({ prototype }) => Column({ type: 'int', nullable: true })(prototype, '1')],
    ];

    const writtenOf = async (decorate: (target: new () => object) => void) => {
      class Thing {
        id!: number;
        label!: string;
      }

      PrimaryColumn({ type: 'int' })(Thing.prototype, 'id');
      Column({ type: 'varchar' })(Thing.prototype, 'label');
      decorate(Thing);
      Entity('thing')(Thing);
      const source = await connect(db, [Thing]);
      const repository = source.getRepository(Thing);
      const join = repository.metadata.relations.map(({ propertyName }) => propertyName);
      const query = { join: Object.fromEntries(join.map((field) => [field, {}])) };
      const request = requestOf({ join: join.map((field) => ({ field })) }, { query });
      const text = await written(new TypeOrmCrudService(repository), request, Thing);
      await source.destroy();
      return text;
    };

    test.each(decorations)('%s', async (reason, decorate) => {
      expect(await writtenOf(decorate)).toEqual([expect.stringMatching(reason)]);
    });

    test('decorators that change nothing need no records', async () => {
      class Inner {}

      const decorate = (target: new () => object) => {
        Type(() => Date)(moment(target.prototype as object), 'at');
        for (const name of ['above', 'below']) Type(() => target)(related(target), name);
        Column({ type: 'int', nullable: true })(target.prototype as object, 'aboveId');
        Type(() => Inner)(embedded(target.prototype as object, Inner), 'inner');
      };
      expect(await writtenOf(decorate)).toBe('[]');
    });

    describe('and to services that have a part in it', () => {
      class Note {
        static initial: object = { label: undefined };
        static made = 0;
        id!: number;
        secret!: string;
        label!: string | undefined;
        constructor() {
          Note.made += 1;
          Object.assign(this, Note.initial);
        }
      }

      PrimaryColumn({ type: 'int' })(Note.prototype, 'id');
      Column({ type: 'varchar' })(Note.prototype, 'secret');
      Exclude()(Note.prototype, 'secret');
      Entity('note')(Note);
      const source = connecting(db, [Note]);
      const service = new TypeOrmCrudService(source.getRepository(Note));
      beforeAll(async () => {
        await source.query(`INSERT INTO note (id, secret) VALUES (1, 'x'), (2, 'y'), (3, 'z')`);
        await expectText();
      });
      // What a class excludes stays in. Records are made only to see whether the constructor does anything.
      const expectText = async () => {
        Note.made = 0;
        expect(await written(service, requestOf({}), Note)).toBe('[{"id":1},{"id":2},{"id":3}]');
        expect(Note.made).toBeLessThan(3);
      };
      afterEach(expectText);
      const expectReason = async (reason: RegExp, model: unknown = Note, asked = service) =>
        expect(await written(asked, requestOf({}), model)).toEqual([expect.stringMatching(reason)]);

      test('a constructor that begins to set something, and a subscriber that comes and goes, are noticed', async () => {
        const { initial } = Note;
        for (const other of [{ label: 'new' }, { other: undefined }, {}]) {
          Note.initial = other;
          await expectReason(/constructor/);
        }
        Note.initial = initial;
        source.subscribers.push({ afterLoad: () => undefined });
        await expectReason(/subscriber/);
        source.subscribers.pop();
      });

      test.each(['getMany', 'createBuilder', 'doGetMany', 'createPageInfo'] as const)('an own %s', async (name) => {
        const own = new TypeOrmCrudService(source.getRepository(Note));
        Object.defineProperty(own, name, { value: () => undefined });
        await expectReason(new RegExp(name), Note, own);
      });

      test('another response class, a toJSON on a built-in class', async () => {
        await expectReason(/response class/, class Other {});
        Object.defineProperty(String.prototype, 'toJSON', { value: () => 'x', configurable: true });
        const reasons = await written(service, requestOf({}), Note);
        delete (String.prototype as { toJSON?: unknown }).toJSON;
        expect(reasons).toEqual([expect.stringMatching(/toJSON/)]);
      });
    });
  },
  ['sqlite'],
);
