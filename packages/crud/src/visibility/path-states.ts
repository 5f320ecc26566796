/**
 * The answers of a resource, and what they make of each path: its state, which is kept with the definition, and how it
 * appears.
 */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert, oncePerPair } from '../get-or-insert.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { fullPath, type JudgePath, type PathState } from '../plan/column-access.js';
import { getNames } from '../plan/resolve-names.js';
import { type Level, listLevels, type PropertyPlace } from './levels.js';
import { possibleOptions, readOptions, type TransformOptions } from './property-rule.js';
import { type Answer, findBest, walkAnswer, type WalkContext, type Walked } from './walk.js';
import { readBehaviour } from '../definition/route-behaviour.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { responseShape } from '../serialization/serialize.js';

/** The record as its own class shows it. */
export const OWN_ANSWER: Answer = {};

const READS: readonly BaseRouteName[] = ['getManyBase', 'getOneBase'];

/**
 * The answers of a resource. If there are reading routes, only those count: a value that creation shows once is not
 * open to conditions forever.
 */
export function listAnswers(definition: ResourceDefinition): readonly Answer[] {
  const { routes } = definition;
  const reading = READS.filter((route) => routes.has(route));
  const answering = reading.length > 0 ? reading : writesWithAnswer(definition);

  return answering.length > 0 ? answering.flatMap((route) => listRouteAnswers(definition, route)) : [OWN_ANSWER];
}

/** Of routes that only write, those that answer with records. */
function writesWithAnswer({ routes, options }: ResourceDefinition): readonly BaseRouteName[] {
  return [...routes].filter((route) => {
    const { returnDeleted, returnRecovered } = readBehaviour(options.routes, route);
    const { serialize } = ROUTES[route];
    if (serialize === 'delete') return returnDeleted === true;
    if (serialize === 'recover') return returnRecovered !== false;

    return serialize !== 'none';
  });
}

function listRouteAnswers(definition: ResourceDefinition, route: BaseRouteName): Answer[] {
  const { envelope } = responseShape(definition, route);
  const item = itemAnswer(definition, route);
  if (!envelope) return [item];

  return definition.options.query.alwaysPaginate ? [{ envelope }] : [{ envelope }, item];
}

/** A record by itself, or in a plain list. */
export function itemAnswer(definition: ResourceDefinition, route: BaseRouteName): Answer {
  return { target: responseShape(definition, route).record };
}

/** Bounds what is kept, since options may differ by user. */
const MOST_OPTIONS = 100;

/**
 * Judges paths by the answers to one request, as far as classes decide it: decorators of the entity, of its parents, of
 * entities that inherit from it, of embedded objects, relations and JSON values, and of the classes in `serialize.get`
 * and `getMany`. A relation that is joined for conditions alone (`select: false`) is judged by its own class.
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

  // Most of the time the first one decides.
  return (place) =>
    judges.some((judge) => judge(place) === 'shown') ? 'shown' : findBest(judges.map((judge) => judge(place)));
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

/** `sometimes`: to certain groups, or in records of some of the classes alone. */
export type Presence = 'always' | 'sometimes' | 'never';

export interface Appearance {
  readonly presence: Presence;
  /** Its name in the answer. */
  readonly name: string;
  /** Whether a `@Transform()` makes its value, of a type that only the application knows. */
  readonly isTransformed: boolean;
}

/** How a property appears in an answer. */
export type FindAppearance = (place: PropertyPlace) => Appearance;

/**
 * How the properties of a resource appear in one of its answers, as the decorators of their classes and of those in
 * `serialize` decide it.
 *
 * @example
 * const find = findAppearances(catalog, itemAnswer(definition, 'getOneBase'));
 * find({ steps: [], path: 'password' }); // { presence: 'never', … } if password has @Exclude()
 */
export function findAppearances(catalog: Catalog, answer: Answer): FindAppearance {
  const options = possibleOptions().map(readOptions);

  return (place) => {
    const ways = listWays(listLevels(catalog, place));
    const walks = options.map((some) =>
      ways.map((way) => walkAnswer(way, { steps: [] }, answer, { options: some, formats: [] })),
    );
    const present = walks.flat().filter(isPresent);
    const isAlways = walks[0]!.every(isPresent);

    return {
      presence: isAlways ? 'always' : present.length > 0 ? 'sometimes' : 'never',
      name: (present[0] ?? walks[0]![0]!).names.at(-1)!,
      isTransformed: walks.flat().some((walked) => walked.isTransformed),
    };
  };
}

/** Which of its own properties a class shows. */
export function findClassAppearances(target: unknown): FindAppearance {
  return findAppearances({ model: '', target, columns: new Map(), relations: new Map(), primary: [] }, {});
}

function isPresent({ state, isAbsent }: Walked): boolean {
  return state !== 'hidden' && !isAbsent;
}

/** The way for records of the usual classes, and one for each other class that a record on it may be of. */
function listWays(levels: readonly Level[]): Level[][] {
  const usual = levels.map((level) => ({ ...level, holders: level.holders.slice(0, 1) }));

  return levels.flatMap((level, index) =>
    level.holders.map((holder) => usual.with(index, { ...level, holders: [holder] })),
  );
}
