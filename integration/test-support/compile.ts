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
export function mistakesUnder(changed: ts.CompilerOptions, ...files: readonly string[]): string[] {
  const options = { ...optionsOf(), ...changed };
  return mistakesOf(files, ts.createCompilerHost(options), options);
}

/**
 * The mistakes in a piece of code, as {@link mistakesUnder} tells them.
 *
 * @param file Where the code would stand, for its imports; nothing is written there.
 */
export function mistakesInCode(file: string, code: string): string[] {
  return mistakesOf([file], hostWith(file, code));
}

/** The lines behind a piece of code that have mistakes, with other options of the compiler; and what is wrong in that code itself. */
export function linesWithMistakes(
  file: string,
  before: string,
  lines: readonly string[],
  changed: ts.CompilerOptions = {},
): string[] {
  const options = { ...optionsOf(), ...changed };
  const code = before.trim().replaceAll('\n', ' ');
  const mistakes = mistakesOf([file], hostWith(file, [code, ...lines].join('\n')), options);
  const placeOf = (mistake: string) => Number(/:(\d+) /.exec(mistake)?.[1]) - 2;

  return [...new Set(mistakes.map((mistake) => lines[placeOf(mistake)] ?? mistake))];
}

/** How many types the compiler makes of generic ones to check a piece of code: its work, whatever the machine. */
export function instantiationsIn(file: string, code: string): number {
  const program = ts.createProgram([file], optionsOf(), hostWith(file, code));
  ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  return program.getInstantiationCount();
}

/** A host that has a piece of code where a file would stand. */
function hostWith(file: string, code: string): ts.CompilerHost {
  const host = ts.createCompilerHost(optionsOf());
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.getSourceFile = (name, language, ...rest) =>
    name === file ? ts.createSourceFile(name, code, language) : getSourceFile.call(host, name, language, ...rest);
  return host;
}

function mistakesOf(files: readonly string[], host: ts.CompilerHost, options = optionsOf()): string[] {
  const program = ts.createProgram(files, options, host);
  return files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map(show));
}

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

function show({ file, start = 0, messageText }: ts.Diagnostic): string {
  const place = file ? `${relative(ROOT, file.fileName)}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
  return place + ts.flattenDiagnosticMessageText(messageText, '\n');
}
