/** The start line that restores upstream's behaviour: which options a project needs, and where it is added. */
import { posix } from 'node:path';
import { Node, SyntaxKind, type SourceFile } from 'ts-morph';
import { findCalls, findOption } from './crud-options.js';
import type { Edits } from './edits.js';
import { guide } from './names.js';
import { addOptions, buildTree, printOptions, type Wanted } from './option-trees.js';

const GUIDE = guide('migration.md#keep-the-old-behaviour-at-first');
const COMMENT = { what: 'to answer as before, add', link: GUIDE };

/** What the resources of a project need to answer as they did. */
export function wantedOptions(sources: readonly SourceFile[]): Wanted {
  const resources = sources.flatMap((source) => findCalls(source, 'Crud')).map((call) => call.getArguments()[0]);
  const hasRoute = (route: string) => resources.some((options) => !lacksRoute(options, route));
  const hasOption = (name: string) => resources.some((options) => findOption(options, name) !== undefined);
  const isPartlyUnknown = resources.some((options) => !Node.isObjectLiteralExpression(options));
  const reading = [
    { path: ['query', 'unknown'], value: "'ignore'" },
    { path: ['query', 'maxLimit'], value: 'false' },
  ];
  const columns = { path: ['validation', 'columns'], value: "'declared'" };
  // Handlers of one's own read requests without a resource, too.
  if (resources.length === 0) {
    const reads = sources.some((source) => source.getFullText().includes('CrudRequestInterceptor'));

    return reads ? [...reading, columns] : [];
  }

  return [
    ...reading,
    ...(hasRoute('replaceOneBase') ? [{ path: ['routes', 'replaceOneBase', 'merge'], value: 'true' }] : []),
    ...(hasRoute('createManyBase') ? [{ path: ['routes', 'createManyBase', 'maxBulk'], value: 'false' }] : []),
    ...((isPartlyUnknown || hasOption('dto')) && !sources.some(hasWhitelist)
      ? [{ path: ['validation', 'whitelist'], value: 'false' }]
      : []),
    columns,
  ];
}

/** Whether a pipe of the application drops properties, or may: the option would turn that off. */
function hasWhitelist(source: SourceFile): boolean {
  return source.getDescendantsOfKind(SyntaxKind.NewExpression).some((pipe) => {
    const [options] = pipe.getArguments();
    if (!pipe.getExpression().getText().endsWith('ValidationPipe') || !options) return false;
    if (!Node.isObjectLiteralExpression(options)) return true;
    if (options.getProperties().some(Node.isSpreadAssignment)) return true;

    return options.getProperty('whitelist') !== undefined && findOption(options, 'whitelist')?.getText() !== 'false';
  });
}

/** Whether the options of a resource say for certain that it has no such route. */
function lacksRoute(options: Node | undefined, route: string): boolean {
  const texts = (name: string) => {
    const list = findOption(options, 'routes', name);
    return Node.isArrayLiteralExpression(list)
      ? list.getElements().map((each) => each.getText().slice(1, -1))
      : undefined;
  };
  const only = texts('only');

  return (only !== undefined && !only.includes(route)) || (texts('exclude')?.includes(route) ?? false);
}

/**
 * Adds the options to a `CrudConfigService.load()` of the project, or writes one where an application starts; returns
 * the changed files.
 */
export function addStartLine(
  sources: readonly SourceFile[],
  wanted: Wanted,
  getEdits: (source: SourceFile) => Edits,
): SourceFile[] {
  for (const source of sources) {
    const [call] = [...findCalls(source, 'CrudConfigService.load'), ...findCalls(source, 'CrudModule.forRoot')];
    if (!call) continue;
    const [options] = call.getArguments();
    const edits = getEdits(source);
    if (Node.isObjectLiteralExpression(options))
      addOptions(options, buildTree(matchQuotes(wanted, source)), edits, COMMENT);
    else edits.mark(call, `${COMMENT.what} ${printOptions(buildTree(wanted))}`, GUIDE);
    return [source];
  }

  const starts = new Set(sources.flatMap((source) => findStartFile(source, sources) ?? []));
  for (const start of starts) {
    const last = start.getImportDeclarations().at(-1)!;
    const quote = last.getModuleSpecifier().getText()[0]!;
    const text = [
      `import { CrudConfigService } from '@nestwright/crud';`,
      '',
      `// Answers as before; see ${GUIDE}`,
      `CrudConfigService.load(${lines(buildTree(wanted))});`,
    ];
    getEdits(start).appendLines(last, text.join('\n').replaceAll("'", quote));
  }

  return [...starts];
}

const STARTS = ['NestFactory.create', 'NestFactory.createApplicationContext', 'NestFactory.createMicroservice'];

/** The file of the module that a file starts an application with; the file itself if that is not found. */
function findStartFile(source: SourceFile, sources: readonly SourceFile[]): SourceFile | undefined {
  if (source.getImportDeclarations().length === 0 || /\.(spec|test|e2e-spec)\./.test(source.getBaseName()))
    return undefined;
  const [create] = STARTS.flatMap((name) =>
    source.getDescendantsOfKind(SyntaxKind.CallExpression).filter((call) => call.getExpression().getText() === name),
  );
  const module = create?.getArguments()[0]?.getText();
  if (module === undefined) return undefined;
  const specifier = source
    .getImportDeclarations()
    .find((each) => each.getNamedImports().some((named) => named.getName() === module))
    ?.getModuleSpecifierValue();
  if (!specifier?.startsWith('.')) return source;
  const path = posix.join(posix.dirname(source.getFilePath()), specifier).replace(/\.[cm]?js$/, '');
  const files = [path, `${path}/index`].flatMap((base) => EXTENSIONS.map((extension) => base + extension));
  const found = sources.find((each) => files.includes(each.getFilePath()));

  return found && found.getImportDeclarations().length > 0 ? found : source;
}

const EXTENSIONS = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];

/** The options, their texts in the quotes that a file uses for its imports. */
function matchQuotes(wanted: Wanted, source: SourceFile): Wanted {
  const quote = source.getImportDeclarations()[0]?.getModuleSpecifier().getText()[0] ?? "'";

  return wanted.map(({ path, value }) => ({ path, value: value.replaceAll("'", quote) }));
}

/** An object literal: its first level on lines of its own. */
function lines(tree: ReturnType<typeof buildTree>): string {
  return `{\n${Object.entries(tree)
    .map(([name, value]) => `  ${name}: ${printOptions(value)},\n`)
    .join('')}}`;
}
