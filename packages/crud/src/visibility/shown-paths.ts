/** A definition, its catalog and a request's options of class-transformer in, the one answer to "may this request see this?" out; kept for as long as the definition lives. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { classTransformer } from '../nest/optional-peers.js';
import type { Catalog } from '../plan/catalog.js';
import { type Names, namesOf } from '../plan/names.js';
import { type ColumnPlace, fullPath, isComparable, isSelectable, type Shows } from '../plan/visibility.js';
import { exposeGroups, uncoveredReason } from '../serialization/index.js';
import { type Answer, answersOf, serializedByOwnClass } from './answers.js';
import { isReturned } from './sample-records.js';
import { type Verdict, verdictOn, verdictOnKey } from './verdict.js';

/** What is kept of a resource: options may differ by user, and keys of JSON columns by request, without end. */
const MOST_OPTIONS = 100;
const MOST_KEYS = 100;
const LONGEST_KEY = 100;

const sights = new WeakMap<ResourceDefinition, WeakMap<Catalog, Sight>>();

/**
 * What a request's answers show, as far as classes decide it: decorators of the entity, of its parents, of entities that inherit from it, of embedded objects, relations and JSON values, and
 * of the classes in `serialize.get` and `getMany`. A relation that is joined for conditions alone (`select: false`) is judged by its own class.
 *
 * @param options Options of class-transformer for this request (`groups`, `version` …). Default: none.
 *
 * @example
 * const shows = shownPaths(definition, catalog, { groups: ['admin'] });
 * shows({ steps: [], column: catalog.columns.get('salary')! }); // true where salary bears @Expose({ groups: ['admin'] })
 */
export function shownPaths(definition: ResourceDefinition, catalog: Catalog, options?: object): Shows {
  if (!classTransformer) return () => true;
  const sight = sightOf(definition, catalog);
  let verdicts: Verdicts | undefined;

  return (place) => sight.verdict(place, options, (verdicts ??= sight.verdictsFor(options))) === 'shown';
}

/** What the answers to some request show: of one without options, or of one with every group there is. */
export function shownToSome(definition: ResourceDefinition, catalog: Catalog): Shows {
  const groups = exposeGroups();
  const shows = [undefined, ...(groups.length > 0 ? [{ groups }] : [])].map((options) =>
    shownPaths(definition, catalog, options),
  );

  return (place) => shows.some((show) => show(place));
}

/** The entity's own columns that clients can name nowhere though the entity itself shows them: hidden by a class in `serialize`, or by a `@Transform()` that fails for sample values. */
export function hiddenBySerialize(definition: ResourceDefinition, catalog: Catalog): string[] {
  const { serialize, model } = definition;
  const { query } = definition.options;
  if (!classTransformer || !(serialize.get || serialize.getMany || uncoveredReason(model))) return [];

  const bare = new Sight(namesOf(catalog, query), [serializedByOwnClass]);
  const shows = shownToSome(definition, catalog);

  return [...catalog.columns.values()]
    .map((column): ColumnPlace => ({ steps: [], column }))
    .filter((place) => isSelectable(query, place.column) && !isComparable(query, place, shows, query.conditions))
    .filter((place) => bare.verdict(place, undefined) !== 'hidden')
    .map(fullPath);
}

/** What is known of requests with the same options. */
interface Verdicts {
  readonly ofColumns: Map<string, Verdict>;
  readonly ofKeys: Map<string, Verdict>;
}

const noVerdicts = (): Verdicts => ({ ofColumns: new Map(), ofKeys: new Map() });

/** What the answers of one resource show. */
class Sight {
  private readonly byOptions = new Map<string, Verdicts>();

  constructor(
    private readonly names: Names,
    private readonly answers: readonly Answer[],
  ) {}

  /** What has been found out for requests with these options. */
  verdictsFor(options: object | undefined): Verdicts {
    const key = keyOf(options);
    const known = key === undefined ? undefined : this.byOptions.get(key);
    if (known) return known;

    const verdicts = noVerdicts();
    if (this.byOptions.size >= MOST_OPTIONS) this.byOptions.clear();
    if (key !== undefined) this.byOptions.set(key, verdicts);

    return verdicts;
  }

  verdict(place: ColumnPlace, options: object | undefined, { ofColumns, ofKeys } = noVerdicts()): Verdict {
    const path = fullPath(place);
    if (!place.jsonPath?.length) return remembered(ofColumns, path, () => this.find(place, options, verdictOn));

    const find = () => this.find(place, options, verdictOnKey);
    const key = [path, ...place.jsonPath].join('\n');
    if (key.length > LONGEST_KEY) return find();
    if (ofKeys.size >= MOST_KEYS && !ofKeys.has(key)) ofKeys.clear();

    return remembered(ofKeys, key, find);
  }

  private find(place: ColumnPlace, options: object | undefined, ask: typeof verdictOn): Verdict {
    const last = place.steps.findLastIndex(({ path }) => !isReturned(this.names, path));
    if (last < 0) return ask(place, { names: this.names, answers: this.answers, options });

    // The relation is never part of an answer, and was opened to conditions by that very option.
    const behind = place.steps.slice(last + 1);
    const prefix = `${place.steps[last]!.path}.`;
    const steps = behind.map(({ path, relation }) => ({ relation, path: path.slice(prefix.length) }));
    const names = namesOf(place.steps[last]!.relation.target, {});

    return ask({ ...place, steps }, { names, answers: [serializedByOwnClass], options });
  }
}

function remembered(verdicts: Map<string, Verdict>, key: string, find: () => Verdict): Verdict {
  const verdict = verdicts.get(key) ?? find();
  verdicts.set(key, verdict);

  return verdict;
}

function sightOf(definition: ResourceDefinition, catalog: Catalog): Sight {
  const byCatalog = sights.get(definition) ?? new WeakMap<Catalog, Sight>();
  const sight = byCatalog.get(catalog) ?? new Sight(namesOf(catalog, definition.options.query), answersOf(definition));

  byCatalog.set(catalog, sight);
  sights.set(definition, byCatalog);

  return sight;
}

/** Options as text; undefined where they hold more than text can tell. */
function keyOf(options: object | undefined): string | undefined {
  if (options === undefined) return '';
  let isText = true;
  const text = JSON.stringify(options, (_, value: unknown) => {
    if (typeof value === 'function' || typeof value === 'bigint') {
      isText = false;

      return undefined;
    }

    return value;
  });

  return isText ? text : undefined;
}
