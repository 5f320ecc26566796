// Called on its module: webpack would try to resolve calls of an imported `createRequire`, and warn.
import * as nodeModule from 'node:module';

export type PgParser = (text: string) => unknown;

/** `pg.types`: the parsers of the whole process, which an application may replace. */
export interface PgTypes {
  /** The parser of a type, by its number. */
  getTypeParser(type: number, format?: string): PgParser;
}

/** The module in which `pg-types` keeps its default parsers. */
interface TextParsers {
  init(register: (type: number, parser: PgParser) => void): void;
}

const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);
/** No type has this number, so it gets pg's parser for unknown types. */
export const NO_TYPE = -1;

const knownDefaults = new WeakMap<PgTypes, ReadonlyMap<number, PgParser>>();
const jsonParsers = new WeakMap<PgParser, boolean>();

/**
 * Whether the parser of a type is the function that pg itself has for it. `false` if that cannot be determined, as in a
 * bundle.
 */
export function isDefaultParser(types: PgTypes, type: number): boolean {
  const parser = types.getTypeParser(type);
  if (JSON_TYPES.has(type)) return isJsonParse(parser);

  let defaults = knownDefaults.get(types);
  if (!defaults) knownDefaults.set(types, (defaults = defaultParsers(types)));

  // Types that pg has no parser for (numeric) keep their text.
  return parser === (defaults.get(type) ?? (defaults.size > 0 ? types.getTypeParser(NO_TYPE) : undefined));
}

/** The parsers as `pg-types` registers them, from the very copy that pg uses. */
function defaultParsers(types: PgTypes): ReadonlyMap<number, PgParser> {
  const defaults = new Map<number, PgParser>();
  const { cache } = nodeModule.createRequire(`${process.cwd()}/`);
  const module = Object.values(cache ?? {}).find((loaded) => loaded?.exports === types);
  if (!module) return defaults;

  try {
    const { init } = nodeModule.createRequire(module.filename)('./lib/textParsers') as TextParsers;
    init((type, parser) => defaults.set(type, parser));
  } catch {
    // Another version may keep them elsewhere.
    return new Map();
  }

  return defaults;
}

/**
 * Whether a parser is `JSON.parse`. pg binds it anew for each type, so that it cannot be compared; but an error that it
 * throws comes from `JSON.parse` with no function of anybody else's in between.
 */
function isJsonParse(parser: PgParser): boolean {
  let answer = jsonParsers.get(parser);
  if (answer === undefined) jsonParsers.set(parser, (answer = throwsFromJsonParse(parser)));

  return answer;
}

function throwsFromJsonParse(parser: PgParser): boolean {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, frames) => frames;

  try {
    parser('{');
  } catch (error) {
    const [thrower, caller] = (error as { stack?: NodeJS.CallSite[] }).stack ?? [];

    return (
      error instanceof SyntaxError &&
      thrower?.getFunctionName() === 'parse' &&
      !thrower.getFileName() &&
      caller?.getFunctionName() === throwsFromJsonParse.name
    );
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }

  return false;
}
