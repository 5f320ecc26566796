/** The imports of each package lead downwards, from room to room, by value and by type. */
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { FLOORS, UPWARDS } from '../lint/floors.js';
import { blocksOf, ROOT } from './markdown.js';

/** What exports stand in: above all rooms. */
const ENTRIES = ['index.ts', 'adapter.ts'];

interface Import {
  readonly from: string;
  readonly to: string;
  /** The file that imports. */
  readonly file: string;
}

function sourceOf(name: string): string {
  return join(ROOT, `packages/${name}/src`);
}

function roomOf(name: string, path: string): string {
  return relative(sourceOf(name), path).split(sep)[0]!;
}

/** Imports and re-exports between rooms. */
function importsOf(name: string): Import[] {
  return readdirSync(sourceOf(name), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.c?ts$/.test(file) && !ENTRIES.includes(file))
    .flatMap((file) => {
      const path = join(sourceOf(name), file);
      const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'));

      return importedFiles
        .filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => ({
          from: roomOf(name, path),
          to: roomOf(name, join(dirname(path), fileName.replace(/\.(c?)js$/, '.$1ts'))),
          file,
        }));
    })
    .filter(({ from, to }) => from !== to);
}

describe.each(Object.entries(FLOORS))('packages/%s/src', (name, floors) => {
  const upwards = importsOf(name).filter(({ from, to }) => floors.indexOf(to) <= floors.indexOf(from));
  const nameOf = ({ from, to }: Import) => `${name}: ${from} → ${to}`;

  test('every room has its floor', () => {
    const rooms = readdirSync(sourceOf(name)).filter((room) => !ENTRIES.includes(room));

    expect([...floors].sort()).toEqual(rooms.sort());
  });

  test('no room imports from a room above it', () => {
    expect(
      upwards.filter((each) => !(nameOf(each) in UPWARDS)).map((each) => `${nameOf(each)} (${each.file})`),
    ).toEqual([]);
  });

  test('what may still do so does', () => {
    const listed = Object.keys(UPWARDS).filter((each) => each.startsWith(`${name}: `));

    expect(listed).toEqual([...new Set(upwards.map(nameOf))]);
  });

  test('docs/architecture.md lists the rooms from top to bottom', () => {
    const map = blocksOf('docs/architecture.md').find(({ code }) => code.includes('packages/'))!.code;
    const [, rooms = ''] = map.split(`packages/${name}/src/\n`);
    const listed = [...rooms.split('\n\n')[0]!.matchAll(/^ {2}((?:[\w.-]+(?:\/|\.ts)\s+)+)/gm)].flatMap(
      ([, names = '']) => names.trim().split(/\s+/),
    );

    expect(listed.map((room) => room.replace(/\/$/, ''))).toEqual(floors);
  });
});
