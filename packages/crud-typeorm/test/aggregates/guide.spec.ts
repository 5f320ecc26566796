/** The requests that docs/aggregates.md opens with, sent as they stand there: each has the answer beside it. */
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
const EXAMPLES = [...page.matchAll(/^GET (\/orders\/aggregate\?\S+)\n→ (.+(?:\n {2}.+)*)$/gm)].map(
  ([, path = '', answer = '']) => [path, JSON.parse(answer) as unknown] as const,
);

test('the page has examples', () => expect(EXAMPLES).toHaveLength(3));

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
      await manager.insert(Company, [
        { id: 1, name: 'Acme' },
        { id: 2, name: 'Bolt' },
      ]);
      await manager.insert(Order, [
        { id: 1, price: '900.00', createdAt: '2026-01-05', company: { id: 1 } },
        { id: 2, price: '250.50', createdAt: '2026-01-31', company: { id: 1 } },
        { id: 3, price: '50.00', createdAt: '2026-01-31', company: { id: 1 } },
        { id: 4, price: '7.00', createdAt: '2026-02-01', company: { id: 2 } },
      ]);
    },
  });

  test.each(EXAMPLES)('%s', async (path, expected) => {
    expect(await app.send('get', path)).toEqual({ status: 200, body: expected });
  });
});
