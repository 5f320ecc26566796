/** The options of `@Crud()` and `@CrudAuth()`: what is rewritten in them, and what a person must look at. */
import {
  type CallExpression,
  type Decorator,
  type ImportDeclaration,
  Node,
  type ObjectLiteralExpression,
  SyntaxKind,
  type SourceFile,
} from 'ts-morph';
import type { Edits } from './edits.js';
import { type Classes, readProperties } from './entity-classes.js';
import { guide, oldModule } from './names.js';

const JOIN_OPTIONS = new Set(['alias', 'allow', 'exclude', 'persist', 'eager', 'select', 'required']);

/** What the rest of the project says about its resources. */
export interface Settings {
  /** Whether some data source has a cache. */
  readonly hasCache: boolean;
  /** Whether the global configuration names parameters of paths. */
  readonly hasGlobalParams: boolean;
  readonly classes: Classes;
}

/** Calls of a function by its name: `Crud({ … })`, as a decorator or not. */
export function findCalls(source: SourceFile, name: string): CallExpression[] {
  // Most files do not mention it, so their nodes are not searched.
  if (!source.getFullText().includes(name)) return [];

  return source
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((call) => call.getExpression().getText() === name);
}

/** The value of an option, by its path; undefined if that is not written out. */
export function findOption(options: Node | undefined, ...path: readonly string[]): Node | undefined {
  let at = options;
  for (const name of path) {
    const property = Node.isObjectLiteralExpression(at) ? at.getProperty(name) : undefined;
    at = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
  }

  return at;
}

/** Changes the options of the resources of a file; returns the number of changed texts. */
export function rewriteCrudOptions(source: SourceFile, edits: Edits, settings: Settings): number {
  let count = 0;
  for (const call of findCalls(source, 'Crud')) {
    const [options] = call.getArguments();
    if (!Node.isObjectLiteralExpression(options)) continue;
    const decorators = call.getFirstAncestorByKind(SyntaxKind.ClassDeclaration)?.getDecorators() ?? [];
    const auth = decorators.find((each) => each.getName() === 'CrudAuth')?.getArguments()[0];

    const aliases = listAliases(options);
    const conditions = [findOption(options, 'query', 'sort'), findOption(options, 'query', 'filter')];
    const join = findOption(options, 'query', 'join');
    for (const place of [...conditions, findOption(auth, 'filter'), findOption(auth, 'or')]) {
      if (!place) continue;
      count += namesByPath(place, aliases, edits);
      markRelations(place, join, edits);
    }
    markJoins(join, edits);
    markPersist(
      Node.isObjectLiteralExpression(auth) ? auth.getProperty('persist') : undefined,
      readKeys(options, settings),
      edits,
    );
    markCache(options, edits, settings);
    if (!settings.hasGlobalParams) markParams(options, call, decorators, edits);
  }

  for (const call of findCalls(source, 'CrudConfigService.load')) {
    markCache(call.getArguments()[0], edits, settings);
    if (isLate(call)) {
      edits.mark(
        call,
        'upstream had read its controllers by then; now this holds for them',
        guide('migration-code.md#at-the-start'),
      );
    }
  }

  return count;
}

function markCache(options: Node | undefined, edits: Edits, { hasCache }: Settings): void {
  const cache = findOption(options, 'query', 'cache');
  if (cache && !hasCache)
    edits.mark(cache, 'give the data source cache: true, or drop this option', guide('migration-code.md#at-the-start'));
}

/**
 * Whether a configuration of upstream's is loaded after the imports of modules or controllers, which it did not see.
 */
function isLate(call: CallExpression): boolean {
  const isEarlier = (each: Node) => each.getEnd() < call.getStart();
  const imports = call.getSourceFile().getImportDeclarations();
  const named = (each: ImportDeclaration) => each.getNamedImports().map((name) => name.getName());
  const isOld = (each: ImportDeclaration) => oldModule(each.getModuleSpecifierValue()) !== undefined;
  if (!imports.some((each) => isOld(each) && named(each).includes('CrudConfigService'))) return false;

  return imports.some((each) => isEarlier(each) && /^\.(.*)(module|controller)/i.test(each.getModuleSpecifierValue()));
}

/** Aliases of relations, and the path of each. */
function listAliases(options: ObjectLiteralExpression): Map<string, string> {
  const join = findOption(options, 'query', 'join');
  const aliases = new Map<string, string>();
  if (!Node.isObjectLiteralExpression(join)) return aliases;
  for (const relation of join.getProperties()) {
    if (!Node.isPropertyAssignment(relation)) continue;
    const alias = findOption(relation.getInitializer(), 'alias');
    const path = readLiteral(relation.getNameNode()) ?? relation.getName();
    if (Node.isStringLiteral(alias) && alias.getLiteralValue() !== path) aliases.set(alias.getLiteralValue(), path);
  }

  return aliases;
}

/** `p.name` → `company.projects.name`, where a field is named: as a key, or as the value of `field`. */
function namesByPath(place: Node, aliases: ReadonlyMap<string, string>, edits: Edits): number {
  let count = 0;
  for (const literal of place.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
    const parent = literal.getParent();
    const isName =
      Node.isPropertyAssignment(parent) &&
      (parent.getNameNode() === literal || parent.getName() === 'field' || parent.getName() === "'field'");
    const [alias = '', ...field] = literal.getLiteralValue().split('.');
    const path = aliases.get(alias);
    if (!isName || path === undefined || field.length === 0) continue;
    const quote = literal.getText()[0];
    edits.replace(literal.getStart(), literal.getEnd(), quote + [path, ...field].join('.') + quote);
    count += 1;
  }

  return count;
}

/** A relation as the key of a condition, which TypeORM took for its foreign key. */
function markRelations(place: Node, join: Node | undefined, edits: Edits): void {
  for (const literal of place.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
    const parent = literal.getParent();
    const path = literal.getLiteralValue();
    const isKey = Node.isPropertyAssignment(parent) && parent.getNameNode() === literal && path.includes('.');
    if (!isKey || !listPropertyNames(join).includes(path)) continue;
    edits.mark(
      literal,
      'a condition names a column, not a relation: add the name of its key',
      guide('migration-reads.md#conditions-of-the-application'),
    );
  }
}

/** Options of a join that upstream has not either: those of a service of the application. */
function markJoins(join: Node | undefined, edits: Edits): void {
  if (!Node.isObjectLiteralExpression(join)) return;
  for (const relation of join.getProperties()) {
    const options = Node.isPropertyAssignment(relation) ? relation.getInitializer() : undefined;
    if (!Node.isObjectLiteralExpression(options)) continue;
    for (const option of options.getProperties()) {
      if (Node.isPropertyAssignment(option) && !JOIN_OPTIONS.has(option.getName())) {
        edits.mark(
          option,
          `a join has no option ${option.getName()}: @CrudAuth.relations has conditions on related records`,
          guide('migration-code.md#at-the-start'),
        );
      }
    }
  }
}

/** Properties by which a resource finds its records: those of the path, and the primary columns of its entity. */
function readKeys(options: Node, { classes }: Settings): string[] {
  const params = findOption(options, 'params');
  const primary = listPropertyNames(params)
    .filter((name) => findOption(params, name, 'primary')?.getText() === 'true')
    .map((name) => readLiteral(findOption(params, name, 'field')) ?? name);
  const columns = readProperties(classes, findOption(options, 'model', 'type')?.getText())
    .filter((property) => property.getDecorators().some((each) => /^Primary\w*Column$/.test(each.getName())))
    .map((property) => property.getName());
  const found = [...primary, ...columns];

  return found.length > 0 ? found : ['id'];
}

/**
 * `persist: (user) => user`, which hands the user on to services, and `persist: () => ({ id: 'none' })`, which forbade
 * writes.
 */
function markPersist(persist: Node | undefined, keys: readonly string[], edits: Edits): void {
  if (!persist) return;
  const result = persist.getFirstDescendantByKind(SyntaxKind.ObjectLiteralExpression);
  const key = listPropertyNames(result).find((name) => keys.includes(name));
  if (key !== undefined) {
    edits.mark(
      persist,
      `persist names the key ${key}: each PATCH and PUT of a record with another key is a 400 ` +
        'CRUD_OUT_OF_SCOPE; to forbid writes, use routes.only, routes.exclude or a guard',
      guide('migration-reads.md#conditions-of-the-application'),
    );
  }
  const change = Node.isPropertyAssignment(persist) ? persist.getInitializer() : undefined;
  if (!Node.isArrowFunction(change)) return;
  if (change.getParameters()[0]?.getName() !== change.getBody().getText()) return;
  edits.mark(
    change,
    'handlers and services find these values in the body: read the user from request.auth',
    guide('migration-reads.md#conditions-of-the-application'),
  );
}

function listPropertyNames(object: Node | undefined): string[] {
  return Node.isObjectLiteralExpression(object)
    ? object.getProperties().map((each) => {
        if (Node.isShorthandPropertyAssignment(each)) return each.getName();
        return Node.isPropertyAssignment(each) ? (readLiteral(each.getNameNode()) ?? each.getName()) : '';
      })
    : [];
}

/** A parameter in the path of the controller that `params` does not name stops the start. */
function markParams(
  options: ObjectLiteralExpression,
  call: CallExpression,
  decorators: readonly Decorator[],
  edits: Edits,
): void {
  const argument = decorators.find((each) => each.getName() === 'Controller')?.getArguments()[0];
  const path = readLiteral(findOption(argument, 'path') ?? argument);
  const params = findOption(options, 'params');
  const isPartlyUnknown = (object: Node | undefined) =>
    object !== undefined &&
    (!Node.isObjectLiteralExpression(object) || object.getProperties().some(Node.isSpreadAssignment));
  if (path === undefined || isPartlyUnknown(options) || isPartlyUnknown(params)) return;
  if (options.getProperty('params') && !params) return;

  const named = listPropertyNames(params);
  for (const [, parameter = ''] of path.matchAll(/:(\w+)/g)) {
    if (named.includes(parameter)) continue;
    edits.mark(call, `params must name :${parameter} of the path`, guide('migration-code.md#at-the-start'));
  }
}

function readLiteral(node: Node | undefined): string | undefined {
  return Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node) ? node.getLiteralValue() : undefined;
}
