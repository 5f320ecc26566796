/** The path of a module or of declarations → every exported name, and every member of an exported class or interface, with its doc comment as text. */
import ts from 'typescript';

export function docComments(path: string): Map<string, string> {
  const program = ts.createProgram([path], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${path} is no module`);

  const found = new Map<string, string>();
  const note = (name: string, symbol: ts.Symbol) => {
    const tags = symbol.getJsDocTags(checker).map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`);
    const comment = [ts.displayPartsToString(symbol.getDocumentationComment(checker)), ...tags].join('\n');
    // A link is printed with a blank at its end where its target is not in scope.
    found.set(name, comment.replace(/(\{@link [^}]*?) \}/g, '$1}'));
  };
  for (const exported of checker.getExportsOfModule(module)) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    note(exported.name, symbol);
    symbol.members?.forEach((member) => note(`${exported.name}.${member.name}`, member));
  }
  return found;
}
