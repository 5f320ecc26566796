import type { QueryOptions } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { oncePerPair } from '../get-or-insert.js';
import { ancestorsOf } from '../plan/property-paths.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { findRelation, type Names, namesOf, type RelationStep } from '../plan/resolve-names.js';
import { covers, isComparable, isNameable, type FieldAccess } from '../plan/column-access.js';
import { UNORDERED } from '../plan/sort.js';
import { shownWithAnyGroups } from '../visibility/index.js';

/** Names under one relation, or of the root. */
export interface NameGroup {
  /** How clients may spell the relation: `company.projects`, then its second names; empty for the root. */
  readonly relation: readonly string[];
  /** Undefined: whatever name. */
  readonly names?: readonly string[];
  /** Which of the names may be followed by a dot and more: JSON columns, embedded objects that are allowed whole. */
  readonly hasSubfields: (name: string) => boolean;
}

/** Names by what clients may do with them; `undefined` if they are not known. */
export interface ClientNames {
  readonly select?: NameGroup;
  readonly filter?: readonly NameGroup[];
  readonly sort?: readonly NameGroup[];
  /** Relations that may be joined. */
  readonly join: readonly RelationNames[];
  /** A text field, for examples. */
  readonly text?: string;
}

/** One relation that may be joined. */
export interface RelationNames {
  /** As in {@link NameGroup}. */
  readonly spellings: readonly string[];
  /** `false` if the relation is never returned, so that clients rarely need to join it. */
  readonly returned: boolean;
}

/** The names of a resource. */
export function clientNames(definition: ResourceDefinition, catalog: Catalog | undefined): ClientNames {
  return catalog ? namesOfCatalog(definition, catalog) : namesOfOptions(definition.options.query);
}

/** The names in full, relations by their path. */
export function listedNames(groups: readonly NameGroup[]): string[] {
  return groups.flatMap(({ relation: [path], names = [] }) =>
    path === undefined ? names : names.map((name) => `${path}.${name}`),
  );
}

const namesOfCatalog = oncePerPair((definition: ResourceDefinition, catalog: Catalog): ClientNames => {
  const { query } = definition.options;
  const shows = shownWithAnyGroups(definition, catalog);
  const columnsOf: ColumnsOf = (may, { columns }, steps, access) =>
    [...columns.values()].filter((column) => may(access, { steps, column }, shows, query.conditions));

  const own = columnsOf(isComparable, catalog, [], query);
  const related = relatedColumns(namesOf(catalog, query), columnsOf);
  const all = [{ relation: [], columns: own, toMany: false }, ...related];

  return {
    select: { relation: [], names: selectable(columnsOf(isNameable, catalog, [], query)), hasSubfields: () => false },
    filter: all.flatMap(({ relation, columns }) => groupOf(relation, columns, ({ kind }) => kind === 'json')),
    sort: all
      .filter(({ toMany }) => !toMany)
      .flatMap(({ relation, columns }) => {
        const sortable = columns.filter(({ kind }) => !UNORDERED.has(kind));

        return groupOf(relation, sortable, () => false);
      }),
    join: related.map(({ relation, returned }) => ({ spellings: relation, returned })),
    text: own.find(({ kind }) => kind === 'text')?.path,
  };
});

/** The columns of an entity behind some steps that clients may name in a way. */
type ColumnsOf = (
  may: typeof isComparable,
  catalog: Catalog,
  steps: readonly RelationStep[],
  access: FieldAccess,
) => CatalogColumn[];

/** One group, or none without columns. */
function groupOf(
  relation: readonly string[],
  columns: readonly CatalogColumn[],
  hasSubfields: (column: CatalogColumn) => boolean,
): NameGroup[] {
  if (columns.length === 0) return [];
  const withSubfields = new Set(columns.filter(hasSubfields).map(({ path }) => path));

  return [{ relation, names: columns.map(({ path }) => path), hasSubfields: (name) => withSubfields.has(name) }];
}

/** Columns, each preceded by the embedded objects around it, without repetition. */
function selectable(columns: readonly CatalogColumn[]): string[] {
  return [...new Set(columns.flatMap(({ path }) => [...ancestorsOf(path), path]))];
}

/** Without a catalog the options decide: what they allow, with all its parts, and every field of a relation. */
function namesOfOptions({ allow, exclude = [], conditions = [], join = {} }: QueryOptions): ClientNames {
  const relations = Object.entries(join).map(([path, { alias, select }]) => ({
    spellings: [path, ...(alias ? [alias] : [])],
    returned: select !== false,
  }));
  if (!allow?.length) return { join: relations };

  const allowed = allow.filter((name) => !exclude.some((excluded) => covers(excluded, name)));
  const own: NameGroup = { relation: [], names: allowed, hasSubfields: () => true };
  const comparable: NameGroup = { ...own, names: [...new Set([...allowed, ...conditions])] };
  const compared = [
    comparable,
    ...relations.map(({ spellings }) => ({ relation: spellings, hasSubfields: () => true })),
  ];

  return { select: own, filter: compared, sort: compared, join: relations };
}

interface RelatedColumns {
  readonly relation: readonly string[];
  readonly columns: readonly CatalogColumn[];
  readonly toMany: boolean;
  readonly returned: boolean;
}

function relatedColumns(names: Names, columnsOf: ColumnsOf): RelatedColumns[] {
  return [...names.configured].flatMap(([path, option]) => {
    const steps = findRelation(names, path);
    const target = steps?.at(-1)?.relation.target;
    if (!steps || !target) return [];

    return {
      relation: spellingsOf(names, path),
      columns: columnsOf(isComparable, target, steps, option),
      toMany: steps.some(({ relation }) => relation.toMany),
      returned: option.select !== false,
    };
  });
}

/** The path of a relation, and its spellings by the short names of the relations along it. */
function spellingsOf({ shortNames }: Names, path: string): string[] {
  const second = [...shortNames].flatMap(([name, steps]) => {
    const start = steps.at(-1)?.path;

    return start !== undefined && covers(start, path) ? [name + path.slice(start.length)] : [];
  });

  return [...new Set([path, ...second])];
}
