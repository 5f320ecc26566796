/** Applies a service's read hooks to its writes: a record that they do not show is a 404. */
import { NotFoundException } from '@nestjs/common';
import type { SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import { forApplication } from '../plan/changed-options.js';
import { scopeOf } from '../plan/read.js';
import { CrudService } from '../service/crud.service.js';
import { type HookedService, READS_BY_HOOK } from './hooked.service.js';
import { refuseUnknown } from './refusals.js';
import type { Key, Written } from './store.js';

/** The answer of a write: as read again in the transaction, or by the service's read hooks. */
export async function answerWritten<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  { record, key }: Written,
  shallow = false,
): Promise<T> {
  const ownKey =
    service.getPrimaryParams !== CrudService.prototype.getPrimaryParams &&
    pickKey(record as Record<string, unknown>, service.getPrimaryParams(request.options));
  if (shallow || !(ownKey || service[READS_BY_HOOK])) return record as T;

  const search = { $and: [(ownKey || key) as SCondition, scopeOf(request)] };

  return service['getOneOrFail'](forApplication({ ...request, parsed: { ...request.parsed, search } }));
}

/** The key of a record in the given fields; undefined if it lacks any. */
function pickKey(record: Record<string, unknown>, fields: readonly string[]): Key | undefined {
  const isGiven = (field: string) => record[field] !== undefined && record[field] !== null;

  return fields.length > 0 && fields.every(isGiven)
    ? Object.fromEntries(fields.map((field) => [field, record[field]]))
    : undefined;
}

/** Whether the service's read hooks show the record of a write's request. */
export async function isShown<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  withDeleted = false,
): Promise<boolean> {
  if (!service[READS_BY_HOOK]) return true;

  try {
    return Boolean(await service['getOneOrFail'](forApplication(request), false, withDeleted));
  } catch (error) {
    if (error instanceof NotFoundException) return false;

    throw error;
  }
}

/** Refuses a write whose record the service's read hooks do not show. */
export async function requireShown<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  withDeleted = false,
): Promise<void> {
  if (!(await isShown(service, request, withDeleted))) refuseUnknown(service);
}
