/** What the command prints. */
import { createTwoFilesPatch } from 'diff';
import type { Change, Migration } from './migrate.js';
import { guide } from './names.js';

export interface Run {
  /** Whether only the changes are shown. */
  readonly isDry: boolean;
  /** Whether the project is moved although it has versions that do not fit. */
  readonly isForced: boolean;
}

const ORDER = [
  'Upgrade them first, while the old library is still installed: Nest and TypeORM, then TypeScript. Run your ' +
    'tests, then this command.',
  'If nestjsx/crud does not run on them, change to @dataui/crud for this step: its names are the same.',
];

/** Whether the files of a project are to be written. */
export function mayWrite({ errors, unfit }: Migration, { isDry, isForced }: Run): boolean {
  return !isDry && errors.length === 0 && (unfit.length === 0 || isForced);
}

export function report(migration: Migration, run: Run): string {
  const { changes, marks, notes, errors, unfit, sections } = migration;
  if (errors.length > 0) return [...errors, 'Nothing was written.', ''].join('\n');
  if (changes.size === 0 && notes.length === 0)
    return 'Nothing names nestjsx/crud, @dataui/crud or @rewiko/crud: there is nothing to change.\n';
  const obstacles = unfit.length > 0 ? [...list('Versions that do not fit nestwright', unfit), '', ...ORDER, ''] : [];
  if (!run.isDry && !mayWrite(migration, run))
    return [...obstacles.slice(1), 'Nothing was written. To move without upgrading first: --force', ''].join('\n');

  const patches = [...changes].map(([path, { before, after }]) =>
    createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 1 }).replace(
      /^Index: .*\n=+\n/,
      '',
    ),
  );
  const count = `${changes.size} ${changes.size === 1 ? 'file' : 'files'}`;
  const places = groupItems(marks, ({ text }) => text).map(
    ([text, same]) => `${text}\n    ${same.map(({ path, line }) => `${path}:${line}`).join(', ')}`,
  );

  return [
    ...(run.isDry ? patches : []),
    ...obstacles,
    run.isDry ? `${count} would change; nothing was written.` : `${count} changed.`,
    ...describeChanges(changes),
    ...list('For a person to look at', [...places, ...notes]),
    ...list('Sections of the guide that concern this project', sections),
    '',
    `Then install the packages, compile and start. The guide: ${guide('migration.md#which-sections-to-read')}`,
    '',
  ].join('\n');
}

/** The files by what was done in them; those that most files have are only counted. */
function describeChanges(changes: ReadonlyMap<string, Change>): string[] {
  const done = [...changes].flatMap(([path, { what }]) => what.map((each) => ({ path, each })));

  return groupItems(done, ({ each }) => each).map(([each, same]) =>
    each === 'imports' || each === 'comments'
      ? `  ${each}: ${same.length} ${same.length === 1 ? 'file' : 'files'}`
      : `  ${each}: ${same.map(({ path }) => path).join(', ')}`,
  );
}

function groupItems<T>(items: readonly T[], nameGroup: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameGroup(item), [...(groups.get(nameGroup(item)) ?? []), item]);

  return [...groups];
}

function list(title: string, items: readonly string[]): string[] {
  return items.length > 0 ? ['', `${title}: ${items.length}`, ...items.map((item) => `  ${item}`)] : [];
}
