/** Comments at properties of entities that mean something else, or nothing. */
import { type Decorator, Node, type PropertyDeclaration, type SourceFile, SyntaxKind } from 'ts-morph';
import { findOption } from './crud-options.js';
import type { Edits } from './edits.js';
import { guide } from './names.js';
import { readTransforms } from './transforms.js';

const COLUMN = /Column$/;
const RELATION = /^(OneToOne|OneToMany|ManyToOne|ManyToMany)$/;
const DELETING = /^['"`](remove|soft-remove|recover)['"`]$/;

/** @param formatted Properties that `query.formats` names. */
export function markEntities(source: SourceFile, edits: Edits, formatted: ReadonlySet<PropertyDeclaration>): void {
  for (const property of source.getDescendantsOfKind(SyntaxKind.PropertyDeclaration)) {
    const date = property.getDecorator('IsDate');
    if (date && isUnreachableDate(property, date)) {
      edits.mark(
        date,
        'no JSON body has a Date, and this rule applies now: add @Type(() => Date)',
        guide('migration-writes.md#validation'),
      );
    }
    const relationId = property.getDecorator('RelationId');
    if (relationId) {
      edits.mark(
        relationId,
        'is not read: join the relation, or declare its foreign key as a column',
        guide('migration-reads.md#joins'),
      );
    }
    const excluded = property.getDecorator('Exclude');
    if (excluded && property.getDecorator('Column') && !/Only/.test(excluded.getText())) {
      edits.mark(
        excluded,
        'a body may set this column now: if it must not, add { toClassOnly: true, toPlainOnly: true }',
        guide('migration-reads.md#hidden-properties'),
      );
    }
    const [transform] = isStored(property) && !formatted.has(property) ? readTransforms(property) : [];
    if (transform) {
      edits.mark(
        transform,
        'filters, sorts and cursors by this property are a 400 now: query.conditions frees it, or ' +
          'query.formats where this changes no more than the form of its value',
        guide('migration-reads.md#hidden-properties'),
      );
    }
    for (const decorator of property.getDecorators()) {
      if (RELATION.test(decorator.getName()) && cascadesDeletes(decorator)) {
        edits.mark(
          decorator,
          'DELETE and recover write one record: remove and recover related ones in the service',
          guide('migration-writes.md#relations-in-bodies'),
        );
      }
    }
  }
}

/** Whether a property is a column, an embedded object or a relation. */
function isStored(property: PropertyDeclaration): boolean {
  return property.getDecorators().some((each) => COLUMN.test(each.getName()) || RELATION.test(each.getName()));
}

/** Whether a rule without a group, which upstream ignored on models, rejects every text. */
function isUnreachableDate(property: PropertyDeclaration, date: Decorator): boolean {
  const names = property.getDecorators().map((each) => each.getName());

  return (
    names.some((name) => COLUMN.test(name)) &&
    !names.includes('Type') &&
    !names.includes('Transform') &&
    !/groups|always/.test(date.getText())
  );
}

function cascadesDeletes(relation: Decorator): boolean {
  const cascade = findOption(relation.getArguments().at(-1), 'cascade');

  return Node.isArrayLiteralExpression(cascade) && cascade.getElements().some((each) => DELETING.test(each.getText()));
}
