/** An entity of 30 fields and 8 relations, to entities of 30 fields that lead back to it, and queries on it: what `benchmarks/request` measures, and the client's test of types by the same entity. */
import { RequestQueryBuilder } from '@nestwright/crud-request';

type Six<Name extends string, Value> = Record<`${Name}${1 | 2 | 3 | 4 | 5 | 6}`, Value>;
interface Fields
  extends Six<'text', string>, Six<'number', number | null>, Six<'flag', boolean>, Six<'date', Date | null> {
  kind: 'a' | 'b' | 'c';
  state: 'a' | 'b' | 'c' | null;
  tags: string[];
  labels: string[] | null;
  settings: Record<string, unknown>;
  bytes: Uint8Array | null;
}

/** An entity of its own by each name. */
interface Other<Name> extends Fields {
  name: Name;
  alpha?: Alpha;
}

export interface Alpha extends Fields {
  alpha?: Alpha;
  betas?: Other<'beta'>[];
  gamma?: Other<'gamma'>;
  deltas?: Other<'delta'>[];
  epsilon?: Other<'epsilon'>;
  zetas?: Other<'zeta'>[];
  eta?: Other<'eta'>;
  thetas?: Other<'theta'>[];
}

export const query = RequestQueryBuilder.create<Alpha>({
  fields: ['text1', 'bytes'],
  filter: [
    { field: 'text1', operator: 'cont', value: 'x' },
    { field: 'alpha.betas.number3', operator: 'between', value: [1, 2] },
    { field: 'thetas.state', operator: 'in', value: ['a', 'b'] },
  ],
  or: [['epsilon.date1', 'gt', new Date(0)]],
  join: [{ field: 'betas', select: ['text1'] }, ['alpha.betas', ['text2']]],
  sort: [{ field: 'eta.text3', order: 'ASC' }],
  search: { text1: 'x', 'gamma.number3': { $gt: 1 }, $or: [{ flag1: true }, { 'alpha.alpha.state': 'a' }] },
})
  .setFilter({ field: 'betas.flag1', operator: 'eq', value: true })
  .setJoin({ field: 'gamma.alpha', select: ['text5'] })
  .sortBy(['eta.text1', 'ASC'])
  .query();
