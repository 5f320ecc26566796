/** Which properties responses name, whatever their values: found by letting the real serialization shape sample records. */
import { getOrInsert } from '../get-or-insert.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { type Names, namesOf, type RelationStep } from '../plan/resolve-names.js';
import { covers } from '../plan/column-access.js';
import { exposeGroups } from '../serialization/index.js';
import { type Answer, serializedByOwnClass } from './answers.js';
import { fullRecord, type MakeRecord, sparseRecord, type ChainRecord, wideRecord } from './sample-records.js';
import { samplesOf } from './sample-values.js';
import { holdsAt, plainJson, pathsTo } from './value-probe.js';

/** `sometimes`: for certain groups, or for records of some of the classes alone; `unknown`: classes of the application threw for every record. */
export type Presence = 'always' | 'sometimes' | 'never' | 'unknown';

/** A property of records, of embedded objects in them (`box.inner`), or of related ones behind steps. */
export interface PropertyPlace {
  readonly steps: readonly RelationStep[];
  readonly path: string;
}

/** Whether answers have a property, under a path of names from the root. */
export type NamedPaths = (place: PropertyPlace, answerPath: readonly string[]) => Presence;

/**
 * Which properties one answer of a resource has, as the decorators of their classes and of those in `serialize` decide
 * it.
 *
 * @example
 * const names = namedPaths(definition, catalog, answerOf(definition, 'getOneBase'));
 * names({ steps: [], path: 'password' }, ['password']); // 'never' if password has @Exclude()
 */
export function namedPaths({ options }: ResourceDefinition, catalog: Catalog, answer: Answer): NamedPaths {
  return namedBy(namesOf(catalog, options.query), answer);
}

/** Which of its own properties a class shows; used without a catalog. */
export function namedByClass(target: unknown, properties: readonly string[]): NamedPaths {
  const columns = new Map(properties.map((path) => [path, propertyColumn(path)]));
  const catalog: Catalog = { model: '', target, columns, relations: new Map(), primary: [] };

  return namedBy(namesOf(catalog, {}), serializedByOwnClass);
}

function namedBy(names: Names, answer: Answer): NamedPaths {
  const groups = exposeGroups();
  const all = groups.length > 0 ? { groups } : undefined;

  return (place, answerPath) => {
    const byClass = samplesAt(place, names);
    const named = byClass.map((samples) => isNamed(samples, answerPath, (record) => answer(record, undefined), names));
    if (named.every((found) => found === true)) return 'always';
    if (named.includes(true)) return 'sometimes';

    const forGroups = all
      ? byClass.map((samples) => isNamed(samples, answerPath, (record) => answer(record, all), names))
      : [];
    if (forGroups.includes(true)) return 'sometimes';

    return named.includes(false) ? 'never' : 'unknown';
  };
}

/** A value, and the records on its path. */
interface Sample {
  readonly chain: readonly ChainRecord[];
  readonly value: unknown;
}

/** For each class that a record may be of, samples with something in the property. */
function samplesAt({ steps, path }: PropertyPlace, names: Names): Sample[][] {
  const catalog = steps.at(-1)?.relation.target ?? names.root;
  const relation = catalog.relations.get(path);
  const within = [...catalog.columns.values()].filter((column) => covers(path, column.path));
  const first = [...catalog.columns.values()][0];
  const places = relation
    ? [{ steps: [...steps, { path: '', relation }], column: [...relation.target.columns.values()][0] }]
    : within.length > 0
      ? within.map((column) => ({ steps, column }))
      : // Neither column nor relation: set by whoever loads the record, or computed of others.
        [propertyColumn(path), first].map((column) => ({ steps, column }));
  const byClass = new Map<string, Sample[]>();

  for (const { steps: relations, column = propertyColumn('id') } of places) {
    for (const chain of pathsTo({ steps: relations, column }, names)) {
      const classes = chain.map(({ recordClass, catalog: of }) => of.recordClasses?.indexOf(recordClass) ?? 0);
      const values = samplesOf(column).slice(0, 2);

      getOrInsert(byClass, classes.join(), () => []).push(...values.map((value) => ({ chain, value })));
    }
  }

  return [...byClass.values()];
}

const MAKES: readonly MakeRecord[] = [sparseRecord, wideRecord, fullRecord];

/** Undefined if the application's classes threw for each of the records. */
function isNamed(
  samples: readonly Sample[],
  answerPath: readonly string[],
  show: (record: object) => unknown,
  names: Names,
): boolean | undefined {
  let found: boolean | undefined;

  for (const make of MAKES) {
    for (const { chain, value } of samples) {
      try {
        if (holdsAt(plainJson(show(make(names, chain, value))), answerPath)) return true;
        found = false;
      } catch {
        // Application code that computes properties may not handle sample records.
      }
    }
  }

  return found;
}

function propertyColumn(path: string): CatalogColumn {
  return {
    path,
    kind: 'text',
    source: 'client',
    nullable: true,
    hasDefault: false,
    primary: false,
    autoIncrement: false,
    generated: false,
    selectable: true,
    insertable: true,
    updatable: true,
    transformed: false,
  };
}
