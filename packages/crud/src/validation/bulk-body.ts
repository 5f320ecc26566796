/** The list of records in a body, and their errors with the path of the body. */
import type { ValidationError } from '@nestjs/common';
import { crudError } from '../errors/errors.js';
import type { Catalog } from '../plan/catalog.js';
import { valueAt } from '../plan/property-paths.js';
import type { BodyRules } from './body-rules.js';
import { type Body, isRecordBody } from './plain-body.js';

/** The records of a bulk; what is no list of records, or too long a one, is a 400. */
export function bulkOf(body: unknown, { maxBulk }: Pick<BodyRules, 'maxBulk'>): readonly Body[] {
  const bulk = isRecordBody(body) ? body['bulk'] : undefined;
  if (Array.isArray(body) || (bulk !== undefined && !Array.isArray(bulk)))
    throw crudError('CRUD_EMPTY_BODY', { field: 'bulk', message: ['bulk must be a list of records: {"bulk": [{…}]}'] });
  if (!Array.isArray(bulk) || bulk.length === 0) throw crudError('CRUD_EMPTY_BODY', { field: 'bulk' });
  if (maxBulk !== undefined && bulk.length > maxBulk)
    throw crudError('CRUD_LIMIT_EXCEEDED', { field: 'bulk', message: [`bulk must have at most ${maxBulk} items`] });

  return recordsOf(bulk);
}

/** Items that are all records; another is a 400. */
export function recordsOf(bulk: readonly unknown[]): readonly Body[] {
  const stray = bulk.findIndex((item) => !isRecordBody(item));
  if (stray >= 0) {
    const field = `bulk.${stray}`;
    throw crudError('CRUD_INVALID_BODY', { message: [`${field} must be an object`], field });
  }

  return bulk as readonly Body[];
}

/** Refuses records without a version: 428. */
export function requireVersions(records: readonly Body[], catalog: Catalog | undefined): void {
  const path = catalog?.version?.path ?? 'version';
  const index = records.findIndex((record) => (valueAt(record, path) ?? null) === null);
  if (index < 0) return;

  const field = `bulk.${index}.${path}`;
  throw crudError('CRUD_PRECONDITION_REQUIRED', {
    field,
    message: [`${field} is required: the version that the change is based on`],
  });
}

/** The version of a record, and nothing else. */
export function versionIn(record: Body, catalog: Catalog | undefined): Body {
  const [property] = catalog?.version?.path.split('.') ?? [];

  return property !== undefined && Object.hasOwn(record, property) ? { [property]: record[property] } : {};
}

/** The errors of items as those of the bulk. */
export function inBulk(errors: readonly (readonly ValidationError[])[]): ValidationError[] {
  const children = errors.flatMap((own, index) =>
    own.length > 0 ? [{ property: String(index), children: [...own] } as ValidationError] : [],
  );

  return children.length > 0 ? [{ property: 'bulk', children } as ValidationError] : [];
}
