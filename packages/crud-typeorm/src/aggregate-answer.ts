/** What `GET /aggregate` answers with: a list of rows, or a page of them with the number of all. */
import type { AggregateResponseRow, CrudRequest, CrudService, GetManyDefaultResponse } from '@nestwright/crud';
import {
  aggregatedFields,
  aggregatedPlace,
  type Catalog,
  catalogFor,
  crudError,
  planAggregate,
  reportOutcome,
  type ResourceDefinition,
} from '@nestwright/crud/adapter';

import type { ObjectLiteral, Repository } from 'typeorm';
import { getMetadata } from './catalog/catalog.js';
import { unknownZone } from './dialect/aggregates.js';

import { decidePage, makeReadOptions, type Paging, readTarget, refusingFaults, runRead } from './read-requests.js';
import { readAggregates } from './sql/index.js';

type AggregatingService<T> = Paging & Pick<CrudService<T>, 'createPageInfo'>;

/** Groups the records that a request would list, and computes of each group what it asks for. */
export function aggregateListed<T extends ObjectLiteral>(
  service: AggregatingService<T>,
  repo: Repository<T>,
  request: CrudRequest,
): Promise<GetManyDefaultResponse<AggregateResponseRow> | AggregateResponseRow[]> {
  return runRead(repo, async () => {
    const { take, skip, most, isPage } = decidePage(service, request);
    const plan = planAggregate(request, catalogFor(service, request), {
      take: most === undefined ? take : most + 1,
      skip,
    });
    const options = makeReadOptions(request);
    const { rows, cut, total } = await refusingFaults(['outOfRange'], overflow, () =>
      readAggregates(plan, readTarget(repo), options, { most, counts: isPage }),
    );
    if (cut) reportOutcome(request, { truncated: true });
    if (total === undefined) return rows;

    // An override of `createPageInfo` may only rely on the number of rows.
    const page = service.createPageInfo(rows as unknown as T[], total, take ?? 0, skip ?? 0);

    return page as unknown as GetManyDefaultResponse<AggregateResponseRow>;
  });
}

/** A sum that the database cannot hold. */
function overflow(cause: unknown): Error {
  return crudError('CRUD_VALUE_OUT_OF_RANGE', { field: 'aggregate', cause });
}

/**
 * Mistakes that stop the start.
 *
 * @param isBypassed Whether the service overrides how lists are read, which groups would ignore.
 */
export function aggregateMistakes(definition: ResourceDefinition, catalog: Catalog, isBypassed: boolean): string[] {
  const bypassed =
    'query.aggregate is set, but the service overrides createBuilder or doGetMany, which groups would pass ' +
    'by: override aggregateMany, too';

  return [
    ...zonelessGroups(definition, catalog),
    ...(isBypassed && definition.routes.has('aggregateBase') ? [bypassed] : []),
  ];
}

/** Groups by columns whose time zone is unknown. */
function zonelessGroups(definition: ResourceDefinition, catalog: Catalog): string[] {
  return [...aggregatedFields(definition)].flatMap(({ option, field, function: name }) => {
    const column = name === undefined ? aggregatedPlace(definition, catalog, field)?.column : undefined;
    const reason = column?.kind === 'datetime' ? unknownZone(getMetadata(column)) : undefined;

    return reason === undefined ? [] : [`${option}, ${reason}`];
  });
}
