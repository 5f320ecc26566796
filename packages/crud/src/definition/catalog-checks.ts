/** A resource's options and its entity's catalog in, names in the options that the entity does not have out, and options that contradict it. */
import { parseSearch, visitComparisons } from '@nestwright/crud-request';
import type { Catalog } from '../plan/catalog.js';
import { filterCondition } from '../plan/filter-condition.js';
import { findField, findRelation, type Names, namesOf } from '../plan/names.js';
import { anyCovers, covers } from '../plan/visibility.js';
import { show } from './option-shape.js';
import type { ResourceDefinition } from './resource-definition.js';

type CatalogCheck = (definition: ResourceDefinition, catalog: Catalog) => Iterable<string>;

const LISTS = ['allow', 'exclude', 'persist'] as const;

/** The checks, in the order in which their mistakes are told. */
export const CATALOG_CHECKS: readonly CatalogCheck[] = [
  namesFields,
  namesRelations,
  namesFieldsOfRelations,
  namesAliasesOnce,
  persistsWhatIsShown,
  sortsByColumns,
  filtersByColumns,
  mapsParamsToColumns,
  deletesSoftlyWithDate,
];

function* namesFields({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  for (const list of LISTS) yield* unknownFields(query[list], catalog, `query.${list}`);
}

function* unknownFields(names: readonly string[] | undefined, catalog: Catalog, option: string): Generator<string> {
  for (const name of names ?? []) {
    const known = [...catalog.columns.keys()].some((path) => covers(name, path));

    if (!known)
      yield `${option} names ${show(name)}, but ${catalog.model} has no such field; it has ${[...catalog.columns.keys()].join(', ')}`;
  }
}

function* namesRelations({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  for (const path of Object.keys(query.join ?? {})) {
    if (!targetOf(path, catalog)) {
      yield `query.join names ${show(path)}, but ${catalog.model} has no such relation; it has ${[...catalog.relations.keys()].join(', ')}`;
    }
  }
}

function* namesFieldsOfRelations({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  for (const [path, option] of Object.entries(query.join ?? {})) {
    const target = targetOf(path, catalog);

    for (const list of target ? LISTS : [])
      yield* unknownFields(option[list], target as Catalog, `query.join.${path}.${list}`);
  }
}

// Only the whole path counts here: the key of an option is no second name.
function targetOf(path: string, catalog: Catalog): Catalog | undefined {
  return findRelation(namesOf(catalog, {}), path)?.at(-1)?.relation.target;
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
  const names = namesOf(catalog, query);

  for (const [index, { field }] of (query.sort ?? []).entries()) {
    const found = findField(names, field);
    const option = `query.sort[${index}].field is ${show(field)}`;

    if (!found) yield `${option}, but ${catalog.model} has no such field`;
    else if (found.steps.some(({ relation }) => relation.toMany))
      yield `${option}, which may be several values of one record`;
    else if (found.jsonPath.length > 0 || found.column.kind === 'json' || found.column.kind === 'array') {
      yield `${option}, which has no order (${found.column.kind})`;
    }
  }
}

function* filtersByColumns({ options: { query, operators } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  const { filter } = query;
  if (!filter || typeof filter === 'function') return;

  const names = namesOf(catalog, query);
  const conditions = Array.isArray(filter) ? filter : [filter];
  for (const condition of conditions) {
    try {
      const search = Array.isArray(filter)
        ? filterCondition(condition as Parameters<typeof filterCondition>[0])
        : condition;
      const node = parseSearch(search, { source: 'trusted', customOperators: Object.keys(operators.custom ?? {}) });
      yield* unknownInCondition(node, names, catalog);
    } catch (error) {
      yield `query.filter is ${show(condition)}: ${(error as Error).message}`;
    }
  }
}

function unknownInCondition(node: Parameters<typeof visitComparisons>[0], names: Names, { model }: Catalog): string[] {
  const mistakes: string[] = [];

  visitComparisons(node, ({ field }) => {
    if (!findField(names, field)) mistakes.push(`query.filter names ${show(field)}, but ${model} has no such field`);
  });

  return mistakes;
}

function* mapsParamsToColumns({ options: { params, query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  const names = namesOf(catalog, query);

  for (const [name, { field = name, disabled, primary }] of Object.entries(params)) {
    if (disabled || findField(names, field)) continue;
    const mistake = `params.${name}.field is ${show(field)}, but ${catalog.model} has no such field; it has ${[...catalog.columns.keys()].join(', ')}`;

    // The parameter is there by default, so that whoever serves a view may not know of it.
    yield primary && catalog.primary.length === 0
      ? `${mistake}, and no key: say params: { ${name}: { disabled: true } } and name in routes.only what does without (getManyBase)`
      : mistake;
  }
}

function* deletesSoftlyWithDate({ options: { query } }: ResourceDefinition, catalog: Catalog): Generator<string> {
  if (query.softDelete && !catalog.deleteDate) {
    yield `query.softDelete is true, but ${catalog.model} has no delete-date column`;
  }
}
