/** What a record has: the one walk over a shape, whose members become records, JSON text, and cells of a table. */
import type { ReadShape, RelatedShape } from './read-rows.js';
import type { Cell, RecordShape } from './record-shape.js';
import type { Relation } from '../database/database.js';

export type Member =
  | ({ readonly kind: 'cell' } & Cell)
  | { readonly kind: 'joined'; readonly relation: Relation; readonly record: RecordMembers }
  | {
      readonly kind: 'many';
      readonly relation: Relation;
      /** Its place among the statements of to-many relations. */
      readonly index: number;
      readonly parentNames: readonly string[];
      readonly shape: RecordShape;
    };

export interface RecordMembers {
  readonly shape: RecordShape;
  /** In the order of the record's properties. */
  readonly members: readonly Member[];
}

/** A statement of a to-many relation, and what leads from a record to the relation's parent. */
interface Attached {
  readonly statement: RelatedShape;
  readonly index: number;
  readonly path: readonly Relation[];
}

/** The members of a read's records, and of those in the same row. */
export function membersOf({ shape, related }: ReadShape): RecordMembers {
  return visit(
    shape,
    related.map((statement, index) => ({ statement, index, path: statement.pathToParent })),
  );
}

function visit(shape: RecordShape, attached: readonly Attached[]): RecordMembers {
  const cells = shape.cells.map((cell): Member => ({ kind: 'cell', ...cell }));
  const joined = shape.joined.map(({ relation, shape: inner }): Member => {
    const within = attached.filter(({ path }) => path[0] === relation);

    return {
      kind: 'joined',
      relation,
      record: visit(
        inner,
        within.map(({ path, ...rest }) => ({ ...rest, path: path.slice(1) })),
      ),
    };
  });
  const many = attached
    .filter(({ path }) => path.length === 0)
    .map(({ statement: { relation, parentNames, shape: inner }, index }): Member => {
      return { kind: 'many', relation, index, parentNames, shape: inner };
    });

  return { shape, members: [...cells, ...joined, ...many] };
}
