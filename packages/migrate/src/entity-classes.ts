/** Classes of a project by name, with the properties that their bases in the project give them. */
import { type ClassDeclaration, type PropertyDeclaration, type SourceFile, SyntaxKind } from 'ts-morph';

/** Without the names that several classes have. */
export type Classes = ReadonlyMap<string, ClassDeclaration>;

export function findClasses(sources: readonly SourceFile[]): Classes {
  const classes = new Map<string, ClassDeclaration>();
  const repeated = new Set<string>();
  for (const each of sources.flatMap((source) => source.getClasses())) {
    const name = each.getName();
    if (name === undefined) continue;
    if (classes.has(name)) repeated.add(name);
    classes.set(name, each);
  }
  for (const name of repeated) classes.delete(name);

  return classes;
}

/** Own properties, and those of the classes that it extends, which own ones replace. */
export function readProperties(classes: Classes, name: string | undefined): PropertyDeclaration[] {
  const found = new Map<string, PropertyDeclaration>();
  const visited = new Set<ClassDeclaration>();
  let at = classes.get(name ?? '');
  while (at && !visited.has(at)) {
    visited.add(at);
    for (const property of at.getInstanceProperties()) {
      if (property.isKind(SyntaxKind.PropertyDeclaration) && !found.has(property.getName()))
        found.set(property.getName(), property);
    }
    at = classes.get(at.getExtends()?.getExpression().getText() ?? '');
  }

  return [...found.values()];
}
