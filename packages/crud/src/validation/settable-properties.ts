/** Rules do not apply to properties that a body cannot set. */
import { getOrInsert, oncePerObject } from '../get-or-insert.js';
import { listEnclosingPaths, ownProperty, readOwnPath } from '../definition/plain-objects.js';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import { isUnassignedKey, isWritable, listBackReferences } from '../plan/write-context.js';
import type { WriteMode } from '../plan/write-plan.js';
import { isRecordBody } from './plain-body.js';
import { type BodyRules, CrudValidationGroups } from './body-rules.js';

/**
 * An object of a body: the record itself, an embedded object, a related record, or one that no part of the entity is.
 */
export interface BodyPlace {
  /** Entity of the record; `undefined` if none is known. */
  readonly catalog: Catalog | undefined;
  /** Precedes the names of properties in the paths of {@link catalog}: `address.` */
  readonly prefix: string;
  /** What an `update` omits stays as stored, so that ungrouped rules apply to sent properties only. */
  readonly mode: WriteMode;
  /** Group of rules that apply beside ungrouped ones. Default: none. */
  readonly group: CrudValidationGroups | undefined;
  /** Whether a body may give a key that the database generates. */
  readonly acceptsGeneratedKey: boolean;
  /** Properties that the enclosing record decides. */
  readonly fixed: ReadonlySet<string>;
  /** Properties of an `update` that its class initialises: a body may omit them, whatever their rules. */
  readonly initialised: ReadonlySet<string>;
  /**
   * Whether rules apply only to properties that the body carries: those of the model, for a nested record that exists.
   */
  readonly partial: boolean;
}

/**
 * When the rules of a property apply: to every body, only to one that carries the property, or never.
 *
 * `ifSent` holds for the record's key, which comes from the path or from the database, and for the version, which is
 * the one that the client expects.
 */
export type RuleTiming = 'always' | 'ifSent' | 'never';

const NOTHING: ReadonlySet<string> = new Set();

/** The place of a route's record. */
export function rootPlace({ type, mode, group, acceptsGeneratedKey }: BodyRules, catalog?: Catalog): BodyPlace {
  const initialised = mode === 'update' ? initialisedProperties(type) : NOTHING;

  return { catalog, prefix: '', mode, group, acceptsGeneratedKey, fixed: NOTHING, initialised, partial: false };
}

/** The place of the object in a property. */
export function findInnerPlace(place: BodyPlace, property: string, sent: unknown): BodyPlace {
  const { catalog, prefix } = place;
  const path = prefix + property;
  const relation = catalog?.relations.get(path);
  if (relation) return relatedPlace(place.group !== undefined, relation, isNewRecord(relation, sent, place.mode));
  const isEmbedded = catalog !== undefined && embeddedPaths(catalog).has(path);

  return getOrInsert(innerPlaces(place), isEmbedded ? path : '', () => ({
    ...place,
    initialised: NOTHING,
    // Whatever else holds objects is written as a whole.
    ...(isEmbedded
      ? { prefix: `${path}.` }
      : { catalog: undefined, prefix: '', mode: 'insert', fixed: NOTHING, partial: false }),
  }));
}

// Rules are compiled by place, so that each is made once.
const innerPlaces = oncePerObject((_place: BodyPlace) => new Map<string, BodyPlace>());
const relatedPlaces = oncePerObject((_relation: CatalogRelation) => new Map<string, BodyPlace>());

/** The place of a related record. One with a key exists already; one without is new and validated whole. */
export function relatedPlace(isModel: boolean, relation: CatalogRelation, isNew: boolean): BodyPlace {
  const { CREATE, UPDATE } = CrudValidationGroups;

  return getOrInsert(relatedPlaces(relation), `${isModel}:${isNew}`, () => ({
    catalog: relation.target,
    prefix: '',
    mode: isNew ? 'insert' : 'update',
    group: isModel ? (isNew ? CREATE : UPDATE) : undefined,
    acceptsGeneratedKey: false,
    fixed: listBackReferences(relation),
    initialised: NOTHING,
    partial: isModel && !isNew,
  }));
}

/**
 * Whether a nested record is new. One that lacks a part of its key is, unless it may be the only one that is linked
 * already; so is one whose key has a part that a new record around it decides.
 *
 * @param mode What becomes of the record around it.
 */
export function isNewRecord(relation: CatalogRelation, sent: unknown, mode: WriteMode): boolean {
  const { primary } = relation.target;
  const fixed = listBackReferences(relation);
  const own = primary.filter(({ path }) => !fixed.has(path));
  if (!isRecordBody(sent) || own.some((column) => isUnassignedKey(column, readOwnPath(sent, column.path)))) return true;
  const isIncomplete = own.some(({ path }) => (ownProperty(sent, path) ?? null) === null);
  if (mode === 'insert') return isIncomplete || own.length < primary.length;

  return isIncomplete && !(relation.cascadeUpdate && relation.kind.startsWith('one-to-one'));
}

/** When the rules of a property apply. */
export function decideRuleTiming(
  { catalog, prefix, mode, acceptsGeneratedKey, fixed }: BodyPlace,
  property: string,
): RuleTiming {
  const path = prefix + property;
  if (fixed.has(path)) return 'never';

  const column = catalog?.columns.get(path);
  if (!column) return 'always';
  if (column.source === 'version') return mode === 'insert' ? 'never' : 'ifSent';
  if (!column.primary) return isWritable(column, { mode, fixed }) ? 'always' : 'never';
  if (mode !== 'insert') return 'ifSent';

  return column.autoIncrement && !acceptsGeneratedKey ? 'never' : column.generated ? 'ifSent' : 'always';
}

/**
 * Whether a property is the version that a client expects: it is compared and never stored, so that no class need
 * declare it.
 */
export function isExpectedVersion(place: BodyPlace, property: string): boolean {
  return place.mode !== 'insert' && place.catalog?.columns.get(place.prefix + property)?.source === 'version';
}

/** The columns that a record of a body can never set; keys are checked when it is stored. */
export function unsettableColumns(place: BodyPlace): ReadonlySet<string> {
  const columns = [...(place.catalog?.columns.values() ?? [])];

  return new Set(
    columns.flatMap(({ path, primary }) => (!primary && decideRuleTiming(place, path) === 'never' ? [path] : [])),
  );
}

const embeddedPaths = oncePerObject(
  ({ columns, relations }: Catalog): ReadonlySet<string> =>
    new Set([...columns.keys(), ...relations.keys()].flatMap(listEnclosingPaths)),
);

/** The properties that a new instance has a value in now: an initialiser may depend on the time or the request. */
export function findInitialised(type: object): ReadonlySet<string> {
  try {
    const instance = new (type as new () => object)();

    // Includes class fields without a value, if the compiler emits them.
    return new Set(Object.entries(instance).flatMap(([name, value]) => (value === undefined ? [] : name)));
  } catch {
    // The constructor may require parameters.
    return new Set();
  }
}

/** The properties that an instance has a value in from the start. */
export const initialisedProperties = oncePerObject(findInitialised);
