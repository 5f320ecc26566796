/**
 * Documentation tells what there is: every TypeScript block compiles against the sources, every link leads somewhere, the reference names the options, and
 * whoever imports a name reads in the editor what it means.
 *
 * A block is compiled as if it were a file in `pretend/`, beside what it may import from the application that it pretends to be part of (`./user.entity.js`).
 * A page whose blocks begin with a path (`// src/main.ts`) is an application of its own, whose files import each other. A block that the page cannot make
 * whole says so behind its language: `ts part` is not compiled.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { mistakesOf, programOf } from '../../integration/test-support/compile.js';
import { type Block, blocksOf, DOCUMENTS, leads, linksOf, namesIn, ROOT, sectionsOf } from './markdown.js';
import { ENTRIES } from './packed.js';

const PRETEND = join(ROOT, 'scripts/test/pretend');

/** What blocks import, none of which is there: what examples of the guide run with as tests, by the files of packages that have it. */
const IN_TESTS = {
  'crud-typeorm/test/guides/tasks': 'broker task.entity',
  'crud-typeorm/test/guides/user.entity': 'company.entity user.entity',
  'crud/test/auth-guide/projects': 'projects',
};
/** What other blocks show, by its class and the page. */
const SHOWN = {
  'audit.entity': ['Audit', 'docs/hooks.md'],
  'members.service': ['MembersService', 'docs/own-routes.md'],
  'outbox.entity': ['OutboxMessage', 'docs/events.md'],
  'outbox.relay': ['OutboxRelay', 'docs/events.md'],
  'users.controller': ['UsersController', 'docs/own-routes.md'],
  'users.service': ['UsersService', 'docs/services.md'],
} as const;
const OTHERS = {
  // As `nest new` generates them.
  'docs__start.md/src/app.controller': 'export class AppController {}',
  'docs__start.md/src/app.service': 'export class AppService {}',
};

const inTests = Object.entries(IN_TESTS).flatMap(([file, names]) =>
  names.split(' ').map((name) => [name, `export * from '../../../packages/${file}.js';`]),
);
const shown = Object.entries(SHOWN).map(([name, [type, page]]) => {
  const block = blocksOf(page).find(({ code }) => code.includes(`export class ${type} `));
  return [name, block!.code];
});
const IMPORTED = new Map(
  [...inTests, ...shown, ...Object.entries(OTHERS)].map(([name, code = '']) => [join(PRETEND, `${name}.ts`), code]),
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

const ALL = DOCUMENTS.flatMap((document) => blocksOf(document).map((block) => ({ ...block, document })));
const isCompiled = ({ language, info }: Block) => /^(?:ts|typescript)$/.test(language) && info !== 'part';
const OTHER_CODE = ALL.filter((block) => /^(?:[jt]sx?|html)$/.test(block.language) && !isCompiled(block));

/** Files to compile, by document and line: as many lines before a block as in the document, so that an error tells the line there. */
const BLOCKS = new Map(
  ALL.filter(isCompiled).map(
    ({ document, code, before }) => [blockFile(document, before, code), '\n'.repeat(before) + code] as const,
  ),
);

let program: ts.Program;
beforeAll(() => {
  program = compile();
}, 120_000);

test.each([...new Set([...BLOCKS.keys()].map(documentOf))])('TypeScript blocks: %s', (document) => {
  const files = [...BLOCKS.keys()].filter((file) => documentOf(file) === document);
  expect(mistakesOf(files, program, documentOf)).toEqual([]);
});

test('blocks that are not compiled import what the packages export', () => {
  const imports = OTHER_CODE.flatMap(({ document, code }) =>
    [...code.matchAll(/import (?:type )?\{([^}]*)\} from '@nestwright\/([\w-]+)'/g)].flatMap(
      ([, names = '', from = '']) =>
        names.split(',').map((name) => ({ document, from, name: name.replace(/\btype | as .*/g, '').trim() })),
    ),
  ).filter(({ name }) => name !== '');
  const isExported = ({ from, name }: (typeof imports)[number]) =>
    exportsOf(from).some((exported) => exported.name === name);
  expect(imports.length).toBeGreaterThan(3);
  expect(imports.filter((each) => !isExported(each))).toEqual([]);
});

test('blocks that are not compiled parse; those in other languages are output, drawings, or sent as requests', () => {
  const reportDiagnostics = true;
  const compilerOptions = { jsx: ts.JsxEmit.Preserve, allowJs: true, target: ts.ScriptTarget.ES2022 };
  const mistakes = OTHER_CODE.flatMap(({ document, before, language, info, code: text }) => {
    const code = /<script type="module">([\s\S]*?)<\/script>/.exec(text)?.[1] ?? text;
    // A part of a page may be members of a class, or its decorators.
    const wholes = info === 'part' ? [code, `class Part {${code}}`, `${code} class Part {}`] : [code];
    const fileName = `block.${language.replace('html', 'js')}`;
    const found = wholes.map((whole) => ts.transpileModule(whole, { fileName, reportDiagnostics, compilerOptions }));
    return found.some(({ diagnostics }) => diagnostics!.length === 0) ? [] : [`${document}:${before}`];
  });
  expect([OTHER_CODE.length > 10, mistakes]).toEqual([true, []]);
  for (const { language, code } of ALL) {
    if (language === 'json') expect(() => JSON.parse(code) as unknown).not.toThrow();
    else if (language === 'sh') expect(spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' }).stderr).toBe('');
    else expect(language).toMatch(/^(|typescript|[jt]sx?|html|text|ebnf|sql|http|diff|yaml|md)$/);
  }
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

  test('is exported by one entry of a package', () => {
    const [own, adapter] = ['crud', 'crud/adapter'].map((entry) => exportsOf(entry).map(({ name }) => name));
    expect(adapter!.filter((name) => own!.includes(name))).toEqual([]);
  });

  test('says, where it is an option, what holds without it', () => {
    const options = names.filter(({ option }) => option);
    expect(options.length).toBeGreaterThan(100);
    expect(options.filter(({ comment }) => !/\bDefault:\s/.test(comment)).map(({ name }) => name)).toEqual([]);
  });
});

test.each<[page: string, part: RegExp, least: number]>([
  ['docs/where-is.md', /^[\s\S]*?\n## /, 20],
  ['CONTRIBUTING.md', /## Four changes, step by step[\s\S]*?\n## /, 25],
])('%s leads to files that are there', (page, part, least) => {
  const [text] = part.exec(readFileSync(join(ROOT, page), 'utf8'))!;
  const named = [...text.matchAll(/`([\w-]+\/[\w./-]+)`/g)].map(([, path = '']) => path);
  const placeOf = (path: string) =>
    /^(docs|packages|scripts)/.test(path) ? path : join('packages', path.replace('/', '/src/'));
  expect(named.length).toBeGreaterThan(least);
  expect(named.filter((path) => !existsSync(join(ROOT, placeOf(path))))).toEqual([]);
});

const guide = DOCUMENTS.filter((document) => /^docs\/[\w-]+\.md$/.test(document));

// `npm run bench` writes the page of figures; a request is one line, whatever its query, and so is a command that is copied.
test.each(guide)('%s has at most 1,800 words, and code of 100 columns', (page) => {
  const words = readFileSync(join(ROOT, page), 'utf8').trim().split(/\s+/).length;
  expect(page === 'docs/performance-figures.md' ? 0 : words).toBeLessThanOrEqual(1_800);
  const wide = blocksOf(page)
    .filter(({ language }) => /^(?:ts|tsx|typescript|json|http)$/.test(language))
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => line.length > 100 && !/^(?:GET|POST|PUT|PATCH|DELETE) |^[\w-]+: /.test(line));
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
function compile(): ts.Program {
  const files = new Map([...IMPORTED, ...BLOCKS]);
  // Files of a page whose imports have no ending are CommonJS.
  for (const document of DOCUMENTS.filter(hasFiles)) {
    const isCommonJs = !/ from '\.[^']*\.js'/.test(readFileSync(join(ROOT, document), 'utf8'));
    files.set(join(filesOf(document), 'package.json'), isCommonJs ? '{}' : '{"type":"module"}');
  }
  // An example may end where its result has a name; and each is a module, whatever it imports.
  const changed = { noUnusedLocals: false, moduleDetection: ts.ModuleDetectionKind.Force };
  return programOf([...BLOCKS.keys(), ...NAMES.map(entryOf)], files, changed);
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

/** Members of a class, an interface, an enumeration or an object type that a package declares, but for private ones and the tags of unions. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  const isMerged = (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Enum)) !== 0;
  const type = program.getTypeChecker().getDeclaredTypeOfSymbol(symbol);
  return [
    ...(type.isUnion() ? [] : type.getProperties()),
    ...(isMerged ? (symbol.exports?.values() ?? []) : []),
  ].filter(
    ({ name, declarations: [declaration] = [] }) =>
      declaration?.getSourceFile().fileName.startsWith(join(ROOT, 'packages')) === true &&
      !/^(prototype$|kind$|__@|#)/.test(name) &&
      (ts.getCombinedModifierFlags(declaration as ts.Declaration) & ts.ModifierFlags.Private) === 0,
  );
}
