/** The same package without an entity: what `benchmarks/request` takes off. */
import { RequestQueryBuilder } from '@nestwright/crud-request';

export const query = RequestQueryBuilder.create({ fields: ['text1'] }).query();
