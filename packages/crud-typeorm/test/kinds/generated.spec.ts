/** Bodies for a table with generated columns, made by hand since TypeORM's own DDL for them is refused by MariaDB → answers and rows, with RETURNING and without. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
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
      expect(await own.source.query('SELECT net, gross, tag FROM crates ORDER BY id')).toEqual([
        { net: 2, gross: 5, tag: null },
        { net: 5, gross: 8, tag: null },
      ]);
    });
  });
});
