/** Totals of decimals with as many digits as MySQL and MariaDB have: every digit, or a refusal, never another number. */
import { expect, test } from '@jest/globals';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

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
    const functions = ['sum', 'avg', 'max', 'count'] as const;
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
      const calls = 'aggregate=sum||fraction&aggregate=avg||fraction&aggregate=sum||whole&aggregate=avg||whole';
      expect(await ask(`groupBy=size&${calls}&filter=size||in||small,large&sort=size,DESC`)).toEqual([
        {
          size: 'small',
          sum_fraction: '12.499999999999999999999999999999',
          avg_fraction: '6.249999999999999999999999999999500000',
          sum_whole: '-1',
          avg_whole: '-0.500000',
        },
        {
          size: 'large',
          sum_fraction: '1234567890123456789012346.123456789012345678901234567891',
          avg_fraction: '617283945061728394506173.061728394506172839450617283945500000',
          sum_whole: `${'1'.repeat(56)}2`,
          avg_whole: `${'5'.repeat(55)}6.000000`,
        },
      ]);
      expect(await ask(`${calls}&filter=id||lt||0`)).toEqual([
        { sum_fraction: null, avg_fraction: null, sum_whole: null, avg_whole: null },
      ]);
    });

    test.each(['sum||fraction', 'avg||fraction', 'sum||whole', 'avg||whole'])(
      '%s of more digits than there are is refused, also where a condition would leave its row out',
      async (call) => {
        const key = call.replace('||', '_');
        expect(await ask(`aggregate=${call}&filter=size||eq||huge`)).toEqual(refused);
        expect(await ask(`aggregate=${call}&filter=size||eq||huge&having=${key}||eq||1`)).toEqual(refused);
        expect(await ask(`aggregate=${call}&filter=size||eq||small&having=${key}||eq||99`)).toEqual([]);
      },
    );

    test('other functions of the same values are not', async () =>
      expect(await ask('aggregate=max||whole&aggregate=count||whole&filter=size||eq||huge')).toEqual([
        { max_whole: NINES, count_whole: 3 },
      ]));
  },
  ['mysql'],
);
