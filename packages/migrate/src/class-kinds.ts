/**
 * Which classes of a project are services, routes factories or interceptors, also through base classes and mixins of
 * its own.
 */
import { type ClassDeclaration, type ClassExpression, Node, SyntaxKind, type SourceFile } from 'ts-morph';

export type Kind = 'service' | 'factory' | 'request interceptor' | 'response interceptor';
export type AnyClass = ClassDeclaration | ClassExpression;

const BASES: Readonly<Record<string, Kind>> = {
  TypeOrmCrudService: 'service',
  CrudService: 'service',
  CrudRoutesFactory: 'factory',
  CrudRequestInterceptor: 'request interceptor',
  CrudResponseInterceptor: 'response interceptor',
};

export function listClasses(source: SourceFile): AnyClass[] {
  return [
    ...source.getDescendantsOfKind(SyntaxKind.ClassDeclaration),
    ...source.getDescendantsOfKind(SyntaxKind.ClassExpression),
  ];
}

/**
 * Identifiers in a class's `extends`; if that is a parameter of a mixin, those of the mixin's parameters and their
 * types.
 */
function listBaseNames(each: AnyClass): string[] {
  const expression = each.getExtends()?.getExpression();
  if (!expression) return [];
  const names = listIdentifiers(expression);
  const mixin = each.getFirstAncestor(Node.isParametered);
  if (!mixin?.getParameters().some((parameter) => names.includes(parameter.getName()))) return names;
  const types = Node.isTypeParametered(mixin) ? mixin.getTypeParameters() : [];

  return [...mixin.getParameters(), ...types].flatMap(listIdentifiers);
}

function listIdentifiers(node: Node): string[] {
  const identifiers = node.getDescendantsOfKind(SyntaxKind.Identifier).map((each) => each.getText());

  return Node.isIdentifier(node) ? [node.getText(), ...identifiers] : identifiers;
}

/** Names under which other classes extend a class: its own, and that of the function or variable that makes it. */
function listClassNames(each: AnyClass): string[] {
  const makers = each
    .getAncestors()
    .filter((node) => Node.isFunctionDeclaration(node) || Node.isVariableDeclaration(node))
    .map((node) => node.getName());

  return [each.getName(), ...makers].filter((name) => name !== undefined);
}

/** Classes by what they extend, directly or by others. Names of classes count across files. */
export function classKinds(sources: readonly SourceFile[]): Map<AnyClass, Kind> {
  const heads = sources
    .flatMap(listClasses)
    .map((each) => ({ each, bases: listBaseNames(each), names: listClassNames(each) }));
  const known = new Map<string, Kind>(Object.entries(BASES));
  const kinds = new Map<AnyClass, Kind>();

  for (let before = -1; before !== kinds.size;) {
    before = kinds.size;
    for (const { each, bases, names } of heads) {
      const kind = bases.map((base) => known.get(base)).find((found) => found !== undefined);
      if (kind === undefined || kinds.has(each)) continue;
      kinds.set(each, kind);
      for (const name of names) if (!known.has(name)) known.set(name, kind);
    }
  }

  return kinds;
}
