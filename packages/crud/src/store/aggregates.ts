/** What `GET /aggregate` answers with: a list of rows, or a page of them with the number of all. */
import { planAggregate } from '../aggregate/plan.js';
import type { CrudRequest } from '../crud-request.js';
import { crudError } from '../errors.js';
import { catalogFor } from '../plan/changed-options.js';
import { reportOutcome } from '../response/request-state.js';
import type { AggregateResponseRow, GetManyDefaultResponse } from '../service/crud.service.js';
import { decidePage, makeReadOptions } from './pages.js';
import type { ReadingService } from './reads.js';
import { STORE } from './store.js';

/** Groups the records that a request would list, and computes of each group what it asks for. */
export async function aggregateListed<T>(
  service: ReadingService<T>,
  request: CrudRequest,
): Promise<GetManyDefaultResponse<AggregateResponseRow> | AggregateResponseRow[]> {
  const { take, skip, most, isPage } = decidePage(service, request);
  const plan = planAggregate(request, catalogFor(service, request), {
    take: most === undefined ? take : most + 1,
    skip,
  });
  const { rows, cut, total } = await service[STORE].aggregate!(plan, {
    ...makeReadOptions(request),
    most,
    counts: isPage,
    refusedValue: refuseOverflow,
  });
  if (cut) reportOutcome(request, { truncated: true });
  if (total === undefined) return rows;

  // An override of `createPageInfo` may only rely on the number of rows.
  const page = service.createPageInfo(rows as unknown as T[], total, take ?? 0, skip ?? 0);

  return page as unknown as GetManyDefaultResponse<AggregateResponseRow>;
}

/** A sum that the database cannot hold. */
function refuseOverflow(cause: unknown): Error {
  return crudError('CRUD_VALUE_OUT_OF_RANGE', { field: 'aggregate', cause });
}
