/** What the application's own way of reading says of its writes. A record that it does not show is answered as unknown. */
import { NotFoundException } from '@nestjs/common';
import type { CrudRequest } from '@nestwright/crud';
import { forApplication, scopeOf } from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import type { ObjectLiteral } from 'typeorm';
import { keyIn, type Written } from './statements/write-context.js';
import { refuseUnknown } from './results.js';
import { overrides, type TypeOrmReadService } from './typeorm-read.service.js';

/** The answer of a write: as it was read again in the transaction, or by the application's own way of reading a record. */
export async function answer<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  request: CrudRequest,
  { record, key }: Written,
  shallow = false,
): Promise<T> {
  const own = overrides(service, 'getPrimaryParams') && keyIn(record, service.getPrimaryParams(request.options));

  if (shallow || !(own || readsByHook(service))) {
    return record as T;
  }

  const search = { $and: [(own || key) as SCondition, scopeOf(request)] };

  return service['getOneOrFail'](forApplication({ ...request, parsed: { ...request.parsed, search } }));
}

/** Whether the application reads single records in its own way, whose filters then hold for writes too. */
export function readsByHook<T extends ObjectLiteral>(service: TypeOrmReadService<T>): boolean {
  return overrides(service, 'createBuilder') || overrides(service, 'getOneOrFail');
}

/** Whether a write may act on the record of the request, so far as the application's own way of reading says. */
export async function isShown<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  request: CrudRequest,
  withDeleted = false,
): Promise<boolean> {
  if (!readsByHook(service)) return true;

  try {
    return Boolean(await service['getOneOrFail'](forApplication(request), false, withDeleted));
  } catch (error) {
    if (error instanceof NotFoundException) {
      return false;
    }

    throw error;
  }
}

/** Refuses a write whose record the application's own way of reading does not show. */
export async function requireShown<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  request: CrudRequest,
  withDeleted = false,
): Promise<void> {
  if (!(await isShown(service, request, withDeleted))) refuseUnknown(service);
}
