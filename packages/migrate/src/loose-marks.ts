/** What a person must look at outside of the library's own classes. */
import { Node, SyntaxKind, type SourceFile } from 'ts-morph';
import type { Edits } from './edits.js';
import { guide } from './names.js';

const VIOLATIONS = 'verbs of services throw an HttpException now, whose cause is the QueryFailedError';
const OPTIONS_OF_REQUEST = /\boptions\.(query|routes|params)\b/;

const WORDS = /QueryFailedError|CrudConfigService|CrudRequest|ParsedRequest|paramNamesMap/;

export function markLoosely(source: SourceFile, edits: Edits): void {
  if (!WORDS.test(source.getFullText())) return;
  for (const name of source.getDescendantsOfKind(SyntaxKind.Identifier)) {
    if (name.getText() !== 'QueryFailedError') continue;
    const parent = name.getParent();
    const isAsked =
      (Node.isBinaryExpression(parent) && parent.getOperatorToken().getText() === 'instanceof') ||
      name.getFirstAncestorByKind(SyntaxKind.Decorator) !== undefined;
    if (isAsked) edits.mark(name, VIOLATIONS, guide('writes'));
  }

  for (const assignment of source.getDescendantsOfKind(SyntaxKind.BinaryExpression)) {
    if (assignment.getOperatorToken().getText() !== '=') continue;
    const left = assignment.getLeft().getText();
    if (left === 'CrudConfigService.config')
      edits.mark(
        assignment,
        'the configuration is frozen: change it by CrudConfigService.load()',
        guide('at-the-start'),
      );
    // The request of a handler, whose text is mostly `req`.
    if (OPTIONS_OF_REQUEST.test(left) && usesRequests(source))
      edits.mark(
        assignment,
        'this changes the options of one request, no longer those of the resource',
        guide('services'),
      );
  }

  for (const access of source.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)) {
    if (access.getName() !== 'paramNamesMap' || !/getOptions\(\)$|\boptions$/.test(access.getExpression().getText()))
      continue;
    if (!source.getText().includes('RequestQueryBuilder')) continue;
    edits.mark(access, 'each parameter has a list of names here', guide('query-builder-and-parser'));
  }
}

function usesRequests(source: SourceFile): boolean {
  return source
    .getImportDeclarations()
    .some((each) => each.getNamedImports().some((named) => /^(CrudRequest|ParsedRequest)$/.test(named.getName())));
}
