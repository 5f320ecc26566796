/** Applies a service's read hooks to its writes: a record that they do not show is a 404. */
import { NotFoundException } from '@nestjs/common';
import type { CrudRequest } from '@nestwright/crud';
import { forApplication, scopeOf } from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import type { ObjectLiteral } from 'typeorm';
import { pickKey, type Written } from './statements/write-context.js';
import { refuseUnknown } from './results.js';
import { overrides, type TypeOrmReadService } from './typeorm-read.service.js';

/** The answer of a write: as read again in the transaction, or by the service's read hooks. */
export async function answer<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  request: CrudRequest,
  { record, key }: Written,
  shallow = false,
): Promise<T> {
  const own = overrides(service, 'getPrimaryParams') && pickKey(record, service.getPrimaryParams(request.options));
  if (shallow || !(own || readsByHook(service))) return record as T;

  const search = { $and: [(own || key) as SCondition, scopeOf(request)] };

  return service['getOneOrFail'](forApplication({ ...request, parsed: { ...request.parsed, search } }));
}

/** Whether the service overrides how single records are read; its filters then apply to writes too. */
export function readsByHook<T extends ObjectLiteral>(service: TypeOrmReadService<T>): boolean {
  return overrides(service, 'createBuilder') || overrides(service, 'getOneOrFail');
}

/** Whether the service's read hooks show the record of a write's request. */
export async function isShown<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  request: CrudRequest,
  withDeleted = false,
): Promise<boolean> {
  if (!readsByHook(service)) return true;

  try {
    return Boolean(await service['getOneOrFail'](forApplication(request), false, withDeleted));
  } catch (error) {
    if (error instanceof NotFoundException) return false;

    throw error;
  }
}

/** Refuses a write whose record the service's read hooks do not show. */
export async function requireShown<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  request: CrudRequest,
  withDeleted = false,
): Promise<void> {
  if (!(await isShown(service, request, withDeleted))) refuseUnknown(service);
}
