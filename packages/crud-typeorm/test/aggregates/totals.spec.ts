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
  @Column({ type: 'decimal', precision: 65, scale: 30 }) amount!: string;
}

const LARGEST = `${'9'.repeat(35)}.${'9'.repeat(30)}`;
const AMOUNTS = {
  large: ['1234567890123456789012345.123456789012345678901234567891', '1'],
  huge: [LARGEST, LARGEST, `-${LARGEST}`],
};
const ROWS = Object.entries(AMOUNTS)
  .flatMap(([size, amounts]) => amounts.map((amount) => ({ size, amount })))
  .map((row, id) => ({ ...row, id }));

describeDatabases(
  'totals of wide decimals',
  (db) => {
    const wide = resource(Wide, 'wide', { query: { aggregate: { functions: { amount: ['sum', 'avg', 'max'] } } } });
    const app = serving(db, [Wide], [wide], { fill: ({ manager }) => manager.insert(Wide, ROWS) });

    test.each([
      ['sum', 'large', '1234567890123456789012346.123456789012345678901234567891'],
      ['avg', 'large', '617283945061728394506173.061728394506172839450617283945500000'],
      ['max', 'huge', LARGEST],
      ['sum', 'huge', undefined],
      ['avg', 'huge', undefined],
    ])(
      '%s of %s ones has every digit, or is refused, also where a condition leaves it out',
      async (fn, size, value) => {
        for (const having of ['', `&having=${fn}_amount||eq||1`]) {
          const path = `/wide/aggregate?aggregate=${fn}||amount&filter=size||eq||${size}${having}`;
          const { status, body } = await app.send('get', path);
          if (value === undefined) expect([status, body.code]).toEqual([400, 'CRUD_VALUE_OUT_OF_RANGE']);
          else expect(body).toEqual(having ? [] : [{ [`${fn}_amount`]: value }]);
        }
      },
    );
  },
  ['mysql'],
);
