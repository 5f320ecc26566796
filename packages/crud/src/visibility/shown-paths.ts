/** Which paths a request may see; cached with the definition. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert, oncePerPair } from '../get-or-insert.js';
import { classTransformer } from '../nest/optional-peers.js';
import type { Catalog } from '../plan/catalog.js';
import { type Names, namesOf } from '../plan/resolve-names.js';
import { type ColumnPlace, fullPath, isComparable, isSelectable, type Shows } from '../plan/column-access.js';
import { exposeGroups, uncoveredReason } from '../serialization/index.js';
import { type Answer, answersOf, serializedByOwnClass } from './answers.js';
import { isReturned } from './sample-records.js';
import { type Visibility, visibilityOf } from './value-probe.js';

/** Limits of the cache: options may differ by user, and keys of JSON columns by request. */
const MOST_OPTIONS = 100;
const MOST_KEYS = 100;
const LONGEST_KEY = 100;

/**
 * What a request's answers show, as far as classes decide it: decorators of the entity, of its parents, of entities that inherit from it, of embedded objects, relations and JSON values, and
 * of the classes in `serialize.get` and `getMany`. A relation that is joined for conditions alone (`select: false`) is judged by its own class.
 *
 * @param options Options of class-transformer for this request (`groups`, `version` …). Default: none.
 *
 * @example
 * const shows = shownPaths(definition, catalog, { groups: ['admin'] });
 * shows({ steps: [], column: catalog.columns.get('salary')! }); // true if salary has @Expose({ groups: ['admin'] })
 */
export function shownPaths(definition: ResourceDefinition, catalog: Catalog, options?: object): Shows {
  if (!classTransformer) return () => true;
  const resource = resourceVisibilityOf(definition, catalog);
  let known: KnownVisibilities | undefined;

  return (place, asStored = false) => {
    const visibility = resource.visibility(place, options, (known ??= resource.knownFor(options)));

    return visibility === 'shown' || (visibility === 'distinguishable' && !asStored);
  };
}

/** What the answers to some request show: of one without options, or of one with every group there is. */
export function shownWithAnyGroups(definition: ResourceDefinition, catalog: Catalog): Shows {
  const groups = exposeGroups();
  const shows = [undefined, ...(groups.length > 0 ? [{ groups }] : [])].map((options) =>
    shownPaths(definition, catalog, options),
  );

  return (place, asStored) => shows.some((show) => show(place, asStored));
}

/**
 * The entity's own columns that clients cannot name although the entity shows them: hidden by a class in `serialize`,
 * or by a `@Transform()` that throws for sample values.
 */
export function hiddenBySerialize(definition: ResourceDefinition, catalog: Catalog): string[] {
  const { serialize, model } = definition;
  const { query } = definition.options;
  if (!classTransformer || !(serialize.get || serialize.getMany || uncoveredReason(model))) return [];

  const bare = new ResourceVisibility(namesOf(catalog, query), [serializedByOwnClass]);
  const shows = shownWithAnyGroups(definition, catalog);

  return [...catalog.columns.values()]
    .map((column): ColumnPlace => ({ steps: [], column }))
    .filter((place) => isSelectable(query, place.column) && !isComparable(query, place, shows, query.conditions))
    .filter((place) => bare.visibility(place, undefined) !== 'hidden')
    .map(fullPath);
}

/** What is known of requests with the same options. */
interface KnownVisibilities {
  readonly ofColumns: Map<string, Visibility>;
  readonly ofKeys: Map<string, Visibility>;
}

const noneKnown = (): KnownVisibilities => ({ ofColumns: new Map(), ofKeys: new Map() });

/** What the answers of one resource show. */
class ResourceVisibility {
  private readonly byOptions = new Map<string, KnownVisibilities>();

  constructor(
    private readonly names: Names,
    private readonly answers: readonly Answer[],
  ) {}

  /** Cached results for requests with these options. */
  knownFor(options: object | undefined): KnownVisibilities {
    const key = keyOf(options);
    const known = key === undefined ? undefined : this.byOptions.get(key);
    if (known) return known;

    const none = noneKnown();
    if (this.byOptions.size >= MOST_OPTIONS) this.byOptions.clear();
    if (key !== undefined) this.byOptions.set(key, none);

    return none;
  }

  visibility(place: ColumnPlace, options: object | undefined, { ofColumns, ofKeys } = noneKnown()): Visibility {
    const path = fullPath(place);
    if (!place.jsonPath?.length) return getOrInsert(ofColumns, path, () => this.find(place, options));

    const find = () => this.find(place, options);
    const key = [path, ...place.jsonPath].join('\n');
    if (key.length > LONGEST_KEY) return find();
    if (ofKeys.size >= MOST_KEYS && !ofKeys.has(key)) ofKeys.clear();

    return getOrInsert(ofKeys, key, find);
  }

  private find(place: ColumnPlace, options: object | undefined): Visibility {
    const last = place.steps.findLastIndex(({ path }) => !isReturned(this.names, path));
    if (last < 0) return visibilityOf(place, { names: this.names, answers: this.answers, options });

    // The relation is never part of an answer, and was opened to conditions by that very option.
    const behind = place.steps.slice(last + 1);
    const prefix = `${place.steps[last]!.path}.`;
    const steps = behind.map(({ path, relation }) => ({ relation, path: path.slice(prefix.length) }));
    const names = namesOf(place.steps[last]!.relation.target, {});

    return visibilityOf({ ...place, steps }, { names, answers: [serializedByOwnClass], options });
  }
}

const resourceVisibilityOf = oncePerPair(
  (definition: ResourceDefinition, catalog: Catalog) =>
    new ResourceVisibility(namesOf(catalog, definition.options.query), answersOf(definition)),
);

/** Options as a key of the cache; undefined if JSON cannot express them. */
function keyOf(options: object | undefined): string | undefined {
  if (options === undefined) return '';
  let isJson = true;
  const text = JSON.stringify(options, (_, value: unknown) => {
    if (typeof value === 'function' || typeof value === 'bigint') {
      isJson = false;

      return undefined;
    }

    return value;
  });

  return isJson ? text : undefined;
}
