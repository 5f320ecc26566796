/** The imports of each package lead downwards, from room to room, by value and by type. */
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { FLOORS } from '../lint/floors.js';
import { blocksOf, filesIn, ROOT } from './markdown.js';

/** What exports stand in: above all rooms. */
const ENTRIES = ['index.ts', 'adapter.ts'];
type Import = { readonly from: string; readonly to: string };
const sourceOf = (name: string): string => join(ROOT, `packages/${name}/src`);
const roomOf = (path: string): string => path.split(sep)[0]!;

/** Imports and re-exports between files of a package. */
const importsOf = (name: string): Import[] =>
  filesIn(`packages/${name}/src`, /\.c?ts$/).flatMap((path) => {
    const from = relative(sourceOf(name), join(ROOT, path));
    const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, path), 'utf8'));
    const imported = importedFiles.filter(({ fileName }) => fileName.startsWith('.') && !ENTRIES.includes(from));
    return imported.map(({ fileName }) => ({ from, to: join(dirname(from), fileName.replace(/\.(c?)js$/, '.$1ts')) }));
  });

/** The files that import themselves by way of others. */
function filesInCircles(imports: readonly Import[]): string[] {
  const importedBy = new Map<string, string[]>();
  for (const { from, to } of imports) importedBy.set(from, [...(importedBy.get(from) ?? []), to]);
  const reachesItself = (file: string): boolean => {
    const reached = new Set(importedBy.get(file));
    // A set's loop comes to what is added meanwhile.
    for (const each of reached) for (const next of importedBy.get(each) ?? []) reached.add(next);
    return reached.has(file);
  };
  return [...importedBy.keys()].filter(reachesItself);
}

describe.each(Object.entries(FLOORS))('packages/%s/src', (name, floors) => {
  const imports = importsOf(name);
  const floorOf = (path: string): number => floors.indexOf(roomOf(path));
  test('no folder imports from a floor above it, and no files import each other in a circle', () => {
    const rooms = readdirSync(sourceOf(name)).filter((room) => !ENTRIES.includes(room));
    expect([...floors].sort()).toEqual(rooms.sort());
    expect([imports.filter(({ from, to }) => floorOf(to) < floorOf(from)), filesInCircles(imports)]).toEqual([[], []]);
  });

  test('docs/architecture.md, or CONTRIBUTING.md, lists the rooms from top to bottom', () => {
    const map = ['docs/architecture.md', 'CONTRIBUTING.md']
      .flatMap((page) => blocksOf(page))
      .find(({ code }) => code.includes(`packages/${name}/src/\n`))!.code;
    const [, rooms = ''] = map.split(`packages/${name}/src/\n`);
    const listed = [...rooms.split('\n\n')[0]!.matchAll(/^ {2}((?:[\w.-]+(?:\/|\.ts)\s+)+)/gm)].flatMap(
      ([, names = '']) => names.trim().split(/\s+/),
    );
    expect(listed.map((room) => room.replace(/\/$/, ''))).toEqual(floors);
  });
});
