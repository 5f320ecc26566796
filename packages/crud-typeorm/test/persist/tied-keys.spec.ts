/** Bodies whose nested records have their parent's key in their own, and lists that leave records out → the rows, on each database. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  Column,
  type DataSource,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { requestOf } from '../support/requests.js';
import { connect } from '../support/resources.js';

@Entity('invoices')
class Invoice {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) title!: string;
  @OneToMany(() => Line, (line) => line.invoice, { cascade: true }) lines!: Relation<Line>[];
  @OneToMany(() => Stamp, (stamp) => stamp.invoice, { cascade: ['insert'] }) stamps!: Relation<Stamp>[];
  @OneToMany(() => Memo, (memo) => memo.invoice, { cascade: true }) memos!: Relation<Memo>[];
}

@Entity('invoice_lines')
class Line {
  @PrimaryColumn({ type: 'int' }) invoiceId!: number;
  @PrimaryColumn({ type: 'int' }) number!: number;
  @Column({ type: 'varchar', length: 20 }) text!: string;
  @ManyToOne(() => Invoice, (invoice) => invoice.lines, { orphanedRowAction: 'delete' })
  @JoinColumn({ name: 'invoiceId' })
  invoice!: Relation<Invoice>;
  @OneToMany(() => Detail, (detail) => detail.line, { cascade: true }) details!: Relation<Detail>[];
}

/** Three columns of key, two of them its parent's. */
@Entity('details')
class Detail {
  @PrimaryColumn({ type: 'int' }) invoiceId!: number;
  @PrimaryColumn({ type: 'int' }) lineNumber!: number;
  @PrimaryColumn({ type: 'varchar', length: 10 }) code!: string;
  @Column({ type: 'int' }) amount!: number;
  @ManyToOne(() => Line, (line) => line.details, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'invoiceId', referencedColumnName: 'invoiceId' },
    { name: 'lineNumber', referencedColumnName: 'number' },
  ])
  line!: Relation<Line>;
}

/** Its foreign key is no property of its own. */
@Entity('stamps')
class Stamp {
  @ManyToOne(() => Invoice, (invoice) => invoice.stamps, { orphanedRowAction: 'delete' })
  @JoinColumn()
  invoice!: Relation<Invoice>;
  @PrimaryColumn({ name: 'invoiceId', type: 'int' }) invoiceId!: number;
  @PrimaryColumn({ type: 'varchar', length: 10 }) color!: string;
  @Column({ type: 'varchar', length: 10, nullable: true }) note!: string | null;
}

@Entity('memos')
class Memo {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 10 }) text!: string;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @ManyToOne(() => Invoice, (invoice) => invoice.memos, { orphanedRowAction: 'soft-delete' })
  invoice!: Relation<Invoice>;
}

describeDatabases('children that have their parent in their key', (db) => {
  let source: DataSource;
  let invoices: TypeOrmCrudService<Invoice>;

  beforeAll(async () => {
    source = await connect(db, [Invoice, Line, Detail, Stamp, Memo]);
    invoices = new TypeOrmCrudService(source.getRepository(Invoice));
  });

  afterAll(() => source.destroy());

  beforeEach(async () => {
    for (const table of ['details', 'invoice_lines', 'stamps', 'memos', 'invoices'])
      await source.query(`DELETE FROM ${table}`);
  });

  const make = (value: object = {}) => invoices.createOne(requestOf(), { title: 'i', ...value } as Invoice);
  const change = (id: number, value: object) => invoices.updateOne(requestOf({ path: { id } }), value as Invoice);
  const lines = async (invoiceId: number) =>
    (await source.getRepository(Line).find({ where: { invoiceId }, order: { number: 'ASC' } })).map(
      ({ number, text }) => `${number} ${text}`,
    );

  test('are inserted with a new parent, at any depth', async () => {
    const { id } = await make({ lines: [{ number: 1, text: 'a', details: [{ code: 'x', amount: 1 }] }] });

    expect(await lines(id)).toEqual(['1 a']);
    expect(await source.getRepository(Detail).find()).toEqual([{ invoiceId: id, lineNumber: 1, code: 'x', amount: 1 }]);
  });

  test('are inserted or updated under a stored parent, and those left out go', async () => {
    const { id } = await make({ lines: [1, 2, 3].map((number) => ({ number, text: 'old' })) });
    const other = await make({ lines: [{ number: 1, text: 'other' }] });
    await change(id, {
      lines: [
        { number: 2, text: 'new' },
        { invoiceId: id, number: 3 },
        { number: 4, text: 'added' },
      ],
    });

    expect(await lines(id)).toEqual(['2 new', '3 old', '4 added']);
    expect(await lines(other.id)).toEqual(['1 other']);
  });

  test('of another parent are refused, and so are those with a part of the rest of the key', async () => {
    const { id } = await make({ lines: [{ number: 1, text: 'mine' }] });
    const other = await make({ lines: [{ number: 1, text: 'other' }] });

    await expect(change(id, { lines: [{ invoiceId: other.id, number: 1, text: 'stolen' }] })).rejects.toMatchObject({
      response: { statusCode: 400, code: 'CRUD_INVALID_BODY', field: 'lines.0' },
    });
    await expect(make({ lines: [{ number: 1, text: 'a' }, { text: 'b' }] })).rejects.toMatchObject({ status: 400 });
    expect([await lines(id), await lines(other.id)]).toEqual([['1 mine'], ['1 other']]);
    expect(await source.getRepository(Invoice).count()).toBe(2);
  });

  test('stay where the relation cascades inserts alone, unchanged', async () => {
    const { id } = await make({ stamps: [{ color: 'red' }, { color: 'blue', note: 'b' }] });
    await change(id, { stamps: [{ color: 'blue', note: 'changed' }, { color: 'green' }] });

    expect(await source.getRepository(Stamp).find({ order: { color: 'ASC' } })).toEqual([
      { invoiceId: id, color: 'blue', note: 'b' },
      { invoiceId: id, color: 'green', note: null },
    ]);
  });

  test('an empty list lets all of them go as the relation says, a missing one none', async () => {
    const children = { lines: [{ number: 1, text: 'a' }], memos: [{ text: 'm' }], stamps: [{ color: 'red' }] };
    const { id } = await make(children);
    await change(id, { title: 'j' });
    expect(await lines(id)).toEqual(['1 a']);

    await change(id, { lines: [], memos: [], stamps: [] });
    expect(await lines(id)).toEqual([]);
    expect(await source.getRepository(Stamp).count()).toBe(0);
    expect(await source.getRepository(Memo).count()).toBe(0);
    expect(await source.getRepository(Memo).find({ withDeleted: true })).toMatchObject([
      { text: 'm', deletedAt: expect.any(Date) },
    ]);
  });
});
