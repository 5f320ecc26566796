/** Checks options against the catalog: names that the entity does not have, and options that contradict it. */
import { convertFilterToSearch, parseSearch, type QueryFilter, visitComparisons } from '@nestwright/crud-request';
import type { Catalog } from './catalog.js';
import { persistedNames, relatedOptions } from '../definition/auth-options.js';
import { findField, followRelations, getNames, type Names, relationSteps } from './resolve-names.js';
import { anyCovers, covers, UNORDERED } from './column-access.js';
import { hasDefaultKey } from '../definition/merge-options.js';
import { show } from '../definition/wording.js';
import { isManyRoute, manyOptions, SINGLE_ROUTES } from '../definition/route-behaviour.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';

export type CatalogCheck = (definition: ResourceDefinition, catalog: Catalog) => Iterable<string>;

const LISTS = ['allow', 'exclude', 'persist'] as const;

/** The checks, in the order in which their mistakes are listed. */
export const CATALOG_CHECKS: readonly CatalogCheck[] = [
  namesFields,
  namesRelations,
  namesFieldsOfRelations,
  namesConditionFields,
  namesAliasesOnce,
  scopesRelations,
  persistsWhatIsShown,
  sortsByColumns,
  readsByCursor,
  filtersByColumns,
  mapsParamsToColumns,
  deletesSoftlyWithDate,
  namesVersions,
];

function* namesFields({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  for (const list of LISTS) yield* unknownFields(query[list], catalog, `query.${list}`);
}

function* unknownFields(
  names: readonly string[] | undefined,
  catalog: Catalog,
  option: string,
  prefix = '',
): Generator<string> {
  for (const name of names ?? []) {
    const known = [...catalog.columns.keys()].some((path) => covers(name, path));

    if (!known) {
      yield (
        `${option} names ${show(prefix + name)}, but ${catalog.model} has no such field; it has ` +
        `${[...catalog.columns.keys()].join(', ')}`
      );
    }
  }
}

function* namesRelations({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  for (const path of Object.keys(query.join ?? {})) {
    if (!findRelationTarget(path, catalog))
      yield `query.join names ${show(path)}, but ${missingRelation(path, catalog)}`;
  }
}

function* namesFieldsOfRelations({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  for (const [path, option] of Object.entries(query.join ?? {})) {
    const target = findRelationTarget(path, catalog);
    if (!target) continue;

    for (const list of LISTS) yield* unknownFields(option[list], target, `query.join.${path}.${list}`);
  }
}

function* namesConditionFields({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  const relations = Object.keys(query.join ?? {}).sort((one, other) => other.length - one.length);

  for (const name of query.conditions ?? []) {
    const relation = relations.find((path) => path !== name && covers(path, name));
    const owner = relation === undefined ? catalog : findRelationTarget(relation, catalog);
    const prefix = relation === undefined ? '' : `${relation}.`;

    if (owner) yield* unknownFields([name.slice(prefix.length)], owner, 'query.conditions', prefix);
  }
}

/** Which entity lacks a relation of a path, and which relations it has. */
function missingRelation(path: string, root: Catalog): string {
  const { catalog, rest } = followRelations(root, path);
  const known = [...catalog.relations.keys()].join(', ') || 'none';
  const [first = rest] = rest.split('.');
  const inObject = [...catalog.relations.keys()].some((relation) => relation.startsWith(`${first}.`));

  return `${catalog.model} has no relation ${inObject ? rest : first}; it has ${known}`;
}

/** Which entity lacks the field that a path names. */
function missingField(path: string, root: Catalog): string {
  const { catalog, rest } = followRelations(root, path);

  return catalog === root ? `${root.model} has no such field` : `${catalog.model} has no field ${rest}`;
}

// Only the whole path counts here: the key of an option is no second name.
function findRelationTarget(path: string, catalog: Catalog): Catalog | undefined {
  return relationSteps(catalog, path)?.at(-1)?.relation.target;
}

function* scopesRelations({ auth }: ResourceDefinition, catalog: Catalog): Generator<string> {
  for (const [path, entry] of Object.entries(auth?.relations ?? {})) {
    const target = findRelationTarget(path, catalog);
    if (!target) {
      yield `@CrudAuth: relations names ${show(path)}, but ${missingRelation(path, catalog)}`;
      continue;
    }
    const { persist } = relatedOptions(entry);
    const names = (persist ? persistedNames(persist) : []).filter((name) => !target.relations.has(name));
    yield* unknownFields(names, target, `@CrudAuth: relations.${path}.persist`);
  }
}

function* namesAliasesOnce({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  const taken = new Map<string, string>([[catalog.model.toLowerCase(), 'the model itself']]);

  for (const [path, { alias }] of Object.entries(query.join ?? {})) {
    if (alias === undefined) continue;
    const other = taken.get(alias.toLowerCase());

    if (other !== undefined) yield `query.join.${path}.alias is ${show(alias)}, which is the name of ${other}`;
    taken.set(alias.toLowerCase(), `query.join.${path}`);
  }
}

function* persistsWhatIsShown({ options: { query } }: ResourceDefinition): Generator<string> {
  const places = [
    ['query', query] as const,
    ...Object.entries(query.join ?? {}).map(([path, option]) => [`query.join.${path}`, option] as const),
  ];

  for (const [place, { persist, exclude }] of places) {
    for (const name of persist ?? []) {
      if (anyCovers(exclude, name))
        yield `${place}.persist names ${show(name)}, which ${place}.exclude keeps from every response`;
    }
  }
}

function* sortsByColumns({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  const names = getNames(catalog, query);

  for (const [index, { field }] of (query.sort ?? []).entries()) {
    const found = findField(names, field);
    const option = `query.sort[${index}].field is ${show(field)}`;

    if (!found) yield `${option}, but ${missingField(field, catalog)}`;
    else if (found.steps.some(({ relation }) => relation.toMany))
      yield `${option}, which may be several values of one record`;
    else if (found.jsonPath.length > 0 || UNORDERED.has(found.column.kind))
      yield `${option}, which has no order (${found.column.kind})`;
  }
}

function* readsByCursor({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  if (!query.cursor) return;
  if (catalog.primary.length === 0)
    yield `query.cursor is true, but ${catalog.model} has no primary key, which cursors need`;

  for (const { path, selectable } of catalog.primary) {
    if (!selectable || anyCovers(query.exclude, path))
      yield `query.cursor is true, but a cursor would show ${show(path)}, which answers hide`;
  }
}

function* filtersByColumns({ options: { query, operators } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  const { filter } = query;
  if (!filter || typeof filter === 'function') return;

  const names = getNames(catalog, query);
  const conditions = Array.isArray(filter) ? filter : [filter];
  for (const condition of conditions) {
    try {
      const search = Array.isArray(filter) ? convertFilterToSearch({ ...(condition as QueryFilter) }) : condition;
      const node = parseSearch(search, { source: 'trusted', customOperators: Object.keys(operators.custom ?? {}) });
      yield* unknownInCondition(node, names, catalog);
    } catch (error) {
      yield `query.filter is ${show(condition)}: ${(error as Error).message}`;
    }
  }
}

function unknownInCondition(node: Parameters<typeof visitComparisons>[0], names: Names, root: Catalog): string[] {
  const mistakes: string[] = [];

  visitComparisons(node, ({ field }) => {
    if (!findField(names, field)) mistakes.push(`query.filter names ${show(field)}, but ${missingField(field, root)}`);
  });

  return mistakes;
}

function* mapsParamsToColumns({ options: { params, query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  const names = getNames(catalog, query);

  for (const [name, { field = name, disabled }] of Object.entries(params)) {
    // The default key was not configured, so a missing one is only a warning.
    if (disabled || findField(names, field) || (name === 'id' && hasDefaultKey(params))) continue;

    const { catalog: owner } = followRelations(catalog, field);
    yield (
      `params.${name}.field is ${show(field)}, but ${missingField(field, catalog)}; it has ` +
      `${[...owner.columns.keys()].join(', ')}`
    );
  }
}

function* deletesSoftlyWithDate({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  if (query.softDelete && !catalog.deleteDate)
    yield `query.softDelete is true, but ${catalog.model} has no delete-date column`;
}

// A bulk request cannot carry an entity tag per record, so each must carry its version in the body.
function* namesVersions({ options, routes }: ResourceDefinition, catalog: Catalog): Generator<string> {
  if (catalog.version) return;

  for (const route of routes) {
    if (!isManyRoute(route) || manyOptions(options.routes, route).requireMatch !== true) continue;

    yield (
      `requireMatch holds for routes.${route} as for ${SINGLE_ROUTES[route]}, whose items then carry versions, ` +
      `but ${catalog.model} has no version column: add one by @VersionColumn(), or set ` +
      `routes.${route}.requireMatch to false`
    );
  }
}
