/** Soft deletes and recoveries → dates as precise as their columns, on each database. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  Column,
  CreateDateColumn,
  type DataSource,
  DeleteDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Statements } from '../support/statements.js';
import { requestOf } from '../support/requests.js';
import { connect } from '../support/resources.js';

@Entity('leaves')
class Leaf {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @VersionColumn() version!: number;
  @CreateDateColumn() createdAt!: Date;
  @UpdateDateColumn() updatedAt!: Date;
  @DeleteDateColumn() deletedAt!: Date | null;
}

/** Its delete date is nothing that an UPDATE of TypeORM may set. */
@Entity('petals')
class Petal {
  @PrimaryGeneratedColumn() id!: number;
  @DeleteDateColumn({ update: false }) deletedAt!: Date | null;
}

const requestAt = (id: number) => requestOf({ path: { id }, options: { query: { softDelete: true } } });

describeDatabases('marks of deletion', (db) => {
  let source: DataSource;
  let leaves: TypeOrmCrudService<Leaf>;
  const statements = new Statements();

  beforeAll(async () => {
    source = await connect(db, [Leaf, Petal], { logging: true, logger: statements, poolSize: 5 });
    leaves = new TypeOrmCrudService(source.getRepository(Leaf));
  });

  afterAll(() => source.destroy());
  beforeEach(() => source.query('DELETE FROM leaves'));

  const made = async () => (await source.getRepository(Leaf).save({ name: 'oak' })).id;
  const stored = (id: number) => source.getRepository(Leaf).findOneOrFail({ where: { id }, withDeleted: true });
  const now = { sqlite: `strftime('%Y-%m-%d %H:%M:%f', 'now')`, mysql: 'CURRENT_TIMESTAMP(6)' };
  const NOW = db.kind === 'postgres' ? 'CURRENT_TIMESTAMP' : now[db.kind];

  test('are as precise as their column, and so is the update date', async () => {
    const id = await made();
    const [removal] = await statements.of(() => leaves.deleteOne(requestAt(id)));
    const name = (column: string) => source.driver.escape(column);

    expect(removal).toContain(`${name('deletedAt')} = ${NOW}`);
    expect(removal).toContain(`${name('updatedAt')} = ${NOW}`);
    const gone = await stored(id);
    expect(gone.deletedAt!.getTime()).toBeGreaterThanOrEqual(gone.createdAt.getTime());
    expect(gone.updatedAt).toEqual(gone.deletedAt);
    expect(gone.version).toBe(2);

    const [recovery] = await statements.of(() => leaves.recoverOne(requestAt(id)));
    expect(recovery).toContain(`${name('updatedAt')} = ${NOW}`);
    const back = await stored(id);
    expect(back).toMatchObject({ deletedAt: null, version: 3 });
    expect(back.updatedAt.getTime()).toBeGreaterThanOrEqual(gone.updatedAt.getTime());

    await leaves.recoverOne(requestAt(id));
    expect(await stored(id)).toEqual(back);
  });

  test('a date that no update may set is set by a deletion', async () => {
    const petals = new TypeOrmCrudService(source.getRepository(Petal));
    const { id } = await source.getRepository(Petal).save({});
    await petals.deleteOne(requestAt(id));

    expect(await source.getRepository(Petal).existsBy({ id })).toBe(false);
    await petals.recoverOne(requestAt(id));
    expect(await source.getRepository(Petal).existsBy({ id })).toBe(true);
  });
});
