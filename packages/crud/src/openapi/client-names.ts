import type { QueryOptions } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { oncePerPair } from '../get-or-insert.js';
import { ancestorsOf } from '../plan/property-paths.js';
import type { Catalog, CatalogColumn, ColumnKind } from '../plan/catalog.js';
import { findRelation, type Names, namesOf, type RelationStep } from '../plan/resolve-names.js';
import { covers, isComparable, isNameable, type Shows, type FieldAccess } from '../plan/column-access.js';
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

/** Names by what clients may do with them; `undefined` where they are not known. */
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
  const names = namesOf(catalog, query);
  const { conditions } = query;
  const own = columnsWhere(isComparable, { catalog, steps: [], access: query, shows, conditions });
  const named = columnsWhere(isNameable, { catalog, steps: [], access: query, shows, conditions });
  const related = relatedColumns(names, shows, conditions);
  const groups = (
    wanted: (kind: ColumnKind) => boolean,
    from: readonly RelatedColumns[],
    hasSubfields: HasSubfields,
  ): NameGroup[] =>
    [{ relation: [], columns: own }, ...from]
      .map(({ relation, columns }) =>
        groupOf(
          relation,
          columns.filter(({ kind }) => wanted(kind)),
          hasSubfields,
        ),
      )
      .filter((group) => group.names.length > 0);

  return {
    select: { relation: [], names: selectable(named), hasSubfields: () => false },
    filter: groups(
      () => true,
      related,
      (column) => column?.kind === 'json',
    ),
    sort: groups(
      (kind) => !UNORDERED.has(kind),
      related.filter(({ toMany }) => !toMany),
      () => false,
    ),
    join: related.map(({ relation, returned }) => ({ spellings: relation, returned })),
    text: own.find(({ kind }) => kind === 'text')?.path,
  };
});

type HasSubfields = (column: CatalogColumn | undefined) => boolean;

function groupOf(
  relation: readonly string[],
  columns: readonly CatalogColumn[],
  hasSubfields: HasSubfields,
): NameGroup & { readonly names: readonly string[] } {
  const byPath = new Map(columns.map((column) => [column.path, column]));

  return { relation, names: [...byPath.keys()], hasSubfields: (name) => hasSubfields(byPath.get(name)) };
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

interface Place {
  readonly catalog: Catalog;
  readonly steps: readonly RelationStep[];
  readonly access: FieldAccess;
  readonly shows: Shows;
  readonly conditions: readonly string[] | undefined;
}

function columnsWhere(may: typeof isComparable, { catalog, steps, access, shows, conditions }: Place): CatalogColumn[] {
  return [...catalog.columns.values()].filter((column) => may(access, { steps, column }, shows, conditions));
}

interface RelatedColumns {
  readonly relation: readonly string[];
  readonly columns: readonly CatalogColumn[];
  readonly toMany: boolean;
  readonly returned: boolean;
}

function relatedColumns(names: Names, shows: Shows, conditions: readonly string[] | undefined): RelatedColumns[] {
  return [...names.configured].flatMap(([path, option]) => {
    const steps = findRelation(names, path);
    const target = steps?.at(-1)?.relation.target;
    if (!steps || !target) return [];

    return {
      relation: spellingsOf(names, path),
      columns: columnsWhere(isComparable, { catalog: target, steps, access: option, shows, conditions }),
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
