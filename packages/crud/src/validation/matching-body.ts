/** The body of a write by condition. */
import type { ValidationError } from '@nestjs/common';
import type { ConditionForm } from '../definition/route-behaviour.js';
import { crudError } from '../errors/errors.js';
import type { Catalog } from '../plan/catalog.js';
import { itemKeyFields } from '../plan/item-keys.js';
import { valueAt } from '../plan/property-paths.js';
import type { BodyRules } from './body-rules.js';
import { type Body, isRecordBody } from './plain-body.js';

/**
 * The values to set on the records that a condition matches, or `all` if there is nothing to set. Undefined if the
 * body has records with keys. Throws a 400 if no condition restricts the records, or if the body has both.
 */
export function matchingBody(
  body: unknown,
  { byCondition, needsVersion }: Pick<BodyRules, 'byCondition' | 'needsVersion'>,
  condition: ConditionForm,
): 'all' | { readonly set: unknown } | undefined {
  if (!byCondition) return undefined;

  const { bulk, set } = isRecordBody(body) ? body : ({} as Body);
  if (bulk !== undefined) {
    if (condition !== 'none') throw refused('bulk', 'must not be sent beside a condition');
    if (byCondition === 'set' && set !== undefined) throw refused('set', 'must not be sent beside bulk');

    return undefined;
  }
  // Neither records nor a condition, nor what to do with them.
  if (condition === 'none' && byCondition === 'set' && set === undefined) return undefined;
  if (condition !== 'some') throw crudError('CRUD_CONDITION_REQUIRED', { field: 'filter' });
  if (needsVersion) {
    throw crudError('CRUD_PRECONDITION_REQUIRED', {
      message: 'This route requires the version of each record: send the records in bulk, not a condition',
      field: 'bulk',
    });
  }
  if (byCondition === 'nothing') return 'all';
  if (set === undefined) throw crudError('CRUD_EMPTY_BODY', { field: 'set' });

  return { set };
}

/**
 * A record of columns and to-one links, without key and version; anything else is a 400.
 *
 * @example
 * settableOf({ state: 'done', project: 7 }, rules, tasks);
 */
export function settableOf(set: unknown, { keyedBy }: Pick<BodyRules, 'keyedBy'>, catalog: Catalog | undefined): Body {
  if (!isRecordBody(set)) throw refused('set', 'must be an object');

  const paths = [...itemKeyFields(keyedBy, catalog), ...(catalog?.primary ?? []).map(({ path }) => path)];
  const keys = new Set(paths.map((path) => path.split('.')[0]));

  for (const [name, value] of Object.entries(set)) {
    const relation = catalog?.relations.get(name);
    const isKey = keys.has(name) || relation?.references.some(({ column }) => column.primary);

    if (isKey) throw refused(`set.${name}`, 'must not be set: it is part of the key');
    if (catalog?.version?.path === name) throw refused(`set.${name}`, 'is the version of one record');
    if (relation && relation.references.length === 0)
      throw refused(`set.${name}`, 'cannot be set by a condition: its foreign key is in another table');
    if (
      relation &&
      isRecordBody(value) &&
      relation.references.some(({ references }) => valueAt(value, references.path) === undefined)
    )
      throw refused(`set.${name}`, 'must be a link to a record by its key');
  }

  return set;
}

/** The errors of what is set as those of the body. */
export function inSet(errors: readonly (readonly ValidationError[])[]): ValidationError[] {
  const children = errors.flat();

  return children.length > 0 ? [{ property: 'set', children } as ValidationError] : [];
}

function refused(field: string, text: string): Error {
  return crudError('CRUD_INVALID_BODY', { field, message: [`${field} ${text}`] });
}
