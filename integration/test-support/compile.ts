/** Compiles source files with the workspace's options, and tells the errors and the names that an editor offers. */
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The checks that `nest new` of Nest 11 turns on, in place of `strict`. */
export const NEST_11_CHECKS: ts.CompilerOptions = {
  strict: false,
  strictNullChecks: true,
  noImplicitAny: false,
  strictBindCallApply: false,
  noUncheckedIndexedAccess: false,
  noImplicitOverride: false,
};

/**
 * The mistakes in files, `<file>:<line> <message>`. A `@ts-expect-error` above a line that compiles is one.
 *
 * @param changed Options of the compiler beside the workspace's.
 */
export const mistakesUnder = (changed: ts.CompilerOptions, ...files: readonly string[]): string[] =>
  mistakesOf(files, programOf(files, new Map(), changed));

/**
 * The mistakes in a piece of code, as {@link mistakesUnder} tells them.
 *
 * @param file Where the code would stand, for its imports; nothing is written there.
 */
export const mistakesInCode = (file: string, code: string, changed: ts.CompilerOptions = {}): string[] =>
  mistakesOf([file], programOf([file], new Map([[file, code]]), changed));

/** The lines behind a piece of code that have mistakes, with other options of the compiler; and what is wrong in that code itself. */
export function linesWithMistakes(
  file: string,
  before: string,
  lines: readonly string[],
  changed: ts.CompilerOptions = {},
): string[] {
  const code = [before.trim().replaceAll('\n', ' '), ...lines].join('\n');
  const placeOf = (mistake: string) => Number(/:(\d+) /.exec(mistake)?.[1]) - 2;
  return [...new Set(mistakesInCode(file, code, changed).map((mistake) => lines[placeOf(mistake)] ?? mistake))];
}

/** How many types the compiler makes of generic ones to check a piece of code: its work, whatever the machine. */
export function instantiationsIn(file: string, code: string): number {
  const program = programOf([file], new Map([[file, code]]));
  ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  return program.getInstantiationCount();
}

/** A program of the workspace, some of whose files, by their paths, are not on disk. */
export function programOf(
  rootNames: readonly string[],
  files: ReadonlyMap<string, string>,
  changed: ts.CompilerOptions = {},
): ts.Program {
  const options = { ...optionsOf(), ...changed };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile, directoryExists } = host;
  host.directoryExists = (folder) =>
    [...files.keys()].some((file) => file.startsWith(`${folder}/`)) || directoryExists?.call(host, folder) === true;
  host.fileExists = (file) => files.has(file) || fileExists.call(host, file);
  host.readFile = (file) => files.get(file) ?? readFile.call(host, file);
  host.getSourceFile = (file, language, ...rest) => {
    const code = files.get(file);
    const isOnDisk = code === undefined;
    return isOnDisk ? getSourceFile.call(host, file, language, ...rest) : ts.createSourceFile(file, code, language);
  };
  return ts.createProgram(rootNames, options, host);
}

/** The mistakes in some files of a program, which are told by their paths from the root unless said otherwise. */
export const mistakesOf = (
  files: readonly string[],
  program: ts.Program,
  nameOf = (file: string) => relative(ROOT, file),
) =>
  files
    .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
    .map(({ file, start = 0, messageText }) => {
      const place = file ? `${nameOf(file.fileName)}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
      return place + ts.flattenDiagnosticMessageText(messageText, '\n');
    });

/**
 * The names that an editor offers in pieces of code, which stand in one file after each other.
 *
 * @param file Where the code would stand, for its imports; nothing is written there.
 * @param pieces Code with `▮` where the cursor is; a list for each.
 */
export function completionsAt(file: string, ...pieces: readonly string[]): string[][] {
  const text = pieces.join('\n');
  const code = text.replaceAll('▮', '');
  const cursors = Array.from(text.matchAll(/▮/g), ({ index }, before) => index - before);
  const service = ts.createLanguageService({
    getCompilationSettings: optionsOf,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '0',
    getScriptSnapshot: (name) => {
      const found = name === file ? code : ts.sys.readFile(name);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? code : ts.sys.readFile(name)),
  });
  return cursors.map((cursor) => {
    const completions = service.getCompletionsAtPosition(file, cursor, undefined);
    return (completions?.entries ?? []).map(({ name }) => name.replace(/^"(.*)"$/, '$1'));
  });
}

function optionsOf(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile) as { config: object };
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT).options;
}
