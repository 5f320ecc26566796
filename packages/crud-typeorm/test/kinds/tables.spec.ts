/** Generated columns, with RETURNING and without; tables of one name in two data sources. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { requestOf } from '../support/requests.js';
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
      const [second, third] = [2, 3].map((id) => ({ id, net: id + 3, label: null, gross: id + 6, tag: null }));
      const bulk = [{ net: 5 }, { net: 6, gross: 1, tag: null }];
      expect(await send('post', '/crates', { ...first, id: undefined, gross: 99, tag: 'x' })).toEqual([201, first]);
      expect(await send('post', '/crates/bulk', { bulk })).toEqual([201, [second, third]]);
      const changed = { ...first, net: 1, gross: 4 };
      expect(await send('patch', '/crates/1', { gross: 5, tag: 'y', net: 1 })).toEqual([200, changed]);
      expect(await send('patch', '/crates/1', { gross: 5 })).toEqual([200, changed]);
      expect(await own.read('/crates?filter=tag||eq||%23a&filter=gross||lt||8&sort=gross')).toEqual([changed]);
      const put = { id: 1, net: 2, label: null, gross: 5, tag: null };
      expect(await send('put', '/crates/1', { net: 2, gross: 0 })).toEqual([200, put]);
    });
  });
});

describeDatabases('two data sources', (db) => {
  test('reads and writes stay with their own', async () => {
    // Another kind of database than two of the three.
    const sources = [await connect(db, [Named]), await connect({ connection: { type: 'sqljs' } }, [Named])];
    const services = sources.map((source) => new TypeOrmCrudService(source.getRepository(Named)));
    for (const [index, service] of services.entries()) await service.createOne(requestOf(), { name: `of ${index}` });
    const found = await Promise.all(services.map((service) => service.getMany(requestOf())));
    expect(found).toEqual([0, 1].map((index) => [{ id: 1, name: `of ${index}` }]));
    await Promise.all(sources.map((source) => source.destroy()));
  });
});

@Entity('named')
class Named {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 40 }) name!: string;
}
