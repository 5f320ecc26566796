/** Replaces the old packages in a package.json by their successors. */
import { applyEdits, modify, parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import semver from 'semver';
import { NEEDED_RANGES, OLD_PACKAGES } from './names.js';

export interface Manifest {
  readonly [name: string]: unknown;
}

export interface ManifestChange {
  readonly text: string;
  /** Further changes that the package needs, a line each. */
  readonly notes: readonly string[];
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
  return sectionsOf(manifest).some(({ versions }) => Object.keys(versions).some((name) => name in OLD_PACKAGES));
}

/** Whether a package has another one, under its old name or its new one. */
export function hasPart(manifest: Manifest, part: string): boolean {
  const names = sectionsOf(manifest).flatMap(({ versions }) => Object.keys(versions));

  return names.some((name) => name === `@nestwright/${part}` || OLD_PACKAGES[name] === part);
}

/** @param range Version range of the successors: `^1.2.3`. */
export function rewriteManifest(text: string, manifest: Manifest, range: string): ManifestChange {
  const formattingOptions = formattingOf(text);
  let result = text;
  const set = (path: string[], value: unknown) => {
    const getInsertionIndex = (names: string[]) => {
      const at = names.findIndex((name) => name > path.at(-1)!);
      return at === -1 ? names.length : at;
    };
    result = applyEdits(result, modify(result, path, value, { formattingOptions, getInsertionIndex }));
  };

  for (const { section, versions } of sectionsOf(manifest)) {
    for (const name of Object.keys(versions)) {
      const part = OLD_PACKAGES[name];
      if (!part) continue;
      set([section, name], undefined);
      const successor = successorOf(part, manifest);
      if (successor !== undefined && !(successor in versions)) set([section, successor], range);
    }
  }
  for (const path of OVERRIDES) {
    const names = Object.keys(objectAt(manifest, path));
    const old = names.filter(selectsOldPackage);
    if (old.length > 0 && old.length === names.length) set(path, undefined);
    else for (const name of old) set([...path, name], undefined);
  }

  return { text: result, notes: hasOldPackage(manifest) ? notesOf(manifest) : [] };
}

/** The types of `@nestjsx/util` come from the other packages; if none of them is there, from crud-request. */
function successorOf(part: string, manifest: Manifest): string | undefined {
  if (part !== 'util') return `@nestwright/${part}`;

  return ['crud', 'crud-request', 'crud-typeorm'].some((other) => hasPart(manifest, other))
    ? undefined
    : '@nestwright/crud-request';
}

function notesOf(manifest: Manifest): string[] {
  const notes: string[] = [];
  for (const { section, versions } of sectionsOf(manifest)) {
    for (const [name, needed] of Object.entries(NEEDED_RANGES)) {
      const asked = versions[name];
      if (asked === undefined || semver.validRange(asked) === null || semver.intersects(asked, needed)) continue;
      notes.push(`${section}.${name} is ${asked}, but must be ${needed}`);
    }
  }

  return notes;
}

interface Section {
  readonly section: string;
  readonly versions: Readonly<Record<string, string>>;
}

function sectionsOf(manifest: Manifest): Section[] {
  return SECTIONS.map((section) => ({
    section,
    versions: objectAt(manifest, [section]) as Record<string, string>,
  }));
}

function objectAt(manifest: Manifest, path: readonly string[]): Manifest {
  let at: unknown = manifest;
  for (const name of path) at = isObject(at) ? at[name] : undefined;

  return isObject(at) ? at : {};
}

/** `@nestjsx/crud`, `@nestjsx/crud>@nestjs/common`, `app/@dataui/crud@5`. */
function selectsOldPackage(name: string): boolean {
  return Object.keys(OLD_PACKAGES).some((old) => new RegExp(`(^|[/>])${old}($|[@/>])`).test(name));
}

function formattingOf(text: string) {
  const [, indent = '  '] = /^([^\S\r\n]+)"/m.exec(text) ?? [];

  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function isObject(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
