/** An entity of 30 fields and 8 relations, to entities of 30 fields that lead back to it, and queries on it: what `types.spec.ts` measures. */
import { RequestQueryBuilder } from '@nestwright/crud-request';

interface Fields
  extends
    Record<'field1' | 'field2' | 'field4' | 'field5' | 'field7' | 'field8', string>,
    Record<'field3' | 'field6', string | null>,
    Record<'field10' | 'field11' | 'field13' | 'field14', number>,
    Record<'field9' | 'field12' | 'field15', number | null>,
    Record<'field16' | 'field17' | 'field19', boolean>,
    Record<'field20' | 'field22' | 'field23', Date>,
    Record<'field25' | 'field26', 'a' | 'b' | 'c'> {
  field18: boolean | null;
  field21: Date | null;
  field24: 'a' | 'b' | 'c' | null;
  field27: string[] | null;
  field28: string[];
  field29: Record<string, unknown>;
  field30: Uint8Array | null;
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
  fields: ['field1', 'field30'],
  filter: [
    { field: 'field1', operator: 'cont', value: 'x' },
    { field: 'alpha.betas.field9', operator: 'between', value: [1, 2] },
    { field: 'thetas.field24', operator: 'in', value: ['a', 'b'] },
  ],
  or: [['epsilon.field20', 'gt', new Date(0)]],
  join: [{ field: 'betas', select: ['field1'] }, ['alpha.betas', ['field2']]],
  sort: [{ field: 'eta.field3', order: 'ASC' }],
  search: { field1: 'x', 'gamma.field9': { $gt: 1 }, $or: [{ field16: true }, { 'alpha.alpha.field24': 'a' }] },
})
  .setFilter({ field: 'betas.field16', operator: 'eq', value: true })
  .setJoin({ field: 'gamma.alpha', select: ['field5'] })
  .sortBy(['eta.field1', 'ASC'])
  .query();
