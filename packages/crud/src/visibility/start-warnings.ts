/** What is told at the start of columns that classes hide or change. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { show } from '../definition/wording.js';
import type { Catalog } from '../plan/catalog.js';
import { anyCovers, type ColumnPlace, fullPath, isComparable, isSelectable } from '../plan/column-access.js';
import { listEnclosingPaths } from '../definition/plain-objects.js';
import { findRelation, getNames } from '../plan/resolve-names.js';
import { judgeForAnybody, listAnswers, OWN_ANSWER, walkPlace } from './path-states.js';
import { findProperty, type PropertyPlace } from './levels.js';
import { possibleOptions } from './property-rule.js';

/** Names in `query.formats` on which no `@Transform()` for answers stands. */
export function* formatsWhatIsTransformed(definition: ResourceDefinition, catalog: Catalog): Generator<string> {
  for (const name of definition.options.query.formats ?? []) {
    const place = findProperty(catalog, name);
    if (!place) yield `query.formats names ${show(name)}, but ${catalog.model} has no such field`;
    else if (!isTransformed(definition, catalog, place))
      yield `query.formats names ${show(name)}, but no @Transform() changes it in answers`;
  }
}

/**
 * The warning about columns that clients cannot name although the entity shows them, with the lines that open them;
 * undefined without any.
 */
export function warnOfHidden(definition: ResourceDefinition, catalog: Catalog): string | undefined {
  const closed = closedPlaces(definition, catalog);
  const formats = [...new Set(closed.flatMap((place) => listFormats(definition, catalog, place)))];
  const hidden = closed
    .filter((place) => place.steps.length === 0 && isShownByEntity(catalog, place))
    .map(fullPath)
    .filter((path) => !anyCovers(formats, path));
  const names = [...formats, ...hidden];
  if (names.length === 0) return undefined;

  return [
    `clients can neither filter nor sort by ${names.join(', ')}, since no answer shows the stored values.`,
    ...(formats.length > 0
      ? [
          `A @Transform() changes ${formats.join(', ')}: if it only formats the values, add formats: ` +
            `${list(formats)} to query.`,
        ]
      : []),
    `If clients may find out the stored values, add conditions: ${list(names)} to query.`,
  ].join(' ');
}

/** What the options let clients select, of the resource and its relations, but neither filter nor sort by. */
function closedPlaces(definition: ResourceDefinition, catalog: Catalog): ColumnPlace[] {
  const { query } = definition.options;
  const judge = judgeForAnybody(definition, catalog);
  const relations = [...getNames(catalog, query).configured].map(([path, access]) => ({
    steps: findRelation(getNames(catalog, query), path) ?? [],
    access,
  }));

  return [{ steps: [], access: query }, ...relations].flatMap(({ steps, access }) =>
    [...(steps.at(-1)?.relation.target ?? catalog).columns.values()]
      .map((column): ColumnPlace => ({ steps, column }))
      .filter(({ column }) => isSelectable(access, column))
      .filter((place) => !isComparable(access, place, judge, query.conditions)),
  );
}

/** The formats by which a path would be shown; none if more than transforms hides it. */
function listFormats(definition: ResourceDefinition, catalog: Catalog, place: ColumnPlace): string[] {
  const path = fullPath(place);
  const all = [path, ...listEnclosingPaths(path)];
  const { options } = definition;
  const query = { ...options.query, formats: [...all, ...(options.query.formats ?? [])] };
  const judge = judgeForAnybody({ ...definition, options: { ...options, query } }, catalog);

  return judge(place) === 'shown'
    ? all.filter((name) => isTransformed(definition, catalog, findProperty(catalog, name)!))
    : [];
}

function isTransformed(definition: ResourceDefinition, catalog: Catalog, place: PropertyPlace): boolean {
  return listAnswers(definition).some((answer) => walkPlace(catalog, place, answer).isTransformed);
}

/** Whether the class of the entity shows a value to anybody, in whatever form. */
function isShownByEntity(catalog: Catalog, place: ColumnPlace): boolean {
  return possibleOptions().some((options) => walkPlace(catalog, place, OWN_ANSWER, options).state !== 'hidden');
}

function list(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}
