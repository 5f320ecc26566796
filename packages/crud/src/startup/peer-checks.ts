import { realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { decoratorStorage } from '../serialization/decorator-storage.js';
import type { CrudResource } from './find-resources.js';
import { loadCsvStringify } from '../nest/csv-stringify.js';

/** Refuses to start if CSV exports are on but csv-stringify cannot be loaded. */
export async function loadsWhatExportsNeed({ definition }: CrudResource): Promise<string[]> {
  if (!definition.options.query.export?.formats.includes('csv') || (await loadCsvStringify())) return [];

  return [
    'query.export.formats has csv, but csv-stringify, which writes it, could not be loaded: install it where @nestwright/crud is installed, or bundle both (docs/bundling.md)',
  ];
}

/** Where modules were loaded from. */
interface LoadedFrom {
  /** The file of class-transformer that this library has; undefined in a bundle. */
  readonly own: string | undefined;
  /** The file that the process was started with. */
  readonly entry: string | undefined;
}

/** Refuses to start if decorators of class-transformer cannot be read, or are kept by another copy of it than the one that is read. */
export function* readsDecorators({ own, entry }: LoadedFrom = loadedFrom()): Generator<string> {
  if (!decoratorStorage())
    yield 'the decorators of class-transformer cannot be read, so that hidden fields would not be known: install class-transformer 0.5.1, or see docs/bundling.md';
  if (own === undefined) return;

  const nest = resolveFrom(entry, '@nestjs/common') ?? resolveFrom(own, '@nestjs/common');
  for (const [name, file] of Object.entries({ 'the application': entry, '@nestjs/common': nest })) {
    const other = resolveFrom(file, 'class-transformer');
    if (other !== undefined && other !== own)
      yield `class-transformer is installed twice, and the decorators of one copy are unknown to the other: @nestwright/crud loads ${own}, ${name} loads ${other}. Install one copy`;
  }
}

function loadedFrom(): LoadedFrom {
  const loaded = Object.values(requireFrom(process.execPath).cache);
  const [, entry] = process.argv;
  // A tool that starts the application is not a part of it.
  const isTool = entry === undefined || !isAbsolute(entry) || entry.includes(`${sep}node_modules${sep}`);

  return {
    own: loaded.find((module) => isClassTransformer(module))?.filename,
    entry: isTool ? undefined : entry,
  };
}

function isClassTransformer(module: NodeJS.Module | undefined): boolean {
  // Reading the exports of other modules might call their getters.
  return (
    module?.filename.endsWith(join('class-transformer', 'cjs', 'index.js')) === true &&
    (module.exports as { plainToInstance?: unknown }).plainToInstance === plainToInstance
  );
}

function resolveFrom(file: string | undefined, name: string): string | undefined {
  try {
    return file === undefined ? undefined : realpathSync(requireFrom(file).resolve(name));
  } catch {
    return undefined;
  }
}

/** The `require` of a file. An imported `createRequire` would be replaced by webpack, with `undefined`. */
function requireFrom(file: string): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(file);
}
