/** Comments for a person, outside of classes that extend the library's. */
import { Node, SyntaxKind, type SourceFile } from 'ts-morph';
import type { Edits } from './edits.js';
import { guide } from './names.js';

const VIOLATIONS = 'verbs of services throw an HttpException now, whose cause is the QueryFailedError';
const OPTIONS_OF_REQUEST = /\boptions\.(query|routes|params)\b/;

/** Codes of the drivers for violated constraints. */
const VIOLATION_CODES = /^(2350[2356]|ER_(DUP_ENTRY|NO_REFERENCED_ROW_2|ROW_IS_REFERENCED_2)|SQLITE_CONSTRAINT\w*)$/;

const WORDS =
  /QueryFailedError|CrudConfigService|CrudRequest|ParsedRequest|paramNamesMap|Override|2350[2356]|ER_|SQLITE_CONSTRAINT/;

export function markUsages(source: SourceFile, edits: Edits): void {
  if (!WORDS.test(source.getFullText())) return;
  for (const name of source.getDescendantsOfKind(SyntaxKind.Identifier)) {
    if (name.getText() !== 'QueryFailedError') continue;
    const parent = name.getParent();
    const isAsked =
      (Node.isBinaryExpression(parent) && parent.getOperatorToken().getText() === 'instanceof') ||
      name.getFirstAncestorByKind(SyntaxKind.Decorator) !== undefined;
    if (isAsked) edits.mark(name, VIOLATIONS, guide('migration-writes.md#writes'));
  }
  for (const literal of source.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
    if (VIOLATION_CODES.test(literal.getLiteralValue()))
      edits.mark(literal, VIOLATIONS, guide('migration-writes.md#writes'));
  }
  markActions(source, edits);

  for (const assignment of source.getDescendantsOfKind(SyntaxKind.BinaryExpression)) {
    if (assignment.getOperatorToken().getText() !== '=') continue;
    const left = assignment.getLeft().getText();
    if (left === 'CrudConfigService.config') {
      edits.mark(
        assignment,
        'the configuration is frozen: change it by CrudConfigService.load()',
        guide('migration-code.md#at-the-start'),
      );
    }
    // The request of a handler, whose text is mostly `req`.
    if (OPTIONS_OF_REQUEST.test(left) && usesRequests(source) && !isInStep(assignment)) {
      edits.mark(
        assignment,
        'this changes the options of one request, no longer those of the resource',
        guide('migration-code.md#services'),
      );
    }
  }

  for (const access of source.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)) {
    if (access.getName() !== 'paramNamesMap' || !/getOptions\(\)$|\boptions$/.test(access.getExpression().getText()))
      continue;
    if (!source.getText().includes('RequestQueryBuilder')) continue;
    edits.mark(access, 'each parameter has a list of names here', guide('migration-code.md#query-builder-and-parser'));
  }
}

/** `@Action()` on an overriding handler, which upstream replaced by that of the route. */
function markActions(source: SourceFile, edits: Edits): void {
  for (const method of source.getDescendantsOfKind(SyntaxKind.MethodDeclaration)) {
    const action = method.getDecorator('Action');
    if (action && method.getDecorator('Override')) {
      edits.mark(
        action,
        'guards see this action now; upstream gave them the action of the route',
        guide('migration-code.md#overriding-handlers'),
      );
    }
  }
}

/**
 * Whether a place is in the step of an interceptor that makes the request, which changed it for each request before,
 * too.
 */
function isInStep(place: Node): boolean {
  return place.getAncestors().some((each) => Node.isMethodDeclaration(each) && each.getName() === 'getCrudRequest');
}

function usesRequests(source: SourceFile): boolean {
  return source
    .getImportDeclarations()
    .some((each) => each.getNamedImports().some((named) => /^(CrudRequest|ParsedRequest)$/.test(named.getName())));
}
