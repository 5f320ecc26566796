/** What the command prints. */
import { createTwoFilesPatch } from 'diff';
import type { Migration } from './migrate.js';
import { guide } from './names.js';

export function report({ changes, marks, notes, errors }: Migration, isDry: boolean): string {
  if (errors.length > 0) return [...errors, 'Nothing was written.', ''].join('\n');
  if (changes.size === 0 && notes.length === 0)
    return 'Nothing names nestjsx/crud, @dataui/crud or @rewiko/crud: there is nothing to change.\n';

  const patches = [...changes].map(([path, { before, after }]) =>
    createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 1 }).replace(
      /^Index: .*\n=+\n/,
      '',
    ),
  );
  const files = [...changes].map(([path, { what }]) => `  ${path}: ${what.join(', ')}`);
  const count = `${changes.size} ${changes.size === 1 ? 'file' : 'files'}`;

  return [
    ...(isDry ? patches : []),
    isDry ? `${count} would change; nothing was written.` : `${count} changed.`,
    ...files,
    ...list('For a person to look at', [...marks.map(({ path, line, text }) => `${path}:${line} ${text}`), ...notes]),
    '',
    `Then install the packages, compile and start; what behaves differently: ${guide('moving-from-nestjsxcrud')}`,
    '',
  ].join('\n');
}

function list(title: string, items: readonly string[]): string[] {
  return items.length > 0 ? ['', `${title}: ${items.length}`, ...items.map((item) => `  ${item}`)] : [];
}
