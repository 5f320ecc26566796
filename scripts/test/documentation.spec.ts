/**
 * Documentation tells what there is: every TypeScript block compiles against the sources, every link leads somewhere, the reference names the options, and
 * whoever imports a name reads in the editor what it means.
 *
 * A block is compiled as if it were a file in `pretend/`, beside what it may import from the application that it pretends to be part of (`./user.entity.js`).
 * A page whose blocks begin with a path (`// src/main.ts`) is an application of its own, whose files import each other. A block that the page cannot make
 * whole says so behind its language: `ts part` is not compiled.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { mistakesOf, programOf } from '../../integration/test-support/compile.js';
import { blocksOf, DOCUMENTS, leads, linksOf, namesIn, ROOT, sectionsOf } from './markdown.js';
import { ENTRIES } from './packed.js';

const PRETEND = join(ROOT, 'scripts/test/pretend');

/** What blocks import, none of which is there: mostly what examples of the guide run with as tests, by their folders. */
const GUIDES = {
  'crud-typeorm/test/hooks-guide': 'audit.entity broker outbox.entity outbox.relay task.entity',
  'crud-typeorm/test/services-guide': 'members.service user.entity users.service',
  'crud-typeorm/test/testing-guide': 'users.controller',
  'crud/test/auth-guide': 'projects',
};
const OTHERS = {
  'company.entity': "export * from './user.entity.js';",
  // As `nest new` generates them.
  'docs__start.md/src/app.controller': 'export class AppController {}',
  'docs__start.md/src/app.service': 'export class AppService {}',
};

const importOf = (folder: string, name: string) => [name, `export * from '../../../packages/${folder}/${name}.js';`];
const inGuides = Object.entries(GUIDES).flatMap(([at, names]) => names.split(' ').map((name) => importOf(at, name)));
const IMPORTED = new Map(
  [...inGuides, ...Object.entries(OTHERS)].map(([name, code = '']) => [join(PRETEND, `${name}.ts`), code]),
);

/** `crud`, `crud/adapter`. */
const NAMES = [...ENTRIES].flatMap(([name, entries]) =>
  Object.keys(entries).map((entry) => (entry === 'index' ? name : `${name}/${entry}`)),
);

/** Types whose members an application may leave out, so that each tells its default. */
const OPTIONS =
  /^(Crud|Model|Dto|Serialize|Join|Query|\w+Route|Routes|CrudRoutes|Operators|OpenApi|Auth|CrudDatabase|RequestQueryBuilder|Write|ClassTransform|Parse)Options$|^(CrudGlobalConfig|OpenApiNaming|ParamOption|QueryLimits|PagingOverride|CreateQueryParams)$/;

/** What stands in rooms that are being rebuilt: to be emptied. */
const WITHOUT = ['JsonText.text', 'NeedsRecords.reason', 'ResultText'];
type Exported = { readonly name: string; readonly symbol: ts.Symbol };

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

test.each([...new Set([...BLOCKS.keys()].map(documentOf))])('TypeScript blocks: %s', (document) => {
  const files = [...BLOCKS.keys()].filter((file) => documentOf(file) === document);
  expect(mistakesOf(files, program, documentOf)).toEqual([]);
});

test('TypeScript blocks: a block that does not compile is told by document and line', () => {
  const file = blockFile('docs/auth.md', 41);
  const code = `${'\n'.repeat(41)}import { Crud } from '@nestwright/crud';\nCrud({});\n`;
  expect(mistakesOf([file], compile(new Map([[file, code]])), documentOf)).toEqual([
    expect.stringMatching(/^docs\/auth\.md:43 .*'model' is missing/s),
  ]);
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
    exportsOf(from).some((exported) => exported.name === name);
  expect(imports.length).toBeGreaterThan(3);
  expect(imports.filter((each) => !isExported(each))).toEqual([]);
});

describe('the reference', () => {
  const sections = sectionsOf('docs/reference/README.md');
  const documented = (heading: string) => namesIn(sections.get(heading) ?? '');
  const keys = (type: string, ...but: string[]) => keysOf(type).filter((key) => !but.includes(key));
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
    expect(documented('`routes`')).toEqual(
      [...keys('CrudRoutesOptions', ...routes), ...every.map((key) => `<route>.${key}`), ...routes.flatMap(own)].sort(),
    );
  });

  test('decorators', () => {
    const decorators = exportsOf('crud').filter(isDecorator);
    const names = decorators.map(({ name }) => name);
    const page = readFileSync(join(ROOT, 'docs/reference/README.md'), 'utf8');
    expect(names).toContain('Crud');
    expect([...page.matchAll(/`@(\w+)\(/g)].map(([, name]) => name)).toEqual(expect.arrayContaining(names));
  });
});

describe('every public name', () => {
  interface Public {
    /** `CrudOptions`, `CrudOptions.model`. */
    readonly name: string;
    readonly comment: string;
    readonly deprecated: boolean;
    /** Whether it is a member of {@link OPTIONS} that may be left out. */
    readonly option: boolean;
  }
  let names: Public[];
  beforeAll(() => {
    const checker = program.getTypeChecker();
    const describe = (name: string, symbol: ts.Symbol, option = false): Public => ({
      name,
      comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      deprecated: symbol.getJsDocTags(checker).some((tag) => tag.name === 'deprecated'),
      option,
    });
    names = NAMES.flatMap(exportsOf).flatMap(({ symbol }) => [
      describe(symbol.name, symbol),
      ...membersOf(symbol).map((one) => {
        const mayBeLeftOut = OPTIONS.test(symbol.name) && (one.flags & ts.SymbolFlags.Optional) !== 0;
        return describe(`${symbol.name}.${one.name}`, one, mayBeLeftOut);
      }),
    ]);
  });

  test('says what it means', () => {
    expect(names.length).toBeGreaterThan(800);
    const silent = names.filter(({ comment, deprecated }) => comment === '' && !deprecated);
    expect(silent.map(({ name }) => name).filter((name) => !WITHOUT.includes(name))).toEqual([]);
  });

  test('says, where it is an option, what holds without it', () => {
    const options = names.filter(({ option }) => option);
    expect(options.length).toBeGreaterThan(100);
    expect(options.filter(({ comment }) => !/\bDefault:\s/.test(comment)).map(({ name }) => name)).toEqual([]);
  });

  test("is deprecated where it is nestjsx/crud's misspelling", () => {
    const misspelt = ['SFiledValues', 'GetMayRouteOptions', 'FEAUTURE_NAME_METADATA'];
    expect(names.filter((each) => each.deprecated).map(({ name }) => name)).toEqual(expect.arrayContaining(misspelt));
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

const guide = DOCUMENTS.filter((document) => /^docs\/[\w-]+\.md$/.test(document));

test('pages of the guide have at most 1,800 words each', () => {
  const wordsOf = (page: string) => readFileSync(join(ROOT, page), 'utf8').trim().split(/\s+/).length;
  const lengths = guide.map((page) => [page, wordsOf(page)] as const);
  // `npm run bench` writes the page of figures.
  expect(lengths.filter(([page, words]) => words > 1_800 && page !== 'docs/performance-figures.md')).toEqual([]);
});

// A request is one line, whatever its query; and so is a command that is copied.
test.each(guide)('pages of the guide %s: code has at most 100 columns', (page) => {
  const wide = blocksOf(page)
    .filter(({ language }) => /^(?:ts|tsx|typescript|json|http)$/.test(language))
    .flatMap(({ code, before }) => code.split('\n').map((line, index) => ({ line, at: before + index + 1 })))
    .filter(({ line }) => line.length > 100 && !/^(?:GET|POST|PUT|PATCH|DELETE) |^[\w-]+: /.test(line));
  expect(wide).toEqual([]);
});

test.each(DOCUMENTS)('links %s', (document) =>
  expect(linksOf(document).filter((link) => !leads(document, link))).toEqual([]),
);

test('a link that leads nowhere is told', () => {
  const missing = ['no-such.md', 'services.md#no-such', '#no-such'];
  const there = ['services.md', './services.md#verbs', '#roles', '../packages/crud', 'https://example.com/x'];
  expect([...there, ...missing].filter((link) => !leads('docs/auth.md', link))).toEqual(missing);
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
  const files = new Map([...IMPORTED, ...blocks]);
  // Files of a page whose imports have no ending are CommonJS.
  for (const document of DOCUMENTS.filter(hasFiles)) {
    const isCommonJs = !/ from '\.[^']*\.js'/.test(readFileSync(join(ROOT, document), 'utf8'));
    files.set(join(filesOf(document), 'package.json'), isCommonJs ? '{}' : '{"type":"module"}');
  }
  // An example may end where its result has a name; and each is a module, whatever it imports.
  const changed = { noUnusedLocals: false, moduleDetection: ts.ModuleDetectionKind.Force };
  return programOf([...blocks.keys(), ...NAMES.map(entryOf)], files, changed);
}

/** The source of an entry: of a package, `crud`, or beside its index, `crud/adapter`. */
function entryOf(name: string): string {
  const [folder, file = 'index'] = name.split('/');
  return join(ROOT, `packages/${folder}/src/${file}.ts`);
}

/** What an entry exports, each as it is declared. */
function exportsOf(name: string): Exported[] {
  const checker = program.getTypeChecker();
  return checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entryOf(name))!)!)
    .map((symbol) => ({
      name: symbol.name,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }));
}

/** Names of the properties of an exported type; of one with names of the application's own, those of what stands under them. */
function keysOf(name: string): string[] {
  const exported = NAMES.flatMap(exportsOf).find((each) => each.name === name);
  if (!exported) throw new Error(`No package exports ${name}`);
  const type = program.getTypeChecker().getDeclaredTypeOfSymbol(exported.symbol);
  return (type.getStringIndexType() ?? type).getProperties().map(({ name: key }) => key);
}

/** Whether an export is called as a decorator: a function that gives a decorator, or a parameter's. */
function isDecorator({ symbol }: Exported): boolean {
  if (!(symbol.flags & ts.SymbolFlags.Value) || !symbol.valueDeclaration) return false;
  const checker = program.getTypeChecker();
  const signatures = checker.getTypeOfSymbol(symbol).getCallSignatures();
  return signatures.some((signature) => /Decorator/.test(checker.typeToString(signature.getReturnType())));
}

/** Declared members of a class, an interface, an enumeration or an object type, but for private ones and the tags of unions. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  const [declaration] = symbol.declarations ?? [];
  if (!declaration) return [];
  const all = ts.isTypeAliasDeclaration(declaration)
    ? literalsIn(declaration.type).flatMap((literal) => literal.members.map(symbolOf))
    : [...(symbol.members?.values() ?? []), ...(isMerged(symbol) ? (symbol.exports?.values() ?? []) : [])];
  return all.filter((member): member is ts.Symbol => member !== undefined && isPublicMember(member));
}

const isMerged = ({ flags }: ts.Symbol): boolean => (flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Enum)) !== 0;

function literalsIn(type: ts.TypeNode): ts.TypeLiteralNode[] {
  if (ts.isTypeLiteralNode(type)) return [type];
  return ts.isIntersectionTypeNode(type) ? type.types.flatMap(literalsIn) : [];
}

const symbolOf = (member: ts.TypeElement): ts.Symbol | undefined => (member as { symbol?: ts.Symbol }).symbol;

function isPublicMember({ name, flags, declarations: [declaration] = [] }: ts.Symbol): boolean {
  return (
    declaration !== undefined &&
    name !== 'prototype' &&
    (flags & (ts.SymbolFlags.TypeParameter | ts.SymbolFlags.Constructor | ts.SymbolFlags.Signature)) === 0 &&
    (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) === 0 &&
    !(ts.isPropertySignature(declaration) && name === 'kind') &&
    !(
      (ts.isMethodDeclaration(declaration) || ts.isAccessor(declaration) || ts.isPropertyDeclaration(declaration)) &&
      ts.isPrivateIdentifier(declaration.name)
    )
  );
}
