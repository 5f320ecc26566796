/** A definition and its catalog in; the names that clients may select, filter, sort by and join out; unknown (undefined) where no catalog is there to tell. */
import type { QueryOptions } from '../definition/options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogColumn, CatalogRelation, ColumnKind } from '../plan/catalog.js';
import { exposedPaths } from '../serialization/exposed-paths.js';

/** Names by what clients may do with them; `undefined` where they cannot be told. */
export interface ClientNames {
  readonly select?: readonly string[];
  readonly filter?: readonly string[];
  readonly sort?: readonly string[];
  readonly join: readonly string[];
  /** A text field, for examples. */
  readonly text?: string;
}

const UNSORTABLE: ReadonlySet<ColumnKind> = new Set(['json', 'array', 'binary']);
const UNFILTERABLE: ReadonlySet<ColumnKind> = new Set(['binary']);

const known = new WeakMap<ResourceDefinition, WeakMap<Catalog, ClientNames>>();

/** The names of a resource; collected once for a definition and a catalog. */
export function clientNames(definition: ResourceDefinition, catalog: Catalog | undefined): ClientNames {
  if (!catalog) return collectNames(definition, undefined);

  const byCatalog = known.get(definition) ?? new WeakMap<Catalog, ClientNames>();
  const names = byCatalog.get(catalog) ?? collectNames(definition, catalog);

  byCatalog.set(catalog, names);
  known.set(definition, byCatalog);

  return names;
}

function collectNames({ options: { query } }: ResourceDefinition, catalog: Catalog | undefined): ClientNames {
  const join = Object.entries(query.join ?? {})
    .filter(([, { select }]) => select !== false)
    .map(([path]) => path);

  if (!catalog) return { join, ...(query.allow?.length && namesOfAllow(query)) };

  const own = openColumns(catalog, query);
  const related = [...relatedColumns(catalog, query)];

  return {
    select: own.map(({ path }) => path),
    filter: [
      ...own.filter(({ kind }) => !UNFILTERABLE.has(kind)).map(({ path }) => path),
      ...related.filter(({ column }) => !UNFILTERABLE.has(column.kind)).map(({ name }) => name),
    ],
    sort: [
      ...own.filter(({ kind }) => !UNSORTABLE.has(kind)).map(({ path }) => path),
      ...related.filter(({ column, toMany }) => !toMany && !UNSORTABLE.has(column.kind)).map(({ name }) => name),
    ],
    join,
    text: own.find(({ kind }) => kind === 'text')?.path,
  };
}

function namesOfAllow({ allow = [], exclude = [] }: QueryOptions): Omit<ClientNames, 'join'> {
  const names = allow.filter((name) => !exclude.includes(name));

  return { select: names, filter: names, sort: names };
}

interface Lists {
  readonly allow?: readonly string[];
  readonly exclude?: readonly string[];
}

/** A name in a list covers an embedded object whole: `name` covers `name.first`. */
function lists(names: readonly string[], path: string): boolean {
  return names.some((name) => path === name || path.startsWith(`${name}.`));
}

function openColumns(catalog: Catalog, { allow = [], exclude = [] }: Lists): CatalogColumn[] {
  const exposed = exposedPaths(catalog.target, catalog.columns.keys());

  return [...catalog.columns.values()].filter(
    ({ path, selectable, primary }) =>
      selectable && exposed.has(path) && !lists(exclude, path) && (primary || allow.length === 0 || lists(allow, path)),
  );
}

interface RelatedColumn {
  readonly name: string;
  readonly column: CatalogColumn;
  readonly toMany: boolean;
}

function* relatedColumns(catalog: Catalog, { join = {} }: QueryOptions): Iterable<RelatedColumn> {
  for (const [path, option] of Object.entries(join)) {
    const way = wayOf(catalog, path);
    const target = way?.at(-1)?.target;
    if (!way || !target) continue;

    const toMany = way.some((relation) => relation.toMany);
    for (const column of openColumns(target, option)) yield { name: `${path}.${column.path}`, column, toMany };
  }
}

/** The relations along a path; one inside an embedded object takes more than one segment. */
export function wayOf(root: Catalog, path: string): CatalogRelation[] | undefined {
  const way: CatalogRelation[] = [];
  let name = '';

  for (const segment of path.split('.')) {
    name = name ? `${name}.${segment}` : segment;
    const relation: CatalogRelation | undefined = (way.at(-1)?.target ?? root).relations.get(name);
    if (!relation) continue;

    way.push(relation);
    name = '';
  }

  return name === '' ? way : undefined;
}
