/** Writes a new application into an empty folder. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Choices } from './choices.js';
import { filesOf } from './templates/files.js';

/**
 * Writes the files of an application.
 *
 * @returns Their paths.
 * @throws Error if the folder is not empty, or its name cannot be that of a package
 */
export async function createApplication(folder: string, choices: Choices): Promise<string[]> {
  const path = resolve(folder);
  const name = basename(path).toLowerCase();
  if (!/^[a-z\d][a-z\d._-]*$/.test(name)) throw new Error(`${basename(path)} cannot be the name of a package`);
  const there = await readdir(path).catch(() => []);
  if (there.length > 0) throw new Error(`${folder} is not empty`);

  const files = filesOf(name, choices);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(join(path, file), text);
  }

  return Object.keys(files);
}
