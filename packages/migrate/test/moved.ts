/** Moves a project that is written down in a test. */
import { expect } from '@jest/globals';
import { migrate, type Migration } from '../src/migrate.js';
import type { ProjectFiles } from '../src/project-files.js';

export type Texts = Readonly<Record<string, string>>;
export const SERVER = '{ "dependencies": { "@nestjsx/crud": "4.6.2", "@nestjsx/crud-typeorm": "4.6.2" } }';
export function projectOf(texts: Texts): ProjectFiles {
  const some = (pattern: RegExp) => new Map(Object.entries(texts).filter(([path]) => pattern.test(path)));
  return {
    sources: some(/\.([cm]?[jt]sx?|vue|svelte)$/),
    manifests: some(/(^|\/)package\.json$/),
    others: some(/(?<!package)\.(json|yml)$/),
    installed: new Map(),
  };
}

/** A project and what was said of it, of which a second run changes nothing. */
export function move(texts: Texts): { readonly texts: Texts; readonly migration: Migration } {
  const migration = migrate(projectOf(texts), '1.2.3');
  const after = Object.fromEntries([...migration.changes].map(([path, change]) => [path, change.after]));
  const moved = { ...texts, ...after };
  if (migration.errors.length === 0) expect(migrate(projectOf(moved), '1.2.3').changes).toEqual(new Map());
  return { texts: moved, migration };
}

/** What one source becomes in a server that has no resource beside it. */
export const moveSource = (text: string, path = 'src/a.ts'): string =>
  move({ 'package.json': SERVER, [path]: text }).texts[path]!;

/** The comments in a source after its move, each without its link. */
export const marksOf = (text: string, path = 'src/a.ts'): string[] =>
  [...moveSource(text, path).matchAll(/\/\/ nestwright: (.*); see \S+\n\s*(.*)/g)].map(
    ([, comment, line]) => `${comment} | ${line}`,
  );
