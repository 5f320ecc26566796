/** Totals of decimals: as docs/aggregates.md shows them in the requests that it opens with, and of as many digits as MySQL and MariaDB have, where it is every digit, or a refusal, never another number. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Column, Entity, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('guide_companies')
class Company {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

/** SQLite has numbers for decimals; the page shows them as texts. */
const asText = { to: (value: string) => value, from: (value: string | number) => Number(value).toFixed(2) };

@Entity('guide_orders')
class Order {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20, default: 'paid' }) status!: string;
  @Column({ type: 'decimal', precision: 10, scale: 2, transformer: asText }) price!: string;
  @Column({ type: 'date' }) createdAt!: string;
  @ManyToOne(() => Company) company!: Relation<Company>;
}

const page = readFileSync(new URL('../../../../docs/aggregates.md', import.meta.url), 'utf8');
const EXAMPLES = [...page.matchAll(/^GET (\/orders\/aggregate\?\S+)\n→ (.+(?:\n {2}.+)*)$/gm)];

describeDatabases('the guide', (db) => {
  const orders = resource(Order, 'orders', {
    query: {
      join: { company: {} },
      aggregate: {
        groupBy: ['status', 'company.name', 'createdAt'],
        functions: { '*': ['count'], price: ['sum', 'avg', 'min', 'max'] },
      },
    },
  });
  const app = serving(db, [Company, Order], [orders], {
    fill: async ({ manager }) => {
      for (const [index, name] of ['Acme', 'Bolt'].entries()) await manager.insert(Company, { id: index + 1, name });
      await manager.insert(Order, [
        { id: 1, price: '900.00', createdAt: '2026-01-05', company: { id: 1 } },
        { id: 2, price: '250.50', createdAt: '2026-01-31', company: { id: 1 } },
        { id: 3, price: '50.00', createdAt: '2026-01-31', company: { id: 1 } },
        { id: 4, price: '7.00', createdAt: '2026-02-01', company: { id: 2 } },
      ]);
    },
  });

  test('answers as docs/aggregates.md says', async () => {
    expect(EXAMPLES).toHaveLength(3);
    for (const [, path, answer] of EXAMPLES) expect(await app.read(path!)).toEqual(JSON.parse(answer!));
  });
});

@Entity('agg_wide')
class Wide {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 10 }) size!: string;
  @Column({ type: 'decimal', precision: 65, scale: 30, nullable: true }) fraction!: string | null;
  @Column({ type: 'decimal', precision: 65, scale: 0, nullable: true }) whole!: string | null;
}

const NINES = '9'.repeat(65);
const LARGEST = `${'9'.repeat(35)}.${'9'.repeat(30)}`;
const ROWS = [
  { size: 'small', fraction: '12.5', whole: '7' },
  { size: 'small', fraction: '-0.000000000000000000000000000001', whole: '-8' },
  { size: 'small', fraction: null, whole: null },
  { size: 'large', fraction: '1234567890123456789012345.123456789012345678901234567891', whole: '1'.repeat(57) },
  { size: 'large', fraction: '1', whole: '1' },
  { size: 'huge', fraction: LARGEST, whole: NINES },
  { size: 'huge', fraction: LARGEST, whole: NINES },
  { size: 'huge', fraction: `-${LARGEST}`, whole: `-${NINES}` },
].map((row, id) => ({ ...row, id }));

describeDatabases(
  'totals of wide decimals',
  (db) => {
    const functions = ['sum', 'avg', 'max'] as const;
    const wide = resource(Wide, 'wide', {
      query: { aggregate: { groupBy: ['size'], functions: { fraction: functions, whole: functions } } },
    } as never);
    const app = serving(db, [Wide], [wide], { fill: ({ manager }) => manager.insert(Wide, ROWS) });
    const ask = async (query: string): Promise<unknown> => {
      const { status, body } = await app.send('get', `/wide/aggregate?${query}`);
      return status === 200 ? body : [status, body.code];
    };
    const refused = [400, 'CRUD_VALUE_OUT_OF_RANGE'];

    test('sums and averages have every digit', async () => {
      const calls = ['sum||fraction', 'avg||fraction', 'sum||whole', 'avg||whole'];
      const query = calls.map((call) => `aggregate=${call}`).join('&');
      const rows = (await ask(`groupBy=size&${query}&filter=size||in||small,large&sort=size,DESC`)) as object[];
      expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
        'small 12.499999999999999999999999999999 6.249999999999999999999999999999500000 -1 -0.500000',
        'large 1234567890123456789012346.123456789012345678901234567891 ' +
          '617283945061728394506173.061728394506172839450617283945500000 ' +
          `${'1'.repeat(56)}2 ${'5'.repeat(55)}6.000000`,
      ]);
    });

    test.each(['sum||fraction', 'avg||whole'])(
      '%s of more digits than there are is refused, also where a condition would leave its row out',
      async (call) => {
        const key = call.replace('||', '_');
        expect(await ask(`aggregate=${call}&filter=size||eq||huge`)).toEqual(refused);
        expect(await ask(`aggregate=${call}&filter=size||eq||huge&having=${key}||eq||1`)).toEqual(refused);
        expect(await ask(`aggregate=${call}&filter=size||eq||small&having=${key}||eq||99`)).toEqual([]);
        expect(await ask('aggregate=max||whole&filter=size||eq||huge')).toEqual([{ max_whole: NINES }]);
      },
    );
  },
  ['mysql'],
);
