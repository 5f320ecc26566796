/**
 * Documentation tells what there is: every TypeScript block compiles against the sources, every link leads somewhere, the reference names the options.
 *
 * A block is compiled as if it were a file in `pretend/`, beside what it may import from the application that it pretends to be part of (`./user.entity.js`).
 * A page whose blocks begin with a path (`// src/main.ts`) is an application of its own, whose files import each other. A block that the page cannot make
 * whole says so behind its language: `ts part` is not compiled.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { blocksOf, DOCUMENTS, leads, linksOf, namesIn, ROOT, sectionsOf } from './markdown.js';

const PRETEND = join(ROOT, 'scripts/test/pretend');
const PACKAGES = 'crud-request client react-admin refine crud sql crud-typeorm crud-drizzle crud-memory testing'.split(
  ' ',
);

/** Pages that are figures, which `npm run bench` writes. */
const LONG_PAGES = ['docs/performance-figures.md'];

/** Files to compile, by document and line. */
const BLOCKS = new Map(
  DOCUMENTS.flatMap((document) =>
    blocksOf(document)
      .filter(({ language, info }) => /^(?:ts|typescript)$/.test(language) && info !== 'part')
      // As many lines before it as in the document, so that an error tells the line there.
      .map(({ code, before }) => [blockFile(document, before, code), '\n'.repeat(before) + code] as const),
  ),
);

let program: ts.Program;

beforeAll(() => {
  program = compile(BLOCKS);
}, 120_000);

describe('TypeScript blocks', () => {
  test.each([...new Set([...BLOCKS.keys()].map(documentOf))])('%s', (document) => {
    const files = [...BLOCKS.keys()].filter((file) => documentOf(file) === document);
    const mistakes = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
    expect(mistakes.map(show)).toEqual([]);
  });

  test('a block that does not compile is told by document and line', () => {
    const file = blockFile('docs/auth.md', 41);
    const code = `${'\n'.repeat(41)}import { Crud } from '@nestwright/crud';\nCrud({});\n`;
    const broken = compile(new Map([[file, code]]));
    expect(ts.getPreEmitDiagnostics(broken, broken.getSourceFile(file)).map(show)).toEqual([
      expect.stringMatching(/^docs\/auth\.md:43 .*'model' is missing/),
    ]);
  });
});

test('blocks that are not compiled import what the packages export', () => {
  const imports = DOCUMENTS.flatMap((document) =>
    blocksOf(document)
      .filter(({ language, info }) => /^(?:jsx?|tsx|html)$/.test(language) || info === 'part')
      .flatMap(({ code }) => [...code.matchAll(/import (?:type )?\{([^}]*)\} from '@nestwright\/([\w-]+)'/g)])
      .flatMap(([, names = '', from = '']) =>
        names.split(',').map((name) => ({ document, from, name: name.replace(/\btype | as .*/g, '').trim() })),
      )
      .filter(({ name }) => name !== ''),
  );
  const isExported = ({ from, name }: (typeof imports)[number]) =>
    exportsOf(program, from).some((symbol) => symbol.name === name);

  expect(imports.length).toBeGreaterThan(3);
  expect(imports.filter((each) => !isExported(each))).toEqual([]);
});

describe('the reference', () => {
  const sections = sectionsOf('docs/reference/README.md');
  const documented = (heading: string) => namesIn(sections.get(heading) ?? '');
  const keys = (type: string, ...but: string[]) => membersOf(program, type).filter((key) => !but.includes(key));

  test('@Crud()', () => {
    const nested = { model: 'Model', dto: 'Dto', serialize: 'Serialize', operators: 'Operators', openapi: 'OpenApi' };
    const inner = Object.entries(nested).flatMap(([key, type]) =>
      keys(`${type}Options`).map((name) => `${key}.${name}`),
    );
    expect(documented('`@Crud(options)`')).toEqual([...keys('CrudOptions', ...Object.keys(nested)), ...inner].sort());
  });

  test.each([
    ['`query`', 'QueryOptions'],
    ['`query.join`', 'JoinOption'],
    ['`query.limits`', 'QueryLimits'],
    ['`params`', 'ParamOption'],
    ['`operators.custom`', 'CustomOperators'],
    ['`@CrudAuth(options)`', 'AuthOptions'],
    ['Global configuration', 'CrudGlobalConfig'],
    ['`queryParser`', 'RequestQueryBuilderOptions'],
  ])('%s', (heading, type) => expect(documented(heading)).toEqual(keys(type).sort()));

  test('`routes`', () => {
    const every = keys('BaseRouteOptions');
    const routes = keys('CrudRoutesOptions').filter((key) => key.endsWith('Base'));

    expect(routes).toHaveLength(14);
    const own = (route: string) =>
      keys(`${route[0]!.toUpperCase()}${route.slice(1, -4)}RouteOptions`, ...every).map((key) => `${route}.${key}`);
    const all = [
      ...keys('CrudRoutesOptions', ...routes),
      ...every.map((key) => `<route>.${key}`),
      ...routes.flatMap(own),
    ];
    expect(documented('`routes`')).toEqual(all.sort());
  });

  test('decorators', () => {
    const decorators = exportsOf(program, 'crud').filter(isDecorator(program));
    const names = decorators.map(({ name }) => name);
    const page = readFileSync(join(ROOT, 'docs/reference/README.md'), 'utf8');
    expect(names).toContain('Crud');
    expect([...page.matchAll(/`@(\w+)\(/g)].map(([, name]) => name)).toEqual(expect.arrayContaining(names));
  });
});

test('docs/where-is.md names files that are there', () => {
  const [table = ''] = readFileSync(join(ROOT, 'docs/where-is.md'), 'utf8').split('\n## ');
  const files = [...table.matchAll(/^\|.*\|(.*)\|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(join(ROOT, 'packages', file.replace('/', '/src/'))))).toEqual([]);
});

test('CONTRIBUTING.md leads to files that are there', () => {
  const [, steps = ''] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('## Four changes, step by step');
  const named = [...steps.split('\n## ')[0]!.matchAll(/`([\w-]+\/[\w./-]+)`/g)].map(([, path = '']) => path);
  const placeOf = (path: string) => (/^(crud|sql)/.test(path) ? join('packages', path.replace('/', '/src/')) : path);
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((path) => !existsSync(join(ROOT, placeOf(path))))).toEqual([]);
});

describe('pages of the guide', () => {
  const guide = DOCUMENTS.filter((document) => /^docs\/[\w-]+\.md$/.test(document));

  test('have at most 1,800 words each', () => {
    const wordsOf = (page: string) => readFileSync(join(ROOT, page), 'utf8').trim().split(/\s+/).length;
    const lengths = guide.map((page) => [page, wordsOf(page)] as const);
    expect(lengths.filter(([page, words]) => words > 1_800 && !LONG_PAGES.includes(page))).toEqual([]);
  });

  // A request is one line, whatever its query; and so is a command that is copied.
  test.each(guide)('%s: code has at most 100 columns', (page) => {
    const wide = blocksOf(page)
      .filter(({ language }) => /^(?:ts|tsx|typescript|json|http)$/.test(language))
      .flatMap(({ code, before }) => code.split('\n').map((line, index) => ({ line, at: before + index + 1 })))
      .filter(({ line }) => line.length > 100 && !/^(?:GET|POST|PUT|PATCH|DELETE) |^[\w-]+: /.test(line));
    expect(wide).toEqual([]);
  });
});

describe('links', () => {
  test.each(DOCUMENTS)('%s', (document) =>
    expect(linksOf(document).filter((link) => !leads(document, link))).toEqual([]),
  );

  test('a link that leads nowhere is told', () => {
    const missing = ['no-such.md', 'services.md#no-such', '#no-such'];
    const there = ['services.md', './services.md#verbs', '#roles', '../packages/crud', 'https://example.com/x'];
    expect([...there, ...missing].filter((link) => !leads('docs/auth.md', link))).toEqual(missing);
  });
});

function blockFile(document: string, before: number, code = ''): string {
  const path = /^\/\/ (src\/\S+\.ts)\n/.exec(code)?.[1];
  const home = `${document.replaceAll('/', '__')}.${before}.ts`;
  if (path !== undefined) return join(filesOf(document), path);
  return hasFiles(document) ? join(filesOf(document), 'src', home) : join(PRETEND, home);
}

/** Where the files of a page are that is an application of its own. */
function filesOf(document: string): string {
  return join(PRETEND, document.replaceAll('/', '__'));
}

function hasFiles(document: string): boolean {
  return blocksOf(document).some(({ code }) => code.startsWith('// src/'));
}

function documentOf(file: string): string {
  return relative(PRETEND, file)
    .replace(/(?:\/|\.\d+\.ts$).*/s, '')
    .replaceAll('__', '/');
}

/** One program of all blocks, with the compiler options of the workspace. */
function compile(blocks: ReadonlyMap<string, string>): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: [join(PRETEND, 'user.entity.ts')] },
    ts.sys,
    ROOT,
  );
  // An example may end where its result has a name; and each is a module, whatever it imports.
  const all = { ...options, noUnusedLocals: false, moduleDetection: ts.ModuleDetectionKind.Force };
  const files = new Map(blocks);
  const host = ts.createCompilerHost(all);
  const { fileExists, readFile, getSourceFile, directoryExists } = host;

  // Files of a page whose imports have no ending are CommonJS.
  for (const document of DOCUMENTS.filter(hasFiles)) {
    const isCommonJs = !/ from '\.[^']*\.js'/.test(readFileSync(join(ROOT, document), 'utf8'));
    files.set(join(filesOf(document), 'package.json'), isCommonJs ? '{}' : '{"type":"module"}');
  }

  host.directoryExists = (folder) =>
    [...files.keys()].some((file) => file.startsWith(`${folder}/`)) || directoryExists?.call(host, folder) === true;
  host.fileExists = (file) => files.has(file) || fileExists.call(host, file);
  host.readFile = (file) => files.get(file) ?? readFile.call(host, file);
  host.getSourceFile = (file, version, ...rest) => {
    const code = files.get(file);
    return code === undefined
      ? getSourceFile.call(host, file, version, ...rest)
      : ts.createSourceFile(file, code, version);
  };

  return ts.createProgram({
    rootNames: [...blocks.keys(), ...PACKAGES.map((name) => indexOf(name))],
    options: all,
    host,
  });
}

function show({ file, start = 0, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ');
  return file ? `${documentOf(file.fileName)}:${file.getLineAndCharacterOfPosition(start).line + 1} ${text}` : text;
}

function indexOf(name: string): string {
  return join(ROOT, `packages/${name}/src/index.ts`);
}

function exportsOf(program: ts.Program, name: string): ts.Symbol[] {
  const checker = program.getTypeChecker();
  return checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(indexOf(name))!)!);
}

/** Names of the properties of an exported type; of one with names of the application's own, those of what stands under them. */
function membersOf(program: ts.Program, name: string): string[] {
  const checker = program.getTypeChecker();
  const exported = PACKAGES.flatMap((item) => exportsOf(program, item)).find((symbol) => symbol.name === name);

  if (!exported) throw new Error(`No package exports ${name}`);

  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const type = checker.getDeclaredTypeOfSymbol(symbol);

  return (type.getStringIndexType() ?? type).getProperties().map(({ name: key }) => key);
}

/** Whether an export is called as a decorator: a function that gives a decorator, or a parameter's. */
function isDecorator(program: ts.Program): (symbol: ts.Symbol) => boolean {
  const checker = program.getTypeChecker();

  return (exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    if (!(symbol.flags & ts.SymbolFlags.Value) || !symbol.valueDeclaration) return false;
    return checker
      .getTypeOfSymbol(symbol)
      .getCallSignatures()
      .some((signature) => /Decorator/.test(checker.typeToString(signature.getReturnType())));
  };
}
