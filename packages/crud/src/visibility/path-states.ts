/** What the answers of a resource make of each path; kept with its definition. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert, oncePerPair } from '../get-or-insert.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { fullPath, type JudgePath, type PathState } from '../plan/column-access.js';
import { getNames } from '../plan/resolve-names.js';
import { type Answer, listAnswers, OWN_ANSWER } from './answers.js';
import { listLevels, type PropertyPlace } from './levels.js';
import { possibleOptions, readOptions, type TransformOptions } from './property-rule.js';
import { findBest, type WalkContext, walkAnswer, type Walked } from './walk.js';

/** Bounds what is kept, since options may differ by user. */
const MOST_OPTIONS = 100;

/**
 * Judges paths by the answers to one request, as far as classes decide it: decorators of the entity, of its parents, of entities that inherit from it, of embedded objects, relations and JSON
 * values, and of the classes in `serialize.get` and `getMany`. A relation that is joined for conditions alone (`select: false`) is judged by its own class.
 *
 * @param options Options of class-transformer for this request (`groups`, `version` …). Default: none.
 *
 * @example
 * const judge = judgePaths(definition, catalog, { groups: ['admin'] });
 * judge({ steps: [], column: catalog.columns.get('salary')! }); // 'shown' if salary has @Expose({ groups: ['admin'] })
 */
export function judgePaths(definition: ResourceDefinition, catalog: Catalog, options?: object): JudgePath {
  const context = { options: readOptions(options), formats: definition.options.query.formats ?? [] };
  let kept: Map<string, PathState> | undefined;

  return (place) => {
    const find = () => findState(definition, catalog, place, context);
    // Clients may name any number of keys in JSON.
    if (place.jsonPath?.length) return find();

    return getOrInsert((kept ??= keptStates(definition, catalog, context.options)), fullPath(place), find);
  };
}

/** Judges paths by the answers to those requests that see most of them: of some group, of every group, or of none. */
export function judgeForAnybody(definition: ResourceDefinition, catalog: Catalog): JudgePath {
  const judges = possibleOptions().map((options) => judgePaths(definition, catalog, options));

  return (place) => findBest(judges.map((judge) => judge(place)));
}

/** The states of one resource's paths, by the options of requests. */
const getStates = oncePerPair((_: ResourceDefinition, __: Catalog) => new Map<string, Map<string, PathState>>());

function keptStates(
  definition: ResourceDefinition,
  catalog: Catalog,
  options: TransformOptions,
): Map<string, PathState> {
  const all = getStates(definition, catalog);
  const key = JSON.stringify([Object.entries(options), String(options.version)]);
  if (all.size >= MOST_OPTIONS && !all.has(key)) all.clear();

  return getOrInsert(all, key, () => new Map());
}

function findState(
  definition: ResourceDefinition,
  catalog: Catalog,
  place: PropertyPlace,
  context: WalkContext,
): PathState {
  const { configured } = getNames(catalog, definition.options.query);
  const unreturned = place.steps.findLastIndex(({ path }) => configured.get(path)?.select === false);
  // Such a relation is in no answer, and was opened to conditions by that very option.
  const answers = unreturned < 0 ? listAnswers(definition) : [OWN_ANSWER];
  const skipped = listLevels(catalog, { steps: place.steps.slice(0, unreturned + 1) }).length;
  const levels = listLevels(catalog, place).slice(skipped);

  return findBest(answers.map((answer) => walkAnswer(levels, place, answer, context).state));
}

/**
 * For adapters: whether the class of an entity shows a column to everybody, as it is stored.
 *
 * @example
 * isShownByClass(catalog, catalog.columns.get('companyId')!); // false if companyId has @Exclude()
 */
export function isShownByClass(catalog: Catalog, column: CatalogColumn): boolean {
  return column.selectable && walkPlace(catalog, { steps: [], column }, OWN_ANSWER).state === 'shown';
}

/** Follows the way to a place into one answer. */
export function walkPlace(catalog: Catalog, place: PropertyPlace, answer: Answer, options?: object): Walked {
  return walkAnswer(listLevels(catalog, place), place, answer, { options: readOptions(options), formats: [] });
}
