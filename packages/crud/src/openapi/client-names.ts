import type { QueryOptions } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { oncePerPair } from '../get-or-insert.js';
import { listEnclosingPaths } from '../definition/plain-objects.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { findRelation, getNames, type Names, namesInJoins, type RelationStep } from '../plan/resolve-names.js';
import { covers, type FieldAccess, isComparable, isNameable, UNORDERED } from '../plan/column-access.js';
import { judgeForAnybody } from '../visibility/path-states.js';

/** Names under one relation, or of the root. */
export interface NameGroup {
  /** How clients may spell the relation: `company.projects`, then its second names; empty for the root. */
  readonly relation: readonly string[];
  /** Undefined: whatever name. */
  readonly names?: readonly string[];
  /** Those that may be followed by a dot and more: JSON columns, embedded objects that are allowed whole. */
  readonly open?: readonly string[];
}

/** Names by what clients may do with them; `undefined` if they are not known. */
export interface ClientNames {
  readonly select?: NameGroup;
  readonly filter?: readonly NameGroup[];
  readonly sort?: readonly NameGroup[];
  /** Relations that may be joined; those that are never returned, clients rarely need to. */
  readonly join: readonly { readonly spellings: readonly string[]; readonly returned: boolean }[];
  /** A text field, for examples. */
  readonly text?: string;
}

/** The names of a resource. */
export function readNames(definition: ResourceDefinition, catalog: Catalog | undefined): ClientNames {
  return catalog ? readCatalog(definition, catalog) : readOptions(definition.options.query);
}

/** The names in full, relations by their path. */
export function listNames(groups: readonly NameGroup[] = []): string[] {
  return groups.flatMap(({ relation: [path], names = [] }) =>
    path === undefined ? names : names.map((name) => `${path}.${name}`),
  );
}

const readCatalog = oncePerPair((definition: ResourceDefinition, catalog: Catalog): ClientNames => {
  const { query } = definition.options;
  const judge = judgeForAnybody(definition, catalog);
  const names = getNames(catalog, query);
  const inJoins = namesInJoins(names, query);
  const listColumns = (may: typeof isComparable, steps: readonly RelationStep[], access: FieldAccess) =>
    [...(steps.at(-1)?.relation.target ?? catalog).columns.values()].filter((column) =>
      may(access, { steps, column }, judge, query.conditions),
    );
  const own = listColumns(isComparable, [], query);
  const related = Array.from(names.configured, ([path, option]) => {
    const steps = findRelation(names, path)!;
    const isToMany = steps.some(({ relation }) => relation.toMany);

    return { relation: findSpellings(names, path), columns: listColumns(isComparable, steps, option), isToMany };
  });
  const compared = [{ relation: [], columns: own, isToMany: false }, ...related];
  const sorted = compared.map(({ relation, columns, isToMany }) => ({
    relation,
    columns: columns.filter(({ kind }) => !isToMany && !UNORDERED.has(kind)),
  }));
  const nameable = listColumns(isNameable, [], query).flatMap(({ path }) => [...listEnclosingPaths(path), path]);

  return {
    select: { relation: [], names: [...new Set(nameable)] },
    filter: compared.flatMap(makeGroup),
    sort: sorted.flatMap(makeGroup),
    join: Array.from(names.configured, ([path, { select }]) => ({
      spellings: findSpellings(inJoins, path),
      returned: select !== false,
    })),
    text: own.find(({ kind }) => kind === 'text')?.path,
  };
});

/** One group, or none without columns. */
function makeGroup({ relation, columns }: Pick<NameGroup, 'relation'> & { columns: CatalogColumn[] }): NameGroup[] {
  const open = columns.filter(({ kind }) => kind === 'json').map(({ path }) => path);

  return columns.length === 0 ? [] : [{ relation, names: columns.map(({ path }) => path), open }];
}

/** Without a catalog the options decide: what they allow, with all its parts, and every field of a relation. */
function readOptions({ allow, exclude = [], conditions = [], join = {} }: QueryOptions): ClientNames {
  const relations = Object.entries(join).map(([path, { alias, select }]) => ({
    spellings: [path, ...(alias ? [alias] : [])],
    returned: select !== false,
  }));
  if (!allow?.length) return { join: relations };

  const allowed = allow.filter((name) => !exclude.some((excluded) => covers(excluded, name)));
  const comparable = [...new Set([...allowed, ...conditions])];
  const compared = [
    { relation: [], names: comparable, open: comparable },
    ...relations.map(({ spellings }) => ({ relation: spellings })),
  ];

  return {
    select: { relation: [], names: allowed, open: allowed },
    filter: compared,
    sort: compared,
    join: relations,
  };
}

/** The path of a relation, and its spellings by the short names of the relations along it. */
function findSpellings({ shortNames }: Names, path: string): string[] {
  const second = [...shortNames].flatMap(([name, steps]) => {
    const start = steps.at(-1)?.path;

    return start !== undefined && covers(start, path) ? [name + path.slice(start.length)] : [];
  });

  return [...new Set([path, ...second])];
}
