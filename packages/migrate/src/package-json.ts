/** Replaces the old packages in a package.json by their successors. */
import { applyEdits, modify, parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import semver from 'semver';
import { findOldPackage, OLD_PACKAGES } from './names.js';

export interface Manifest {
  readonly [name: string]: unknown;
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Sections that override the dependencies of other packages; entries for old packages are removed. */
const OVERRIDES: string[][] = [['overrides'], ['resolutions'], ['pnpm', 'overrides'], ['peerDependenciesMeta']];

/** Reads a package.json; a text says why it cannot be read. */
export function readManifest(text: string): Manifest | string {
  const errors: ParseError[] = [];
  const manifest: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { disallowComments: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    return `line ${line}: ${printParseErrorCode(first.error)}`;
  }

  return isObject(manifest) ? manifest : 'it is not an object';
}

export function hasOldPackage(manifest: Manifest): boolean {
  return listSections(manifest).some(({ versions }) => Object.keys(versions).some((name) => name in OLD_PACKAGES));
}

/** Whether a package has another one, under its old name or its new one. */
export function hasPart(manifest: Manifest, part: string): boolean {
  const names = listSections(manifest).flatMap(({ versions }) => Object.keys(versions));

  return names.some((name) => name === `@nestwright/${part}` || OLD_PACKAGES[name] === part);
}

/** @param range Version range of the successors: `^1.2.3`. */
export function rewriteManifest(text: string, manifest: Manifest, range: string): string {
  let result = text;
  const set = (path: string[], value: unknown) => {
    result = setValue(result, path, value);
  };

  for (const { section, versions } of listSections(manifest)) {
    for (const name of Object.keys(versions)) {
      const part = OLD_PACKAGES[name];
      if (!part) continue;
      set([section, name], undefined);
      const successor = nameSuccessor(part, manifest);
      if (successor !== undefined && !(successor in versions)) set([section, successor], range);
    }
  }
  for (const path of OVERRIDES) {
    const names = Object.keys(readObject(manifest, path));
    // `@nestjsx/crud`, `@nestjsx/crud>@nestjs/common`, `app/@dataui/crud@5`.
    const old = names.filter(findOldPackage);
    if (old.length > 0 && old.length === names.length) set(path, undefined);
    else for (const name of old) set([...path, name], undefined);
  }

  return result;
}

/** The dependency that `ApiProperty` is imported from, in the version of the application's Nest. */
export function addSwagger(text: string, manifest: Manifest): string {
  const nest = readObject(manifest, ['dependencies'])['@nestjs/common'];
  const isNewer = typeof nest === 'string' && semver.validRange(nest) !== null && !semver.intersects(nest, '<12');

  return setValue(text, ['dependencies', '@nestjs/swagger'], isNewer ? '^12.0.0' : '^11.0.0');
}

/** Sets a value, or removes it; names stay in order. */
function setValue(text: string, path: string[], value: unknown): string {
  const getInsertionIndex = (names: string[]) => {
    const at = names.findIndex((name) => name > path.at(-1)!);
    return at === -1 ? names.length : at;
  };

  return applyEdits(text, modify(text, path, value, { formattingOptions: detectFormatting(text), getInsertionIndex }));
}

/** The types of `@nestjsx/util` come from the other packages; if none of them is there, from crud-request. */
function nameSuccessor(part: string, manifest: Manifest): string | undefined {
  if (part !== 'util') return `@nestwright/${part}`;

  return ['crud', 'crud-request', 'crud-typeorm'].some((other) => hasPart(manifest, other))
    ? undefined
    : '@nestwright/crud-request';
}

interface Section {
  readonly section: string;
  readonly versions: Readonly<Record<string, string>>;
}

export function listSections(manifest: Manifest): Section[] {
  return SECTIONS.map((section) => ({
    section,
    versions: readObject(manifest, [section]) as Record<string, string>,
  }));
}

function readObject(manifest: Manifest, path: readonly string[]): Manifest {
  let at: unknown = manifest;
  for (const name of path) at = isObject(at) ? at[name] : undefined;

  return isObject(at) ? at : {};
}

function detectFormatting(text: string) {
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? [];

  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length };
}

function isObject(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
