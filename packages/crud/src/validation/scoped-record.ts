/** Puts the values that the application decides into a record before its rules are asked, and again afterwards. */
import { isPlainObject } from '../definition/plain-objects.js';
import { applyScope, type BodyScope, isOfKey } from '../plan/body-scope.js';
import type { CatalogReference, CatalogRelation } from '../plan/catalog.js';
import { isUnassignedKey } from '../plan/write-context.js';
import type { BodyRules } from './body-rules.js';
import { knowsProperty, propertiesWithRules } from './declared-properties.js';
import { type Body, isRecordBody } from './plain-body.js';

/** One record of a body while it is read. */
export interface Draft {
  readonly body: Body;
  readonly sent: Body;
  readonly scope: BodyScope;
  /** Properties for which the client is not to blame. */
  readonly added: ReadonlySet<string>;
  readonly nulls: readonly CopiedNull[];
}

/** A foreign key that is null because its relation is. */
export interface CopiedNull {
  readonly relation: string;
  readonly column: string;
}

const NOTHING: ReadonlySet<string> = new Set();

/** A draft of a record that nothing is put into before it is stored. */
export function draftUnchecked(scope: BodyScope): Draft {
  return { body: {}, sent: {}, scope, added: NOTHING, nulls: [] };
}

/** Only what the class knows is put in before validation; the rest would look unknown there, and is set afterwards. */
export function draftRecord(record: Body, rules: BodyRules, scope: BodyScope): Draft {
  const { schema, type } = rules;
  const mayCopy = foreignKeyFilter(rules);
  if (scope.values.length === 0 && !schema && isPlainObject(record))
    return { body: record, sent: record, scope, added: NOTHING, nulls: copyForeignKeys(record, scope, mayCopy) };

  const sent = { ...record };
  const body = { ...record };
  const nulls = copyForeignKeys(body, scope, mayCopy);
  const knows = (property: string): boolean => !!schema || knowsProperty(type, property);
  const set = applyScope(body, scope, { sent, knows, keepsRelated: true });
  // A schema may not know properties that the client did not send.
  const added = schema ? Object.keys(body).filter((property) => !Object.hasOwn(sent, property)) : set;

  return { body, sent, scope, nulls, added: new Set([...added, ...findRepeated(sent, scope)]) };
}

// The class of a whole bulk has no foreign keys of its own, and a schema no whitelist.
function foreignKeyFilter({ type, validation, schema, wholeBulk }: BodyRules): (column: string) => boolean {
  return isRuled(type, !!validation && !schema && !wholeBulk && validation.whitelist === true);
}

/** Path values and `persist` win over whatever validation made of them. */
export function finishRecord(body: Body, { sent, nulls, scope }: Draft): Body {
  for (const { relation, column } of nulls)
    if (body[relation] === null && body[column] === null) Reflect.deleteProperty(body, column);
  if (scope.values.length > 0) applyScope(body, scope, { sent, keepsRelated: true });

  return body;
}

/** What a scope adds to a body for the application's pipes, as far as rules of its class may require it. */
export function addForPipes(sent: unknown, { type }: BodyRules, scope: BodyScope): Body {
  const added: Body = {};
  const knows = (property: string): boolean => propertiesWithRules(type).has(property);
  if (isRecordBody(sent)) applyScope(added, scope, { keepsRelated: true, sent, knows });

  return added;
}

/**
 * Copies foreign keys from the relations in a body: `company: { id: 1 }` sets `companyId: 1`, unless the body has it.
 * Returns the nulls, which are validated but not stored: a null relation may keep a link out of reach, a null column
 * does not.
 *
 * @param mayCopy by the name of the foreign key
 */
export function copyForeignKeys(
  body: Body,
  { catalog }: BodyScope,
  mayCopy: (column: string) => boolean = () => true,
): CopiedNull[] {
  const nulls: CopiedNull[] = [];

  for (const relation of catalog?.relations.values() ?? []) {
    const related = Object.hasOwn(body, relation.path) ? body[relation.path] : undefined;
    if (related === undefined) continue;

    for (const reference of relation.references) {
      const { column } = reference;
      if (!catalog?.columns.has(column.path) || Object.hasOwn(body, column.path) || !mayCopy(column.path)) continue;

      const key = readKey(related, relation, reference);
      if (key !== undefined && !isUnassignedKey(reference.references, key)) body[column.path] = key;
      if (key === null) nulls.push({ relation: relation.path, column: column.path });
    }
  }

  return nulls;
}

/**
 * Whether a property may be put into a record: a whitelist would refuse one without a rule, though the client has not
 * sent it. Nested records of a class without any rules know no whitelist.
 */
export function isRuled(type: object, isWhitelisted: boolean): (property: string) => boolean {
  if (!isWhitelisted) return () => true;

  const ruled = propertiesWithRules(type);

  return (property) => ruled.size === 0 || ruled.has(property);
}

function readKey(related: unknown, { references }: CatalogRelation, { references: target }: CatalogReference): unknown {
  if (isRecordBody(related)) return Object.hasOwn(related, target.path) ? related[target.path] : undefined;
  if (Array.isArray(related)) return undefined;

  return related === null || references.length === 1 ? related : undefined;
}

/**
 * The properties in which a client repeats what the path says, as a body does that was read from the same path: no rule
 * refuses that. Nor does one refuse a key that `persist` puts in: the service judges it.
 */
function findRepeated(sent: Body, { values, catalog }: BodyScope): string[] {
  return values.flatMap(({ field, value, origin }) => {
    const isRepeated = origin === 'path' ? isSameValue(sent[field], value) : isOfKey(field, catalog);

    return isRepeated && Object.hasOwn(sent, field) ? [field] : [];
  });
}

// The path holds text. A uuid is one in either case.
function isSameValue(sent: unknown, value: unknown): boolean {
  if (typeof sent !== 'string' && typeof sent !== 'number') return false;

  return String(sent).toLowerCase() === String(value).toLowerCase();
}
