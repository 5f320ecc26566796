/** What operators of the application compare: a client's text as the number, boolean or date that it says, where the column has one. */
import { expect, test } from '@jest/globals';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('switches')
class Switch {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: Boolean }) on!: boolean;
  @Column({ type: Date, precision: 3 }) at!: Date;
  @Column({ type: 'double precision' }) score!: number;
  @Column({ type: 'varchar', length: 20 }) code!: string;
}

const custom = {
  same: { query: (column: string, param: string) => `${column} = ${param}` },
  size: { query: (column: string, param: string) => `ABS(${column}) = ${param}` },
  among: { isArray: true, query: (column: string, param: string) => `${column} IN (${param})` },
};

describeDatabases('values of custom operators', (db) => {
  const own = serving(db, [Switch], [resource(Switch, 'switches', { operators: { custom } })], {
    fill: (source) =>
      source.getRepository(Switch).insert([
        { id: 1, on: true, at: new Date('2020-01-01'), score: 1.5, code: '7' },
        { id: 2, on: false, at: new Date('2020-01-02'), score: -2.5, code: '007' },
      ]),
  });

  test.each([
    ['filter=on||same||true', [1]],
    ['filter=on||same||false', [2]],
    ['filter=on||among||true,false', [1, 2]],
    ['s={"on":{"same":"true"}}', [1]],
    ['filter=at||same||2020-01-02', [2]],
    ['filter=score||size||2.5', [2]],
    ['filter=id||among||1,2', [1, 2]],
    ['filter=code||same||7', [1]],
    ['filter=code||same||007', [2]],
  ])('%s', async (query, ids) => {
    expect(((await own.read(`/switches?${query}`)) as Switch[]).map(({ id }) => id)).toEqual(ids);
  });
});
