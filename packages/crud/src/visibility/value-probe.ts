/** Whether a response shows a value: found by serializing sample records that differ only in it. */
import type { Names } from '../plan/resolve-names.js';
import type { ColumnPlace } from '../plan/column-access.js';
import { ownProperty, valueAtPath } from '../plan/property-paths.js';
import type { Answer } from './answers.js';
import {
  fullRecord,
  type MakeRecord,
  recordClassesOf,
  sparseRecord,
  type ChainRecord,
  wideRecord,
} from './sample-records.js';
import { samplesOf } from './sample-values.js';

/** `distinguishable`: in another form, distinct for each value. `unknown`: the application's classes threw for every record. */
export type Visibility = 'shown' | 'distinguishable' | 'hidden' | 'unknown';

/** What one kind of request is probed with. */
export interface ProbeContext {
  readonly names: Names;
  readonly answers: readonly Answer[];
  /** Options of class-transformer. */
  readonly options: object | undefined;
}

/** Whether one of the answers shows the value, whatever classes the records on its path are of. */
export function visibilityOf(place: ColumnPlace, context: ProbeContext): Visibility {
  // A key in a JSON column is looked up in records with little else, since clients may ask for any number of keys.
  const makes = place.jsonPath?.length ? [sparseRecord] : [sparseRecord, wideRecord];
  let least: Visibility = 'shown';

  for (const chain of pathsTo(place, context.names)) {
    let best: Visibility = 'hidden';

    for (const answer of context.answers) {
      const visibility = visibilityAlong(place, chain, answer, context, makes);
      if (RANKS.indexOf(visibility) > RANKS.indexOf(best)) best = visibility;
      if (visibility === 'shown') break;
    }
    if (best === 'hidden' || best === 'unknown') return best;
    if (best === 'distinguishable') least = best;
  }

  return least;
}

const RANKS: readonly Visibility[] = ['hidden', 'unknown', 'distinguishable', 'shown'];

/** The chains of records to a place: one of the usual classes, and one for each alternative class on the path. */
export function pathsTo({ steps, column }: ColumnPlace, { root }: Names): ChainRecord[][] {
  const properties = [...steps.map(({ relation }) => relation.path), column.path];
  const choices = properties.map((property, index) => {
    const { path, relation } = steps[index - 1] ?? { path: '' };
    const catalog = relation?.target ?? root;
    const classes = recordClassesOf(catalog);
    const holding = classes.filter(({ paths }) => paths.has(property));

    return (holding.length > 0 ? holding : classes).map((recordClass): ChainRecord => ({
      path,
      catalog,
      recordClass,
      property,
      isMany: relation?.toMany === true,
    }));
  });
  const usual = choices.map(([first]) => first!);

  return [usual, ...choices.flatMap((chain, index) => chain.slice(1).map((link) => usual.with(index, link)))];
}

/**
 * The visibility of the value in several sample records; in a full record if the application's classes throw for all of
 * them.
 */
function visibilityAlong(
  place: ColumnPlace,
  chain: readonly ChainRecord[],
  answer: Answer,
  { names, options }: ProbeContext,
  makes: readonly MakeRecord[],
): Visibility {
  const probe = (make: MakeRecord): Visibility => {
    try {
      return compareSamples(place, (value) => answer(make(names, chain, value), options));
    } catch {
      // Application code that computes properties may not handle sample records.
      return 'unknown';
    }
  };
  const found = makes.map(probe);
  if (found.includes('hidden')) return 'hidden';
  if (found.every((one) => one === 'unknown')) return probe(fullRecord);

  return found.includes('distinguishable') ? 'distinguishable' : 'shown';
}

/** Whether answers distinguish sample values: as they are, or under their own name in a distinct form. */
function compareSamples(place: ColumnPlace, show: (value: unknown) => unknown): Visibility {
  const samples = samplesOf(place.column, place.jsonPath);
  const two = samples.slice(0, 2);
  const shown = two.map((sample) => plainJson(show(sample)));
  const texts = two.map((sample) => JSON.stringify(sample));
  if (holdsEach(shown, texts)) return 'shown';

  const path = pathOf(place);
  if (shown.some((answer) => valueAtPath(answer, path) === undefined)) return 'hidden';

  const rest = samples.slice(2).map((sample) => plainJson(show(sample)));

  return areDistinct([...shown, ...rest].map((answer) => valueAtPath(answer, path))) ? 'distinguishable' : 'hidden';
}

/** What a client reads. */
export function plainJson(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;

  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/** Whether all answers have the values unchanged at one place, under any name. */
function holdsEach(answers: readonly unknown[], texts: readonly string[]): boolean {
  if (answers.every((answer, index) => JSON.stringify(answer) === texts[index])) return true;
  const [first] = answers;
  if (typeof first !== 'object' || first === null) return false;

  return Object.keys(first).some((key) =>
    holdsEach(
      answers.map((answer) => ownProperty(answer, key)),
      texts,
    ),
  );
}

/** Whether the values under their own name are all distinct: those of a format are, those of a mask are not. */
function areDistinct(values: readonly unknown[]): boolean {
  const texts = values.map((value) => JSON.stringify(value));

  return !texts.includes(undefined as never) && new Set(texts).size === texts.length;
}

function pathOf({ steps, column, jsonPath = [] }: ColumnPlace): string[] {
  const relations = steps.flatMap(({ relation }) => [...relation.path.split('.'), ...(relation.toMany ? ['0'] : [])]);

  return [...relations, ...column.path.split('.'), ...jsonPath];
}

/** Whether there is something at a path; lists are looked through at their first item. */
export function holdsAt(value: unknown, path: readonly string[]): boolean {
  const end = path.reduce<unknown>((at, key) => ownProperty(Array.isArray(at) ? at[0] : at, key), value);

  return end !== undefined;
}
