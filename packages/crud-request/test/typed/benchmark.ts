/** An entity of 30 fields and 8 relations, to entities of 30 fields that lead back to it, and queries on it: what `types.spec.ts` measures. */
import { RequestQueryBuilder } from '@nestwright/crud-request';

class Fields {
  field1!: string;
  field2!: string;
  field3!: string | null;
  field4!: string;
  field5!: string;
  field6!: string | null;
  field7!: string;
  field8!: string;
  field9!: number | null;
  field10!: number;
  field11!: number;
  field12!: number | null;
  field13!: number;
  field14!: number;
  field15!: number | null;
  field16!: boolean;
  field17!: boolean;
  field18!: boolean | null;
  field19!: boolean;
  field20!: Date;
  field21!: Date | null;
  field22!: Date;
  field23!: Date;
  field24!: 'a' | 'b' | 'c' | null;
  field25!: 'a' | 'b' | 'c';
  field26!: 'a' | 'b' | 'c';
  field27!: string[] | null;
  field28!: string[];
  field29!: Record<string, unknown>;
  field30!: Uint8Array | null;
}

export class Alpha extends Fields {
  alpha?: Alpha;
  betas?: Beta[];
  gamma?: Gamma;
  deltas?: Delta[];
  epsilon?: Epsilon;
  zetas?: Zeta[];
  eta?: Eta;
  thetas?: Theta[];
}

export class Beta extends Fields {
  alpha?: Alpha;
}

export class Gamma extends Fields {
  alpha?: Alpha;
}

export class Delta extends Fields {
  alpha?: Alpha;
}

export class Epsilon extends Fields {
  alpha?: Alpha;
}

export class Zeta extends Fields {
  alpha?: Alpha;
}

export class Eta extends Fields {
  alpha?: Alpha;
}

export class Theta extends Fields {
  alpha?: Alpha;
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
