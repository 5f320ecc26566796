/** Comments at conditions with null, of which upstream made IS NULL whatever the operator. */
import { Node, SyntaxKind, type SourceFile } from 'ts-morph';
import { findOption } from './crud-options.js';
import type { Edits } from './edits.js';
import { guide } from './names.js';

const COMMENT =
  'upstream made IS NULL of every operator with null; now $ne: null is IS NOT NULL, and others match nothing ' +
  'or are a 400: to get the same records, write $eq: null';

/** An operator as it is written, by its name or as a member of `CondOperator`. */
const OPERATOR =
  /^\$(ne|gt|lt|gte|lte|starts|ends|cont|excl|in|notin|notnull|between|contArr|intersectsArr)L?$|^CondOperator\.\w+$/;
const MEANS_IS_NULL = /^(CondOperator\.(EQUALS|IS_NULL)|\$(eqL?|isnull))$/;
/** The same in a text of JSON: `s={"deletedAt":{"$ne":null}}`. */
const JSON_CONDITION = /"(\$\w+)"\s*:\s*null/g;

/** The query builder of upstream refused a null as the value of a filter. */
const BUILDER = /\b(setFilter|setOr|setJoin)$/;

export function markConditions(source: SourceFile, edits: Edits): void {
  if (/['"](mongo\w*|@nestjs\/mongoose)/.test(source.getFullText())) return;
  const mark = (place: Node): void =>
    edits.mark(place, COMMENT, guide('migration-reads.md#conditions-of-the-application'));
  for (const value of source.getDescendantsOfKind(SyntaxKind.NullKeyword))
    if (isOperand(value) && !isInBuilder(value)) mark(value);
  for (const literal of [
    ...source.getDescendantsOfKind(SyntaxKind.StringLiteral),
    ...source.getDescendantsOfKind(SyntaxKind.NoSubstitutionTemplateLiteral),
  ]) {
    if ([...literal.getLiteralValue().matchAll(JSON_CONDITION)].some(([, name]) => !MEANS_IS_NULL.test(name!)))
      mark(literal);
  }
}

/** `{ $ne: null }`, `{ operator: 'ne', value: null }` or `['name', '$ne', null]`. */
function isOperand(value: Node): boolean {
  const parent = value.getParent();
  if (Node.isArrayLiteralExpression(parent)) {
    const [, operator, third] = parent.getElements();
    return third === value && isOperator(readName(operator));
  }
  if (!Node.isPropertyAssignment(parent)) return false;
  if (parent.getName() === 'value') {
    const operator = readName(findOption(parent.getParent(), 'operator'));
    return isOperator(operator) || isOperator(`$${operator}`);
  }
  const name = parent.getNameNode();

  return isOperator(Node.isComputedPropertyName(name) ? readName(name.getExpression()) : readName(name));
}

function isOperator(name: string): boolean {
  return OPERATOR.test(name) && !MEANS_IS_NULL.test(name);
}

/** A literal's value, or the text of any other expression. */
function readName(node: Node | undefined): string {
  return Node.isStringLiteral(node) ? node.getLiteralValue() : (node?.getText() ?? '');
}

function isInBuilder(value: Node): boolean {
  return value
    .getAncestors()
    .some((each) => Node.isCallExpression(each) && BUILDER.test(each.getExpression().getText()));
}
