/** Tables that TypeORM's own DDL does not make, or not alone: generated columns, with RETURNING and without; PostgreSQL's arrays and documents, in a schema of their own; tables of one name in two data sources. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import request from 'supertest';
import { Column, DataSource, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { requestOf as requestBy } from '../support/requests.js';
import { connect, resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('crates')
class Crate {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) net!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) label!: string | null;
  @Column({ type: 'int', asExpression: 'net + 3', generatedType: 'STORED' }) gross!: number;
  @Column({ type: 'varchar', length: 40, asExpression: "concat('#', label)", generatedType: 'STORED', nullable: true })
  tag!: string | null;
}

const KEY = { sqlite: 'integer PRIMARY KEY', postgres: 'serial PRIMARY KEY', mysql: 'int AUTO_INCREMENT PRIMARY KEY' };

describeDatabases('generated columns', (db) => {
  // Under `mariadb` TypeORM knows RETURNING, under `mysql` it does not.
  const types = db.kind === 'mysql' ? ['mysql', 'mariadb'] : [db.connection.type];
  const tag = db.kind === 'mysql' ? "(concat('#', label)) VIRTUAL" : "('#' || label) STORED";

  describe.each(types)('with the driver for %s', (type) => {
    const own = serving(db, [Crate], [resource(Crate, 'crates')], { source: { type, synchronize: false } });
    const send = async (...sent: Parameters<typeof own.send>) => Object.values(await own.send(...sent));
    beforeEach(async () => {
      await own.source.query('DROP TABLE IF EXISTS crates');
      await own.source.query(
        `CREATE TABLE crates (id ${KEY[db.kind]}, net int NOT NULL, label varchar(20),
          gross int GENERATED ALWAYS AS (net + 3) STORED, tag varchar(40) GENERATED ALWAYS AS ${tag})`,
      );
    });

    test('are read, filtered and sorted by, and never written', async () => {
      const first = { id: 1, net: 4, label: 'a', gross: 7, tag: '#a' };
      const second = { id: 2, net: 5, label: null, gross: 8, tag: null };
      const third = { id: 3, net: 6, label: null, gross: 9, tag: null };
      const bulk = [{ net: 5 }, { net: 6, gross: 1, tag: null }];
      const changed = { ...first, net: 1, gross: 4 };
      expect(await send('post', '/crates', { ...first, id: undefined, gross: 99, tag: 'x' })).toEqual([201, first]);
      expect(await send('post', '/crates/bulk', { bulk })).toEqual([201, [second, third]]);
      expect(await send('patch', '/crates/1', { gross: 5, tag: 'y', net: 1 })).toEqual([200, changed]);
      expect(await send('patch', '/crates/1', { gross: 5 })).toEqual([200, changed]);
      const put = { id: 1, net: 2, label: null, gross: 5, tag: null };
      expect(await send('put', '/crates/1', { net: 2, gross: 0 })).toEqual([200, put]);
      await send('patch', '/crates/3', { label: 'c' });
      const found = ['#c', null].map((tag, index) => ({ id: 3 - index, gross: 9 - index, tag }));
      expect(await send('get', '/crates?filter=gross||gt||7&sort=gross,DESC&fields=gross,tag')).toEqual([200, found]);
      expect(await send('get', '/crates?filter=tag||eq||%23c&fields=id')).toEqual([200, [{ id: 3 }]]);
      expect(await send('delete', '/crates/3')).toEqual([200, {}]);
      const rows = [2, 5].map((net) => ({ net, gross: net + 3, tag: null }));
      expect(await own.source.query('SELECT net, gross, tag FROM crates ORDER BY id')).toEqual(rows);
    });
  });
});

@Entity({ name: 'natives', schema: 'elsewhere' })
class Native {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'text', array: true, nullable: true }) words!: string[] | null;
  @Column({ type: 'int', array: true, nullable: true }) numbers!: number[] | null;
  @Column({ type: 'jsonb', nullable: true }) facts!: unknown;
}

const requestOf = (condition?: object, id?: number) =>
  requestBy({ path: id === undefined ? {} : { id }, auth: condition });

describeDatabases(
  'kinds of PostgreSQL',
  (db) => {
    let source: DataSource;
    let natives: TypeOrmCrudService<Native>;
    beforeAll(async () => {
      source = await connect(db, [Native], { synchronize: false });
      await source.query('CREATE SCHEMA elsewhere');
      await source.synchronize();
      natives = new TypeOrmCrudService(source.getRepository(Native));
    });
    afterAll(() => source.destroy());

    test('arrays and documents are stored, found and changed', async () => {
      const odd = ['a,b', '"c"', '{d}', 'NULL', ''];
      const first = { words: odd, numbers: [1, 2], facts: { a: { b: 5 }, list: [1] } };
      await natives.createOne(requestOf(), { ...first });
      await natives.createMany(requestOf(), { bulk: [{ words: ['x'], numbers: [], facts: [1] }, { words: null }] });
      const ids = async (condition: object) =>
        ((await natives.getMany(requestOf(condition))) as Native[]).map(({ id }) => id);
      expect(await natives.getOne(requestOf(undefined, 1))).toEqual({ id: 1, ...first });
      for (const [condition, found] of [
        [{ words: { $contArr: ['a,b', '{d}'] } }, [1]],
        [{ words: { $intersectsArr: ['x', 'NULL'] } }, [1, 2]],
        [{ numbers: { $contArr: [2] } }, [1]],
        [{ numbers: { $notnull: true } }, [1, 2]],
        [{ 'facts.a.b': { $gt: 4 } }, [1]],
      ] as const)
        expect([condition, await ids(condition)]).toEqual([condition, found]);
      const change = { numbers: [], facts: ['y'] };
      expect(await natives.updateOne(requestOf(undefined, 1), { ...change })).toEqual({ id: 1, words: odd, ...change });
      await natives.deleteOne(requestOf(undefined, 3));
      expect(await source.query('SELECT count(*)::int AS rows FROM elsewhere.natives')).toEqual([{ rows: 2 }]);
    });
  },
  ['postgres'],
);

@Entity('notes')
class Note {
  @PrimaryColumn() id!: number;
  @Column({ type: 'varchar', length: 40 }) text!: string;
}

const RESOURCES = ['first', 'second'].map((source) => resource(Note, source, { source }));

describeDatabases('two data sources', (db) => {
  let app: INestApplication | undefined;
  afterAll(() => app?.close());

  test('reads and writes stay with their own', async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, name: 'first', entities: [Note], synchronize: true }),
        // Another kind of database than two of the three.
        TypeOrmModule.forRoot({ type: 'sqljs', name: 'second', entities: [Note], synchronize: true }),
        TypeOrmModule.forFeature([Note], 'first'),
        TypeOrmModule.forFeature([Note], 'second'),
      ],
      controllers: RESOURCES.map(({ controller }) => controller),
      providers: RESOURCES.map(({ provider }) => provider),
    }).compile();
    const { url, ...served } = await listen(module, 'express');
    app = served.app;
    const texts = async (path: string) =>
      ((await request(url).get(`/${path}?sort=id`).expect(200)).body as Note[]).map(({ text }) => text);
    const bulk = [1, 2].map((id) => ({ id, text: `two ${id}` }));
    await request(url).post('/first').send({ id: 1, text: 'one' }).expect(201);
    await request(url).post('/second/bulk').send({ bulk }).expect(201);
    expect([await texts('first'), await texts('second')]).toEqual([['one'], ['two 1', 'two 2']]);
    await request(url).patch('/first/1').send({ text: 'changed' }).expect(200);
    await request(url).get('/first/2').expect(404);
    await request(url).delete('/second/2').expect(200);
    expect([await texts('first'), await texts('second')]).toEqual([['changed'], ['two 1']]);
  });
});
