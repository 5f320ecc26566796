/** Changes the files of a project in memory, and lists what a person must look at; nothing is written. */
import { posix } from 'node:path';
import { Project, type PropertyDeclaration, type SourceFile, ts } from 'ts-morph';
import { type AnyClass, classKinds, type Kind } from './class-kinds.js';
import { markClass } from './class-marks.js';
import { extractScript, restoreFilePath } from './components.js';
import { markConditions } from './condition-marks.js';
import { findCalls, findOption, rewriteCrudOptions } from './crud-options.js';
import { Edits, listMarks, type Mark } from './edits.js';
import { findClasses } from './entity-classes.js';
import { addFormats } from './formats.js';
import { chooseSections } from './guide-sections.js';
import { rewriteImports } from './imports.js';
import { markEntities } from './entity-marks.js';
import { markUsages } from './usage-marks.js';
import { findOldPackage } from './names.js';
import { addSwagger, hasOldPackage, hasPart, type Manifest, readManifest, rewriteManifest } from './package-json.js';
import type { ProjectFiles } from './project-files.js';
import { findUnfitVersions } from './unfit-versions.js';
import { addStartLine, wantedOptions } from './start-line.js';

const SWAGGER = '@nestjs/swagger';

export interface Change {
  readonly before: string;
  readonly after: string;
  /** What was done, in a few words. */
  readonly what: readonly string[];
}

export interface Migration {
  /** By path. */
  readonly changes: ReadonlyMap<string, Change>;
  readonly marks: readonly Mark[];
  /** What a person must do, other than the marks in sources. */
  readonly notes: readonly string[];
  /** Versions of other packages that nestwright does not work with. */
  readonly unfit: readonly string[];
  /** Titles of the sections of the guide that concern the project. */
  readonly sections: readonly string[];
  /** Files that cannot be read: nothing may be written then. */
  readonly errors: readonly string[];
}

/** @param version Version of the packages that a project gets. */
export function migrate(files: ProjectFiles, version: string): Migration {
  return new Migrator(files, version).run();
}

class Migrator {
  readonly #changes = new Map<string, Change>();
  readonly #notes: string[] = [];
  readonly #errors: string[] = [];
  readonly #manifests = new Map<string, Manifest>();
  /** Those of packages whose sources import it. */
  readonly #withSwagger = new Set<Manifest>();
  readonly #edits = new Map<SourceFile, Edits>();
  readonly #what = new Map<SourceFile, Set<string>>();
  readonly #project = new Project({ useInMemoryFileSystem: true });

  constructor(
    readonly files: ProjectFiles,
    readonly version: string,
  ) {}

  run(): Migration {
    this.#readManifests();
    const isOld =
      [...this.#manifests.values()].some(hasOldPackage) || [...this.files.sources.values()].some(namesOldPackage);
    if (isOld && this.#errors.length === 0) {
      this.#changeSources();
      this.#changeManifests();
      this.#noteRest();
    }
    const marks = [...this.#changes].flatMap(([path, { after }]) => listMarks(path, after));

    return {
      changes: this.#changes,
      marks,
      notes: this.#notes,
      unfit: this.#findUnfit(),
      sections: chooseSections(this.files),
      errors: this.#errors,
    };
  }

  #findUnfit(): string[] {
    return [...this.#manifests]
      .filter(([, manifest]) => hasOldPackage(manifest))
      .flatMap(([path, manifest]) =>
        findUnfitVersions(manifest, this.files.installed.get(path)).map((line) => `${path}: ${line}`),
      );
  }

  #readManifests(): void {
    for (const [path, text] of this.files.manifests) {
      const manifest = readManifest(text);
      if (typeof manifest === 'string') this.#errors.push(`${path} cannot be read: ${manifest}`);
      else this.#manifests.set(path, manifest);
    }
  }

  #changeSources(): void {
    const sources = [...this.files.sources].map(([path, whole]) => {
      const { path: own, text } = extractScript(path, whole.slice(readByteOrderMark(whole).length));
      return this.#project.createSourceFile(`/${own}`, text);
    });
    const readable = sources.filter((source) => {
      const mistake = syntaxError(source);
      // A file that does not name upstream need not be valid.
      if (mistake !== undefined && namesOldPackage(source.getFullText()))
        this.#errors.push(`${readFilePath(source)} cannot be read: ${mistake}`);
      return mistake === undefined;
    });
    let moved = 0;
    for (const source of readable.filter((each) => namesOldPackage(each.getFullText()))) {
      const count = rewriteImports(source, this.#getEdits(source), {
        typesFrom: this.#has(source, 'crud') ? '@nestwright/crud' : '@nestwright/crud-request',
      });
      const manifest = this.#findManifest(source);
      if (manifest && this.#getEdits(source).result().includes(SWAGGER)) this.#withSwagger.add(manifest);
      if (count > 0) this.#record(source, 'imports');
      moved += count;
    }
    this.#markSources(readable);
    if (moved > 0) this.#addStart(readable);

    for (const [source, edits] of this.#edits) this.#finish(source, edits.result());
  }

  #markSources(sources: readonly SourceFile[]): void {
    const classes = findClasses(sources);
    const settings = {
      classes,
      hasCache: sources.some(hasCache),
      hasGlobalParams: sources.some((source) =>
        findCalls(source, 'CrudConfigService.load').some((call) => findOption(call.getArguments()[0], 'params')),
      ),
    };
    const formats = new Set<PropertyDeclaration>();
    const kinds = classKinds(sources);
    for (const source of sources) {
      const edits = this.#getEdits(source);
      if (rewriteCrudOptions(source, edits, settings) > 0) this.#record(source, 'relations by path');
      const formatted = addFormats(source, classes, edits);
      if (formatted.length > 0) this.#record(source, 'formats');
      formatted.forEach((property) => formats.add(property));
      markConditions(source, edits);
      markUsages(source, edits);
    }
    for (const source of sources) markEntities(source, this.#getEdits(source), formats);
    for (const [each, kind] of kinds) this.#markClass(each, kind);
  }

  #markClass(each: AnyClass, kind: Kind): void {
    const source = each.getSourceFile();
    const versions = (this.#findManifest(source)?.['dependencies'] ?? {}) as Record<string, string>;
    markClass(each, kind, this.#getEdits(source), /^\D*0\.2\b/.test(versions['typeorm'] ?? ''));
  }

  #addStart(sources: readonly SourceFile[]): void {
    const wanted = wantedOptions(sources);
    if (wanted.length === 0) return;
    const starts = addStartLine(
      sources.filter((source) => this.#has(source, 'crud')),
      wanted,
      (source) => this.#getEdits(source),
    );
    for (const source of starts) this.#record(source, 'start line');
    if (starts.length === 0)
      this.#notes.push('No file was found that starts the application: the start line of the guide is yours to add.');
  }

  #finish(source: SourceFile, after: string): void {
    const before = this.#readText(source);
    if (after === before) return;
    const path = readFilePath(source);
    const known = new Set(listMarks(path, before).map(({ text }) => text));
    const marks = listMarks(path, after).filter(({ text }) => !known.has(text)).length;
    const what = [...(this.#what.get(source) ?? []), ...(marks > 0 ? ['comments'] : [])];
    const read = this.files.sources.get(path)!;
    this.#changes.set(path, { before: read, after: readByteOrderMark(read) + after, what });
  }

  #changeManifests(): void {
    for (const [path, manifest] of this.#manifests) {
      const before = this.files.manifests.get(path)!;
      const moved = rewriteManifest(before, manifest, `^${this.version}`);
      const text = this.#withSwagger.has(manifest) && !this.#knowsSwagger(path) ? addSwagger(moved, manifest) : moved;
      if (text !== before) this.#changes.set(path, { before, after: text, what: ['dependencies'] });
      if (hasOldPackage(manifest) && !hasPart(manifest, 'crud') && hasPart(manifest, 'crud-request')) {
        this.#notes.push(
          `${path}: where its server still runs upstream, tell the query builder to print as before: ` +
            "setOptions({ arrayFormat: 'indices', paramNamesMap: { includeDeleted: 'include_deleted' } })",
        );
      }
    }
  }

  /** Whether a package, or one around it, has Swagger. */
  #knowsSwagger(path: string): boolean {
    return [...this.#manifests].some(
      ([other, manifest]) =>
        path.startsWith(other.replace(/package\.json$/, '')) && JSON.stringify(manifest).includes(`"${SWAGGER}"`),
    );
  }

  /** Notes where an old package is still named. */
  #noteRest(): void {
    const all = [...this.files.sources, ...this.files.manifests, ...this.files.others];
    for (const [path, before] of all) {
      const lines = (this.#changes.get(path)?.after ?? before).split('\n');
      lines.forEach((line, at) => {
        const name = findOldPackage(line);
        if (name !== undefined && !/nestwright:/.test(lines[at - 1] ?? ''))
          this.#notes.push(`${path}:${at + 1} still names ${name}`);
      });
    }
  }

  #has(source: SourceFile, part: string): boolean {
    const manifest = this.#findManifest(source);

    return manifest !== undefined && hasPart(manifest, part);
  }

  /** The nearest package.json above a file that has dependencies. */
  #findManifest(source: SourceFile): Manifest | undefined {
    for (let at = posix.dirname(source.getFilePath()); ; at = posix.dirname(at)) {
      const manifest = this.#manifests.get(posix.join(at, 'package.json').slice(1));
      if (manifest?.['dependencies'] !== undefined || at === '/') return manifest;
    }
  }

  #getEdits(source: SourceFile): Edits {
    const edits = this.#edits.get(source) ?? new Edits(source, this.#readText(source));
    this.#edits.set(source, edits);

    return edits;
  }

  /** The text of the file behind a source. */
  #readText(source: SourceFile): string {
    const text = this.files.sources.get(readFilePath(source))!;

    return text.slice(readByteOrderMark(text).length);
  }

  #record(source: SourceFile, what: string): void {
    this.#what.set(source, (this.#what.get(source) ?? new Set()).add(what));
  }
}

function namesOldPackage(text: string): boolean {
  return findOldPackage(text) !== undefined || text.includes('NESTJSX_PARSED_CRUD_REQUEST_KEY');
}

/** Whether a file seems to give a data source of TypeORM the option `cache`. */
function hasCache(source: SourceFile): boolean {
  const text = source.getFullText();

  return (
    /\bDataSource|\bTypeOrmModule|\bcreateConnection/.test(text) && /\bcache\s*:/.test(text) && !/\bCrud\(/.test(text)
  );
}

/** The first syntax error of a file, which the parser leaves on the tree; the public API would need a whole program. */
function syntaxError(source: SourceFile): string | undefined {
  const { parseDiagnostics } = source.compilerNode as unknown as {
    parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  };
  const [first] = parseDiagnostics;
  if (!first) return undefined;
  const { line } = source.getLineAndColumnAtPos(first.start);

  return `line ${line}: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}`;
}

function readFilePath(source: SourceFile): string {
  return restoreFilePath(source.getFilePath().slice(1));
}

/** The byte order mark at the start of a file, which the syntax tree does not have. */
function readByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? '\uFEFF' : '';
}
