/** Imports, exports and texts that name an old package. */
import { type ImportDeclaration, Node, SyntaxKind, type SourceFile, type StringLiteral } from 'ts-morph';
import type { Edits } from './edits.js';
import { guide, LOST_NAMES, type OldModule, oldModule, type Part } from './names.js';
import { printFunction, UTIL_FUNCTIONS } from './inlined-functions.js';

/** What a file's package.json says. */
export interface PackageContext {
  /** Which package has the types of `@nestjsx/util`: a front end has no `@nestwright/crud`. */
  readonly typesFrom: '@nestwright/crud' | '@nestwright/crud-request';
}

const UTIL_TYPES = ['ClassType', 'ObjectLiteral'];
const OLD_KEY = 'NESTJSX_PARSED_CRUD_REQUEST_KEY';
const NEW_KEY = 'PARSED_CRUD_REQUEST_KEY';

/** One name of an import: `name as alias`. */
interface Specifier {
  readonly name: string;
  readonly alias: string | undefined;
  /** As it is written. */
  readonly text: string;
}

/** Names to import from a package, besides those that a file imports from it already. */
interface Wanted {
  readonly texts: Set<string>;
  /** Imports that bring nothing else, which the new one may replace. */
  readonly replaced: ImportDeclaration[];
}

class Imports {
  /** By `from`, or `type from`. */
  readonly #wanted = new Map<string, Wanted>();
  readonly #definitions = new Set<string>();
  readonly #isTyped: boolean;

  constructor(
    readonly source: SourceFile,
    readonly edits: Edits,
    readonly context: PackageContext,
  ) {
    this.#isTyped = /\.[cm]?tsx?$/.test(source.getFilePath());
  }

  /** Returns the number of changed places. */
  rewrite(): number {
    let count = 0;
    for (const literal of this.source.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
      const value = literal.getLiteralValue();
      const old = oldModule(value);
      if (old) count += this.#rewriteName(literal, old);
      else if (value === OLD_KEY) count += this.#rewriteKey(literal);
    }
    for (const name of this.source.getDescendantsOfKind(SyntaxKind.Identifier))
      if (name.getText() === OLD_KEY) count += this.#rewriteKeyName(name);
    this.#addImports();
    this.#addDefinitions();

    return count;
  }

  #rewriteName(literal: StringLiteral, old: OldModule): number {
    const parent = literal.getParent();
    const mayLoseNames = old.isDeep || old.part === 'util';
    if (mayLoseNames && Node.isImportDeclaration(parent)) return this.#splitImport(parent, old);
    if (mayLoseNames && Node.isExportDeclaration(parent)) {
      const lost = parent.getNamedExports().map((each) => each.getName());
      if (old.part === 'util' || lost.some((name) => LOST_NAMES.has(name))) {
        this.edits.mark(parent, describeLost(lost, old.part), guide('migration.md#change-the-imports-by-hand'));
        return 0;
      }
    }
    if (old.part === 'util') return this.#rewriteRequiredUtil(literal);
    this.#replaceText(literal, `@nestwright/${old.part}`);

    return 1;
  }

  /** An import of which some names may go elsewhere, or nowhere. */
  #splitImport(declaration: ImportDeclaration, old: OldModule): number {
    const target = this.#nameTarget(old);
    const specifiers = declaration.getNamedImports().map((each) => ({
      name: each.getName(),
      alias: each.getAliasNode()?.getText(),
      text: each.getText(),
    }));
    if (declaration.getDefaultImport() || specifiers.length === 0) {
      if (old.part === 'util') {
        this.edits.mark(declaration, describeLost([], old.part), guide('migration-code.md#typescript'));
        return 0;
      }
      this.#replaceText(declaration.getModuleSpecifier(), target);
      return 1;
    }

    // Upstream's hands on what it is given to Swagger's.
    const isSwagger = ({ name }: Specifier) => name === 'ApiProperty';
    const isLost = (each: Specifier) =>
      old.part === 'util'
        ? !UTIL_TYPES.includes(each.name) && !(each.name in UTIL_FUNCTIONS)
        : LOST_NAMES.has(each.name) && !isSwagger(each);
    const lost = specifiers.filter(isLost);
    if (lost.length > 0) {
      const names = lost.map(({ name }) => name);
      this.edits.mark(declaration, describeLost(names, old.part), guide('migration-code.md#query-builder-and-parser'));
    }
    const kept = specifiers.filter((each) => !isLost(each));
    if (kept.length === 0) return 0;

    const type = declaration.isTypeOnly() ? 'type ' : '';
    const nameSource = (each: Specifier) => type + (isSwagger(each) ? '@nestjs/swagger' : target);
    const isFunction = ({ name }: Specifier) => old.part === 'util' && name in UTIL_FUNCTIONS;
    for (const each of kept) {
      if (isFunction(each)) this.#definitions.add(printFunction(each.name, each.alias ?? each.name, this.#isTyped));
      else this.#want(nameSource(each), each.text);
    }
    const [first] = kept.filter((each) => !isFunction(each));
    if (lost.length > 0) {
      const named = declaration.getNamedImports();
      const texts = lost.map(({ text }) => text).join(', ');
      this.edits.replace(named[0]!.getStart(), named.at(-1)!.getEnd(), texts);
    } else if (!first) {
      this.edits.removeLine(declaration);
    } else {
      this.#wanted.get(nameSource(first))!.replaced.push(declaration);
    }

    return 1;
  }

  /** `const { isNil } = require('@nestjsx/util')`. */
  #rewriteRequiredUtil(literal: StringLiteral): number {
    const statement = literal.getFirstAncestorByKind(SyntaxKind.VariableStatement);
    const [declaration, ...others] = statement?.getDeclarations() ?? [];
    const pattern = declaration?.getNameNode();
    const isRequired = declaration?.getInitializer()?.getText() === `require(${literal.getText()})`;
    if (statement && isRequired && others.length === 0 && Node.isObjectBindingPattern(pattern)) {
      const names = pattern
        .getElements()
        .map((each) => ({ name: each.getPropertyNameNode()?.getText() ?? each.getName(), own: each.getName() }));
      if (names.every(({ name }) => name in UTIL_FUNCTIONS)) {
        const lines = names.map(({ name, own }) => printFunction(name, own, this.#isTyped));
        this.edits.replace(statement.getStart(), statement.getEnd(), lines.join('\n'));
        return 1;
      }
    }
    this.edits.mark(literal, describeLost([], 'util'), guide('migration-code.md#typescript'));

    return 0;
  }

  /** The text under which upstream keeps the parsed request on the HTTP request. */
  #rewriteKey(literal: StringLiteral): number {
    if (!this.#canImportKey(literal)) return 0;
    const isName = Node.isPropertyAssignment(literal.getParent()) && literal.getParent().getFirstChild() === literal;
    this.edits.replace(literal.getStart(), literal.getEnd(), isName ? `[${NEW_KEY}]` : NEW_KEY);

    return 1;
  }

  /** The same as the name of a property: `request.NESTJSX_…`, `{ NESTJSX_…?: CrudRequest }`. */
  #rewriteKeyName(name: Node): number {
    if (!this.#canImportKey(name)) return 0;
    const parent = name.getParent();
    const isKey = Node.isBindingElement(parent) && parent.getPropertyNameNode() === name;
    if (Node.isPropertyAccessExpression(parent)) {
      const link = parent.hasQuestionDotToken() ? '?.' : '';
      this.edits.replace(parent.getExpression().getEnd(), name.getEnd(), `${link}[${NEW_KEY}]`);
    } else if (Node.isBindingElement(parent) && !parent.getPropertyNameNode()) {
      this.edits.replace(name.getStart(), name.getEnd(), `[${NEW_KEY}]: ${OLD_KEY}`);
    } else if (Node.isPropertySignature(parent) || Node.isPropertyAssignment(parent) || isKey) {
      this.edits.replace(name.getStart(), name.getEnd(), `[${NEW_KEY}]`);
    } else {
      return 0;
    }

    return 1;
  }

  #canImportKey(place: Node): boolean {
    const isModule = this.source.getImportDeclarations().length > 0;
    if (isModule) {
      this.#want('@nestwright/crud', NEW_KEY);
    } else {
      this.edits.mark(
        place,
        `use ${NEW_KEY} of @nestwright/crud in place of this text`,
        guide('migration-code.md#interceptors'),
      );
    }

    return isModule;
  }

  #nameTarget({ part }: OldModule): string {
    return part === 'util' ? this.context.typesFrom : `@nestwright/${part}`;
  }

  #want(key: string, text: string): void {
    const wanted = this.#wanted.get(key) ?? { texts: new Set<string>(), replaced: [] };
    wanted.texts.add(text);
    this.#wanted.set(key, wanted);
  }

  /** An import whose names all stay, to which others can be added. */
  #importToExtend(target: string, typeOnly: boolean): ImportDeclaration | undefined {
    return this.source.getImportDeclarations().find((each) => {
      const specifier = each.getModuleSpecifierValue();
      const old = oldModule(specifier);
      const becomes = old && !old.isDeep ? `@nestwright/${old.part}` : specifier;

      return becomes === target && each.isTypeOnly() === typeOnly && each.getNamedImports().length > 0;
    });
  }

  #addImports(): void {
    for (const [key, { texts, replaced }] of this.#wanted) {
      const typeOnly = key.startsWith('type ');
      const target = key.replace(/^type /, '');
      const host = this.#importToExtend(target, typeOnly);
      const [place, ...others] = replaced;
      if (host) {
        const names = host.getNamedImports();
        const there = new Set(names.map((each) => each.getText()));
        const between = host.getText().includes('\n') ? ',\n  ' : ', ';
        const missing = [...texts].filter((text) => !there.has(text));
        this.edits.insert(names.at(-1)!.getEnd(), missing.map((text) => between + text).join(''));
        replaced.forEach((each) => this.edits.removeLine(each));
        continue;
      }
      const first = place ?? this.source.getImportDeclarations()[0]!;
      const specifier = quoted(first.getModuleSpecifier(), target);
      const line = `import ${typeOnly ? 'type ' : ''}{ ${[...texts].join(', ')} } from ${specifier}`;
      if (place) this.edits.replace(place.getStart(), place.getModuleSpecifier().getEnd(), line);
      else this.edits.insertLine(first.getStart(), `${line};`);
      others.forEach((each) => this.edits.removeLine(each));
    }
  }

  #addDefinitions(): void {
    if (this.#definitions.size === 0) return;
    const last = this.source.getImportDeclarations().at(-1)!;
    this.edits.appendLines(last, `\n${[...this.#definitions].join('\n')}`);
  }

  #replaceText(literal: Node, text: string): void {
    this.edits.replace(literal.getStart(), literal.getEnd(), quoted(literal, text));
  }
}

/** A text, quoted as another one is. */
function quoted(like: Node, text: string): string {
  const quote = like.getText()[0];

  return `${quote}${text}${quote}`;
}

function describeLost(names: readonly string[], part: Part): string {
  if (part === 'util') {
    const what = names.length > 0 ? names.join(', ') : 'this package';
    return `${what} has no replacement: write the few lines here`;
  }

  return names
    .filter((name) => LOST_NAMES.has(name))
    .map((name) => `${name} is not exported: use ${LOST_NAMES.get(name)}`)
    .join('; ');
}

/** Rewrites what names an old package in a file; returns the number of changed places. */
export function rewriteImports(source: SourceFile, edits: Edits, context: PackageContext): number {
  return new Imports(source, edits, context).rewrite();
}
