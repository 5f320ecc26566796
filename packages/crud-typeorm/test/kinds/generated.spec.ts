/** Bodies for a table of MariaDB or MySQL with generated columns, made by hand since TypeORM's own DDL for them is refused → answers over HTTP and rows, with RETURNING and without. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import request from 'supertest';
import { Column, type DataSource, type DataSourceOptions, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';

@Entity('crates')
class Crate {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) net!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) label!: string | null;
  @Column({ type: 'int', asExpression: 'net + 3', generatedType: 'STORED' }) gross!: number;
  @Column({ type: 'varchar', length: 40, asExpression: "concat('#', label)", generatedType: 'VIRTUAL', nullable: true })
  tag!: string | null;
}

const RESOURCE = resource(Crate, 'crates');

describeDatabases(
  'generated columns',
  (db) => {
    // Under `mariadb` TypeORM knows RETURNING, under `mysql` it does not.
    describe.each(['mysql', 'mariadb'])('with the driver for %s', (type) => {
      let app: INestApplication;
      let url: string;
      let source: DataSource;

      beforeAll(async () => {
        const module = await Test.createTestingModule({
          imports: [
            TypeOrmModule.forRoot({
              ...db.connection,
              type,
              entities: [Crate],
              synchronize: false,
            } as DataSourceOptions),
            TypeOrmModule.forFeature([Crate]),
          ],
          controllers: [RESOURCE.controller],
          providers: [RESOURCE.provider],
        }).compile();

        ({ app, url } = await listen(module, 'express'));
        source = app.get<DataSource>(getDataSourceToken());
      });
      afterAll(() => app?.close());

      beforeEach(async () => {
        await source.query('DROP TABLE IF EXISTS crates');
        await source.query(
          'CREATE TABLE crates (id int AUTO_INCREMENT PRIMARY KEY, net int NOT NULL, label varchar(20), ' +
            "gross int AS (net + 3) STORED, tag varchar(40) AS (concat('#', label)) VIRTUAL)",
        );
      });

      const send = async (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) => {
        const { status, body: answer } = await request(url)[method](path).send(body);

        return [status, answer as unknown];
      };

      test('are read, filtered and sorted by, and never written', async () => {
        expect(await send('post', '/crates', { net: 4, label: 'a', gross: 99, tag: 'x' })).toEqual([
          201,
          { id: 1, net: 4, label: 'a', gross: 7, tag: '#a' },
        ]);
        expect(await send('post', '/crates/bulk', { bulk: [{ net: 5 }, { net: 6, gross: 1, tag: null }] })).toEqual([
          201,
          [
            { id: 2, net: 5, label: null, gross: 8, tag: null },
            { id: 3, net: 6, label: null, gross: 9, tag: null },
          ],
        ]);
        expect(await send('patch', '/crates/1', { gross: 5, tag: 'y', net: 1 })).toEqual([
          200,
          { id: 1, net: 1, label: 'a', gross: 4, tag: '#a' },
        ]);
        expect(await send('patch', '/crates/1', { gross: 5 })).toEqual([
          200,
          { id: 1, net: 1, label: 'a', gross: 4, tag: '#a' },
        ]);
        expect(await send('put', '/crates/1', { net: 2, gross: 0 })).toEqual([
          200,
          { id: 1, net: 2, label: null, gross: 5, tag: null },
        ]);
        await send('patch', '/crates/3', { label: 'c' });
        expect(await send('get', '/crates?filter=gross||gt||7&sort=gross,DESC&fields=gross,tag')).toEqual([
          200,
          [
            { id: 3, gross: 9, tag: '#c' },
            { id: 2, gross: 8, tag: null },
          ],
        ]);
        expect(await send('get', '/crates?filter=tag||eq||%23c&fields=id')).toEqual([200, [{ id: 3 }]]);
        expect(await send('delete', '/crates/3')).toEqual([200, {}]);
        expect(await source.query('SELECT net, gross, tag FROM crates ORDER BY id')).toEqual([
          { net: 2, gross: 5, tag: null },
          { net: 5, gross: 8, tag: null },
        ]);
      });
    });
  },
  ['mysql'],
);
