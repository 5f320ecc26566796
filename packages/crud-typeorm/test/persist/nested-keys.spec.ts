/** Bodies with nested records whose key is that of the record around them or a part of it, and lists that leave records out → answers and rows, on each database. */
import { beforeEach, expect, test } from '@jest/globals';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { requestOf } from '../support/requests.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const cascade: ('insert' | 'update')[] = ['insert', 'update'];

@orm.Entity('owners')
class Owner {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
  @orm.OneToOne(() => Passport, (passport) => passport.owner, { cascade }) passport!: orm.Relation<Passport> | null;
}

/** Its key is a property and a foreign key. */
@orm.Entity('passports')
class Passport {
  @orm.PrimaryColumn({ type: 'int' }) ownerId!: number;
  @orm.Column({ type: 'varchar', length: 20 }) number!: string;
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) country!: string | null;
  @orm.OneToOne(() => Owner, ({ passport }) => passport, { cascade })
  @orm.JoinColumn({ name: 'ownerId' })
  owner!: Owner;
}

@orm.Entity('invoices')
class Invoice {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) title!: string;
  @orm.OneToMany(() => Line, (line) => line.invoice, { cascade: true }) lines!: orm.Relation<Line>[];
  @orm.OneToMany(() => Memo, (memo) => memo.invoice, { cascade: true }) memos!: orm.Relation<Memo>[];
}

@orm.Entity('invoice_lines')
class Line {
  @orm.PrimaryColumn({ type: 'int' }) invoiceId!: number;
  @orm.PrimaryColumn({ type: 'int' }) number!: number;
  @orm.Column({ type: 'varchar', length: 20 }) text!: string;
  @orm.ManyToOne(() => Invoice, ({ lines }) => lines, { orphanedRowAction: 'delete' })
  @orm.JoinColumn({ name: 'invoiceId' })
  invoice!: orm.Relation<Invoice>;
}

@orm.Entity('memos')
class Memo {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) text!: string;
  @orm.DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @orm.ManyToOne(() => Invoice, ({ memos }) => memos, { orphanedRowAction: 'soft-delete' })
  invoice!: orm.Relation<Invoice>;
}

const SHARING = [
  resource(Owner, 'owners', { query: { join: { passport: { eager: true } } } }),
  resource(Passport, 'passports', {
    params: { ownerId: { field: 'ownerId', type: 'number', primary: true } },
    query: { join: { owner: {} } },
  }),
];

describeDatabases('a primary key that two records share', (db) => {
  const served = serving(db, [Owner, Passport], SHARING);
  const { send } = served;
  beforeEach(() => empty(served.source));

  const passports = async () =>
    (await served.source.getRepository(Passport).find({ order: { ownerId: 'ASC' } })).map((row) => ({ ...row }));
  const owners = () => served.source.getRepository(Owner).count();
  const make = async (name: string, number?: string) =>
    (await send('post', '/owners', { name, ...(number && { passport: { number, country: 'DE' } }) })).body.id as number;
  const refused = (status: number, code: string, field = {}) => ({ status, body: { code, ...field } });

  test('a nested record is inserted under the key of the new one, in bulk each under its own', async () => {
    const { body } = await send('post', '/owners', { name: 'a', passport: { number: '1' } });
    const bulk = [{ name: 'b' }, { name: 'c', passport: { number: '3' } }];
    const many = await send('post', '/owners/bulk', { bulk });
    const passport = (ownerId: number, number: string) => ({ ownerId, number, country: null });
    expect(body).toEqual({ id: body.id, name: 'a', passport: passport(body.id, '1') });
    expect(await passports()).toEqual([passport(body.id, '1'), passport(many.body[1].id, '3')]);
  });

  test('PATCH and PUT change the linked record, with its key or without, and insert one where there is none', async () => {
    const [id, bare] = [await make('a', 'one'), await make('b')];
    const body = { id, name: 'a', passport: { ownerId: id, number: 'two', country: 'DE' } };
    expect(await send('patch', `/owners/${id}`, { passport: { number: 'two' } })).toEqual({ status: 200, body });
    await send('patch', `/owners/${id}`, { passport: { ownerId: id, country: 'FR' } });
    await send('patch', `/owners/${bare}`, { passport: { number: 'new' } });
    const inserted = { ownerId: bare, number: 'new', country: null };
    expect(await passports()).toEqual([{ ownerId: id, number: 'two', country: 'FR' }, inserted]);

    await send('put', `/owners/${id}`, { name: 'A', passport: { number: 'three' } });
    expect((await send('put', `/owners/${id}`, { name: 'A' })).status).toBe(200);
    expect(await passports()).toMatchObject([{ ownerId: id, number: 'three' }, inserted]);
  });

  test('the record of another owner is refused and stays', async () => {
    const [id, other, bare] = [await make('a', 'one'), await make('b', 'other'), await make('c')];
    const before = await passports();
    const passport = { ownerId: other, number: 'stolen' };
    const foreign = { field: 'passport', message: ['passport does not belong to this record'] };
    const posted = await send('post', '/owners', { name: 'd', passport });
    const patched = [id, bare].map((key) => send('patch', `/owners/${key}`, { passport }));
    for (const answer of [posted, ...(await Promise.all(patched))])
      expect(answer).toMatchObject(refused(400, 'CRUD_INVALID_BODY', foreign));
    const nameless = await send('post', '/owners', { name: 'a', passport: { country: 'DE' } });
    expect(nameless).toMatchObject(refused(400, 'CRUD_NOT_NULL_VIOLATION', { field: 'passport.number' }));
    expect([await passports(), await owners()]).toEqual([before, 3]);
  });

  test('a nested record with the other key is inserted first, and its key taken', async () => {
    const answer = await send('post', '/passports', { number: 'one', owner: { name: 'a' } });
    const [owner] = await served.source.getRepository(Owner).find();
    expect(owner!.name).toBe('a');
    expect(answer).toEqual({ status: 201, body: { ownerId: owner!.id, number: 'one', country: null } });
  });
});

describeDatabases('children that have their parent in their key', (db) => {
  const source = connecting(db, [Invoice, Line, Memo]);
  const invoices = new TypeOrmCrudService(source.getRepository(Invoice));
  beforeEach(() => empty(source));

  const make = (value: object = {}) => invoices.createOne(requestOf(), { title: 'i', ...value } as Invoice);
  const change = (id: number, value: object) => invoices.updateOne(requestOf({ path: { id } }), value as Invoice);
  const lines = async (invoiceId: number) =>
    (await source.getRepository(Line).find({ where: { invoiceId }, order: { number: 'ASC' } })).map(
      ({ number, text }) => `${number} ${text}`,
    );

  test('are inserted or updated under a stored parent, and those left out go', async () => {
    const { id } = await make({ lines: [1, 2, 3].map((number) => ({ number, text: 'old' })) });
    const other = await make({ lines: [{ number: 1, text: 'other' }] });
    const kept = { invoiceId: id, number: 3 };
    await change(id, { lines: [{ number: 2, text: 'new' }, kept, { number: 4, text: 'added' }] });
    expect([await lines(id), await lines(other.id)]).toEqual([['2 new', '3 old', '4 added'], ['1 other']]);
  });

  test('of another parent are refused, and so are those with a part of the rest of the key', async () => {
    const { id } = await make({ lines: [{ number: 1, text: 'mine' }] });
    const other = await make({ lines: [{ number: 1, text: 'other' }] });
    const refused = { response: { statusCode: 400, code: 'CRUD_INVALID_BODY', field: 'lines.0' } };
    const stolen = { invoiceId: other.id, number: 1, text: 'stolen' };
    await expect(change(id, { lines: [stolen] })).rejects.toMatchObject(refused);
    await expect(make({ lines: [{ number: 1, text: 'a' }, { text: 'b' }] })).rejects.toMatchObject({ status: 400 });
    expect([await lines(id), await lines(other.id)]).toEqual([['1 mine'], ['1 other']]);
    expect(await source.getRepository(Invoice).count()).toBe(2);
  });

  test('an empty list lets all of them go as the relation says, a missing one none', async () => {
    const { id } = await make({ lines: [{ number: 1, text: 'a' }], memos: [{ text: 'm' }] });
    await change(id, { title: 'j' });
    expect(await lines(id)).toEqual(['1 a']);
    await change(id, { lines: [], memos: [] });
    expect(await lines(id)).toEqual([]);
    const memos = source.getRepository(Memo);
    expect(await memos.count()).toBe(0);
    expect(await memos.find({ withDeleted: true })).toMatchObject([{ text: 'm', deletedAt: expect.any(Date) }]);
  });
});
