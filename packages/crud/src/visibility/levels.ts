/** The properties on the way from a record to a value. */
import type { Catalog, CatalogColumn, RecordClass } from '../plan/catalog.js';
import { covers } from '../plan/column-access.js';
import { followRelations, type RelationStep, relationSteps } from '../plan/resolve-names.js';

/** One property. */
export interface Level {
  /** As options name it, from the root: `company.name`. */
  readonly path: string;
  readonly key: string;
  /** What the objects that hold it may be instances of; anything that is no class stands for plain objects. */
  readonly holders: readonly unknown[];
  /** The properties that such objects have; undefined if nobody knows them. */
  readonly others: (() => readonly string[]) | undefined;
  /** Whether records have it as a property of their own, whatever getter their class has. */
  readonly isAssigned?: boolean;
  /** Whether something takes the value's place. */
  readonly isReplaced?: boolean;
}

/**
 * A property of records, of embedded objects in them (`box.inner`), or of related ones behind steps; without a path,
 * the last relation itself.
 */
export interface PropertyPlace {
  readonly steps: readonly RelationStep[];
  readonly path?: string;
  readonly column?: CatalogColumn;
  readonly jsonPath?: readonly string[];
}

export function listLevels(
  root: Catalog,
  { steps, column, path = column?.path, jsonPath = [] }: PropertyPlace,
): Level[] {
  const levels: Level[] = [];
  let catalog = root;
  let before: readonly string[] = [];
  for (const step of steps) {
    levels.push(...listPropertyLevels(catalog, step.relation.path, before));
    catalog = step.relation.target;
    before = [step.path];
  }
  if (path !== undefined) levels.push(...listPropertyLevels(catalog, path, before));
  for (const key of jsonPath)
    levels.push({ path: `${levels.at(-1)!.path}.${key}`, key, holders: [undefined], others: undefined });

  return levels;
}

/** The property that a name of the options means, without second names; undefined if there is none. */
export function findProperty(root: Catalog, name: string): PropertyPlace | undefined {
  const { catalog, rest } = followRelations(root, name);
  const steps = rest === name ? [] : relationSteps(root, rest === '' ? name : name.slice(0, -rest.length - 1))!;
  if (rest === '') return { steps };

  const column = [...catalog.columns.values()].find(({ path, kind }) => kind === 'json' && covers(path, rest));
  if (column && column.path !== rest) return { steps, column, jsonPath: rest.slice(column.path.length + 1).split('.') };

  return [...catalog.columns.keys()].some((path) => covers(rest, path)) ? { steps, path: rest } : undefined;
}

/** An embedded object takes a level of its own. */
function listPropertyLevels(catalog: Catalog, property: string, before: readonly string[]): Level[] {
  const classes = listRecordClasses(catalog);
  const holding = classes.filter(({ paths }) => [...paths].some((path) => covers(property, path)));
  const segments = property.split('.');

  return segments.map((key, index) => {
    const prefix = segments.slice(0, index).join('.');
    const findHolder = ({ target, embedded }: RecordClass) => (index === 0 ? target : embedded.get(prefix));

    return {
      path: [...before, ...segments.slice(0, index + 1)].join('.'),
      key,
      holders: [...new Set((holding.length > 0 ? holding : classes).map(findHolder))],
      others: () => listProperties(catalog, prefix),
      isAssigned: holding.length > 0 && holding.every(({ assigned }) => assigned?.has(property) === true),
    };
  });
}

function listRecordClasses({ recordClasses, target, columns, relations }: Catalog): readonly RecordClass[] {
  return recordClasses ?? [{ target, paths: new Set([...columns.keys(), ...relations.keys()]), embedded: new Map() }];
}

/** The properties of an entity's records, or of an embedded object in them. */
export function listProperties({ columns, relations }: Catalog, prefix: string): string[] {
  const start = prefix === '' ? 0 : prefix.length + 1;
  const paths = [...columns.keys(), ...relations.keys()].filter((path) => prefix === '' || covers(prefix, path));

  return paths.map((path) => path.slice(start).split('.', 1)[0]!);
}
