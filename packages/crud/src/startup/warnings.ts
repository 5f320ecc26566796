/** What is allowed, but rarely meant: warnings at the start. */
import { keyParams, type ResourceDefinition } from '../definition/resource-definition.js';
import { hasDefaultKey } from '../definition/merge-options.js';
import { relatedOptions } from '../definition/auth-options.js';
import { getOrInsert } from '../get-or-insert.js';
import type { Catalog, CatalogColumn, CatalogRelation } from '../plan/catalog.js';
import { isOwnEntity, isSameRelation } from '../plan/relation-scope.js';
import { relationSteps } from '../plan/resolve-names.js';
import { ROUTES } from '../routes/route-table.js';
import { type BodyRules, isWhitelist, makeBodyRules } from '../validation/body-rules.js';
import { declaredProperties } from '../validation/declared-properties.js';
import { decideRuleTiming, rootPlace } from '../validation/settable-properties.js';
import { warnOfHidden } from '../visibility/start-warnings.js';
import { linkTo } from '../definition/wording.js';
import { type CrudResource, readLabel } from './find-resources.js';

/** Warnings of a resource whose options may be mistaken. */
export function* warnBeforeChecks(resource: CrudResource, catalog: Catalog | undefined): Generator<string> {
  const { definition, instance, service } = resource;
  const name = readLabel(resource);
  if (!instance && !service) {
    yield (
      `${name} cannot be made outside a request, so that the names in its options were not checked against its ` +
      'entity.'
    );
  }

  for (const type of ruleless(definition, catalog)) {
    yield (
      `${name}: ${type} in dto has no rules, so that bodies may set every column. Put a rule of class-validator on each ` +
      `of its properties (${linkTo(WHITELIST)}).`
    );
  }

  const missing = catalog && missingKey(definition, catalog);
  if (missing !== undefined) yield `${name}: ${missing}.`;

  const unscoped = catalog ? unscopedRelations(definition, catalog) : [];
  if (unscoped.length > 0) {
    yield (
      `${name}: @CrudAuth.filter does not apply to related records, so requests may use all records of ` +
      `${unscoped.join(', ')}. Give each relation a condition in @CrudAuth.relations, or false if all of its ` +
      'records are accessible.'
    );
  }

  for (const route of ['createOneBase', 'createManyBase'] as const) {
    const names = definition.options.routes[route]?.onConflict;
    if (names && definition.routes.has(route)) {
      yield (
        `${name}: because of routes.${route}.onConflict, users who may create records may also update those ` +
        `with the same ${names.join(' and ')}.`
      );
    }
  }
}

const WHITELIST = 'validation.md#a-class-in-dto-is-a-whitelist';

/** Names of classes in `dto` without a rule, or anything else that declares a property. */
function ruleless(definition: ResourceDefinition, catalog: Catalog | undefined): Set<string> {
  const bodies = [...definition.routes].flatMap((route) => makeBodyRules(definition, route) ?? []);

  return new Set(
    bodies
      .filter((rules) => isWhitelist(rules) && !rules.schema && !declaredProperties(rules.type, catalog))
      .map(({ type }) => type.name),
  );
}

/** Warnings of a resource whose options have no mistakes. */
export function* warnAfterChecks(resource: CrudResource, catalog: Catalog | undefined): Generator<string> {
  const name = readLabel(resource);
  if (resource.instance && !resource.service) {
    yield (
      `${name} has no service of its entity, so that the names in its options were not checked against that: a ` +
      'public property service has them checked.'
    );
  }

  const hidden = catalog && warnOfHidden(resource.definition, catalog);
  if (hidden !== undefined) yield `${name}: ${hidden}`;
}

/** The warning for a resource whose default key its entity does not have; undefined if there is none. */
function missingKey({ options, routes }: ResourceDefinition, catalog: Catalog): string | undefined {
  const single = [...routes].filter((route) => ROUTES[route].single);
  if (!hasDefaultKey(options.params) || catalog.columns.has('id') || single.length === 0) return undefined;

  const remedy =
    catalog.primary.length > 0
      ? `name its key: params: { ${catalog.primary.map(writeParam).join(', ')} }`
      : 'name the routes that need no key in routes.only (getManyBase, createOneBase …), or a column that ' +
        'tells records apart in params';

  return (
    `${single.join(', ')} will answer 404, since params names no primary parameter and ${catalog.model} has no ` +
    `field id, which is the default; ${remedy}`
  );
}

const TYPES: Partial<Record<CatalogColumn['kind'], string>> = {
  uuid: 'uuid',
  integer: 'number',
  bigint: 'number',
  decimal: 'number',
  float: 'number',
};

function writeParam({ path, kind }: CatalogColumn): string {
  return `${path}: { field: '${path}', type: '${TYPES[kind] ?? 'string'}', primary: true }`;
}

/** A relation that requests reach. */
interface Reached {
  readonly path: string;
  readonly owner: Catalog;
  readonly relation: CatalogRelation;
}

/**
 * Paths of the relations that may be joined or linked under `@CrudAuth.filter` without an entry in
 * `@CrudAuth.relations` that says which are in reach.
 */
export function unscopedRelations({ auth, options, routes }: ResourceDefinition, catalog: Catalog): string[] {
  if (!auth?.filter) return [];

  const named = Object.entries(auth.relations ?? {}).flatMap(([path, entry]) =>
    relatedOptions(entry).filter === undefined ? [] : followPath(catalog, path).slice(-1),
  );
  const joined = Object.keys(options.query.join ?? {}).flatMap((path) => followPath(catalog, path));
  const hasKey = keyParams(options.params).length > 0;
  const storesBodies = [...routes].some((route) => ROUTES[route].body && !ROUTES[route].body.keysAlone);
  const linked = storesBodies
    ? // Links to the own entity have the filter, where the resource has a key.
      listLinks(catalog).filter(({ relation }) => !hasKey || !isOwnEntity(catalog, relation.target))
    : [];
  const unscoped: Reached[] = [];

  for (const reached of [...joined, ...linked]) {
    const isKnown = [...named, ...unscoped].some((known) => isSameRelation(known, reached));
    if (!isKnown) unscoped.push(reached);
  }

  return unscoped.map(({ path }) => path);
}

function followPath(root: Catalog, path: string): Reached[] {
  const steps = relationSteps(root, path) ?? [];

  return steps.map((step, index) => ({ ...step, owner: steps[index - 1]?.relation.target ?? root }));
}

/** Relations that a body may link or cascade to, those of cascaded records among them. */
function listLinks(owner: Catalog, before = '', seen = new Set<CatalogRelation>()): Reached[] {
  return [...owner.relations.values()].flatMap((relation) => {
    const cascades = relation.cascadeInsert || relation.cascadeUpdate;
    const links = relation.references.length > 0 || relation.kind === 'many-to-many';
    if (seen.has(relation) || (!cascades && !links)) return [];

    seen.add(relation);
    const path = `${before}${relation.path}`;

    return [{ path, owner, relation }, ...(cascades ? listLinks(relation.target, `${path}.`, seen) : [])];
  });
}

/**
 * The log message on columns that the classes in `dto` omit; `undefined` if they omit none.
 *
 * @example
 * undeclaredColumns(definition, catalog); // 'bodies cannot set some columns: CreateUser does not declare role, and …'
 */
export function undeclaredColumns(definition: ResourceDefinition, catalog: Catalog): string | undefined {
  const byClass = new Map<string, Set<string>>();

  for (const route of definition.routes) {
    const rules = makeBodyRules(definition, route);
    const names = rules && isWhitelist(rules) ? listUndeclared(rules, definition, catalog) : [];

    for (const name of names) getOrInsert(byClass, rules!.type.name, () => new Set()).add(name);
  }
  if (byClass.size === 0) return undefined;

  const said = Array.from(byClass, ([name, columns]) => `${name} does not declare ${[...columns].join(', ')}`);

  return (
    `bodies cannot set some columns: ${said.join('; ')}. To let a column in, put a rule of class-validator on ` +
    'its property (@Allow() takes any value); to let in all of them, set validation: { whitelist: false }.'
  );
}

function listUndeclared(rules: BodyRules, { options }: ResourceDefinition, catalog: Catalog): string[] {
  const declared = declaredProperties(rules.type, catalog);
  if (!declared) return [];

  const place = rootPlace(rules, catalog);
  const byRelation = [...catalog.relations.values()]
    .filter(({ path }) => declared.has(path))
    .flatMap(({ references }) => references.map(({ column }) => column.path));
  const byPath = Object.values(options.params).map(({ field }) => field);
  const settable = [...catalog.columns.keys()].filter(
    (path) => decideRuleTiming(place, path) === 'always' && !byRelation.includes(path) && !byPath.includes(path),
  );

  return settable.map((path) => path.split('.')[0] as string).filter((name) => !declared.has(name));
}
