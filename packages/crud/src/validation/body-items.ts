/**
 * The records of a body: the body itself, the items of a bulk, or what to set on the records that a condition matches.
 */
import type { ValidationError } from '@nestjs/common';
import type { ConditionForm } from '../definition/route-behaviour.js';
import { crudError } from '../errors.js';
import { applyScope, type BodyScope, type ScopeValue } from '../plan/body-scope.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { itemKeyFields, readItemKeys } from '../plan/item-keys.js';
import { readOwnPath } from '../definition/plain-objects.js';
import { isUnassignedKey } from '../plan/write-context.js';
import type { BodyRules } from './body-rules.js';
import { type Body, isRecordBody } from './plain-body.js';

/** One record of a body, and what is put into it. */
export interface Item {
  readonly record: Body;
  readonly scope: BodyScope;
}

/** Where records stand in a body. */
export interface Layout {
  /** Path of a record in the body; empty if it is the body. */
  findPath(index: number): string;
  join(records: readonly Body[]): Body;
  split(body: unknown): readonly unknown[];
}

/** Items of a body, or `all` if each record that a condition matches is meant and nothing is set. */
export type BodyItems = { readonly layout: Layout; readonly items: readonly Item[] } | 'all';

export const ALONE: Layout = {
  findPath: () => '',
  join: ([record]) => record!,
  split: (body) => [body],
};

const BULK: Layout = {
  findPath: (index) => `bulk.${index}`,
  join: (bulk) => ({ bulk }),
  split: (body) => (isRecordBody(body) && Array.isArray(body['bulk']) ? (body['bulk'] as unknown[]) : []),
};

const SET: Layout = {
  findPath: () => 'set',
  join: ([set]) => ({ set }),
  split: (body) => [isRecordBody(body) ? body['set'] : undefined],
};

/** The errors of a record as those of the body. */
export function placeErrors(errors: readonly ValidationError[], path: string): readonly ValidationError[] {
  if (errors.length === 0 || path === '') return errors;

  return path.split('.').reduceRight((children, property) => [{ property, children: [...children] }], errors);
}

/** Splits a body; one of the wrong form is a 400. */
export function splitBody(body: unknown, rules: BodyRules, scope: BodyScope, condition: ConditionForm): BodyItems {
  if (!rules.bulk) {
    const record = isRecordBody(body) ? dropUnassignedKey(body, rules, scope) : (body as Body);

    return { layout: ALONE, items: [{ record, scope }] };
  }

  const { bulk, set } = isRecordBody(body) ? body : ({} as Body);
  const { byCondition } = rules;
  if (byCondition && bulk !== undefined) {
    if (condition !== 'none') throw refuse('bulk', 'must not be sent beside a condition');
    if (byCondition === 'set' && set !== undefined) throw refuse('set', 'must not be sent beside bulk');
  }
  // Neither records nor a condition, nor what to do with them.
  const isNothing = condition === 'none' && byCondition === 'set' && set === undefined;
  if (!byCondition || bulk !== undefined || isNothing)
    return { layout: BULK, items: scopeItems(readBulk(body, rules), rules, scope) };

  requireCondition(condition, rules);
  if (byCondition === 'nothing') return 'all';
  if (set === undefined) throw crudError('CRUD_EMPTY_BODY', { field: 'set' });

  return { layout: SET, items: [{ record: readSettable(set, rules, scope.catalog), scope }] };
}

function requireCondition(condition: ConditionForm, { needsVersion }: BodyRules): void {
  if (condition !== 'some') throw crudError('CRUD_CONDITION_REQUIRED', { field: 'filter' });
  if (needsVersion) {
    throw crudError('CRUD_PRECONDITION_REQUIRED', {
      message: 'This route requires the version of each record: send the records in bulk, not a condition',
      field: 'bulk',
    });
  }
}

/** The records of a bulk; what is no list of records, or too long a one, is a 400. */
function readBulk(body: unknown, { maxBulk }: BodyRules): readonly Body[] {
  const bulk = isRecordBody(body) ? body['bulk'] : undefined;
  if (Array.isArray(body) || (bulk !== undefined && !Array.isArray(bulk)))
    throw crudError('CRUD_EMPTY_BODY', { field: 'bulk', message: ['bulk must be a list of records: {"bulk": [{…}]}'] });
  if (!Array.isArray(bulk) || bulk.length === 0) throw crudError('CRUD_EMPTY_BODY', { field: 'bulk' });
  if (maxBulk !== undefined && bulk.length > maxBulk)
    throw crudError('CRUD_LIMIT_EXCEEDED', { field: 'bulk', message: [`bulk must have at most ${maxBulk} items`] });

  return requireRecords(bulk, BULK);
}

/** Values that are all records; another is a 400. */
export function requireRecords(values: readonly unknown[], { findPath }: Layout): readonly Body[] {
  const stray = values.findIndex((value) => !isRecordBody(value));
  if (stray < 0) return values as readonly Body[];

  const field = findPath(stray);
  throw crudError('CRUD_INVALID_BODY', { field, message: [`${field || 'The body'} must be an object`] });
}

/**
 * The records of a bulk, each with its scope; the key that a record carries is part of its scope, as if it were in the
 * path.
 */
function scopeItems(records: readonly Body[], rules: BodyRules, scope: BodyScope): readonly Item[] {
  const { keyedBy, needsVersion } = rules;
  const { catalog } = scope;
  if (needsVersion) requireVersions(records, catalog);
  if (!keyedBy) return records.map((record) => ({ record: dropUnassignedKey(record, rules, scope), scope }));

  const inPath = scope.values.filter(({ origin }) => origin === 'path').map(({ field }) => field);
  const fields = itemKeyFields(keyedBy, catalog, inPath);
  const keys = readItemKeys(records, fields, catalog);

  return records.map((record, index) => {
    const key = keys[index]!.map(({ field, value }): ScopeValue => ({ field, value, origin: 'path', forced: true }));

    return {
      // As in the body of a single-record route, which need not repeat the path.
      record: Object.fromEntries(Object.entries(record).filter(([property]) => !fields.includes(property))),
      scope: { ...scope, values: [...scope.values, ...key] },
    };
  });
}

/** A record with the values of its scope, for a class that describes the whole body. */
export function showScope({ record, scope }: Item, { keyedBy }: BodyRules): Body {
  if (!keyedBy) return record;

  const body = { ...record };
  applyScope(body, scope, { sent: record, keepsRelated: true });

  return body;
}

/** Refuses records without a version: 428. */
function requireVersions(records: readonly Body[], catalog: Catalog | undefined): void {
  const path = catalog?.version?.path ?? 'version';
  const index = records.findIndex((record) => (readOwnPath(record, path) ?? null) === null);
  if (index < 0) return;

  const field = `bulk.${index}.${path}`;
  throw crudError('CRUD_PRECONDITION_REQUIRED', {
    field,
    message: [`${field} is required: the version that the change is based on`],
  });
}

/** The version of a record, and nothing else. */
export function pickVersion(record: Body, catalog: Catalog | undefined): Body {
  const [property] = catalog?.version?.path.split('.') ?? [];

  return property !== undefined && Object.hasOwn(record, property) ? { [property]: record[property] } : {};
}

/** A new record without the `0` that stands for a key to be counted. */
function dropUnassignedKey(record: Body, { mode }: BodyRules, { catalog }: BodyScope): Body {
  const isUnassigned = (column: CatalogColumn) => isUnassignedKey(column, readOwnPath(record, column.path));
  const unassigned = mode === 'insert' ? catalog?.primary.find(isUnassigned) : undefined;
  if (!unassigned) return record;

  const { [unassigned.path]: _, ...rest } = record;

  return rest;
}

/**
 * A record of columns and to-one links, without key and version; anything else is a 400.
 *
 * @example
 * readSettable({ state: 'done', project: 7 }, rules, tasks);
 */
function readSettable(set: unknown, { keyedBy }: BodyRules, catalog: Catalog | undefined): Body {
  if (!isRecordBody(set)) throw refuse('set', 'must be an object');

  const paths = [...itemKeyFields(keyedBy, catalog), ...(catalog?.primary ?? []).map(({ path }) => path)];
  const keys = new Set(paths.map((path) => path.split('.')[0]));

  for (const [name, value] of Object.entries(set)) {
    const relation = catalog?.relations.get(name);
    const references = relation?.references ?? [];
    const isPart =
      isRecordBody(value) && references.some((key) => readOwnPath(value, key.references.path) === undefined);

    if (keys.has(name) || references.some(({ column }) => column.primary))
      throw refuse(`set.${name}`, 'must not be set: it is part of the key');
    if (catalog?.version?.path === name) throw refuse(`set.${name}`, 'is the version of one record');
    if (relation && references.length === 0)
      throw refuse(`set.${name}`, 'cannot be set by a condition: its foreign key is in another table');
    if (isPart) throw refuse(`set.${name}`, 'must be a link to a record by its key');
  }

  return set;
}

function refuse(field: string, text: string): Error {
  return crudError('CRUD_INVALID_BODY', { field, message: [`${field} ${text}`] });
}
