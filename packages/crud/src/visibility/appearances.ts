/** Which properties the records of an answer have, and under which names. */
import type { Catalog } from '../plan/catalog.js';
import type { Answer } from './answers.js';
import { type Level, listLevels, type PropertyPlace } from './levels.js';
import { possibleOptions, readOptions } from './property-rule.js';
import { walkAnswer, type Walked } from './walk.js';

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
 * How the properties of a resource appear in one of its answers, as the decorators of their classes and of those in `serialize` decide it.
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
  const others = levels.flatMap((level, index) =>
    level.holders.slice(1).map((holder) => usual.with(index, { ...level, holders: [holder] })),
  );

  return [usual, ...others];
}
