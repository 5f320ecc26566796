/** The two sides of a comparison as SQL: as the column's own type, as text or as part of a JSON document. */
import type { CatalogColumn, PlannedComparison } from '@nestwright/crud/adapter';
import type { Dialect, JsonValue, PatternPlace } from '../database/dialect.js';
import { listSize } from './list-size.js';
import { makeItemSource, makeListSource, makeValueSource, type ParameterSource, type Prepare } from './parameters.js';
import { earliestText, storedValue } from './values.js';
import { columnSql, type Scope, type Writing } from './writing.js';
import { getColumn } from '../database/links.js';
import type { Database } from '../database/database.js';

/** The sides of a comparison, for an operator to combine. */
export interface Operand {
  /** The left side, as it is ordered. */
  readonly sql: string;
  /** Null if there is no value. */
  readonly presence: string;
  /** The value on the right, or one of two. */
  one(index?: number): string;
  /** The first and the last text of the value, if equal moments may be stored as different texts. */
  earliest(index?: number): string;
  latest(index?: number): string;
  equal(value: string): string;
  differ(value: string): string;
  like(place: PatternPlace): string;
  member(): string;
  hasItems(which: 'all' | 'any'): string;
}

export function makeColumnOperand(comparison: PlannedComparison, writing: Writing, scope: Scope): Operand {
  const { source, column } = comparison.column;

  return makeOperand(columnSql(writing, scope(source), getColumn(column)), comparison, writing);
}

/** Makes the sides of a comparison of any expression with a value of the column. */
export function makeOperand(stored: string, comparison: PlannedComparison, writing: Writing): Operand {
  const { dialect } = writing;
  const left = makeLeft(stored, comparison, writing);
  const { sql, presence, moment, indexed, exact } = left;
  const right = makeRight(left, comparison, writing);
  const { one, earliest, latest } = right;
  const equal = (value: string) => {
    if (moment) return `${sql} BETWEEN ${earliest()} AND ${latest()}`;

    const precise = `${exact(sql)} = ${exact(value)}`;

    return indexed ? `(${sql} = ${value} AND ${precise})` : precise;
  };

  return {
    sql,
    presence,
    one,
    earliest,
    latest,
    equal,
    differ: (value) => (moment ? `NOT (${equal(value)})` : `${exact(sql)} <> ${exact(value)}`),
    like: (place) => {
      const pattern = right.pattern(place);
      const precise = dialect.like(exact(sql), exact(pattern));

      return indexed && place === 'starts' ? `(${dialect.like(sql, pattern)} AND ${precise})` : precise;
    },
    member: () => writeMember(left, right, dialect),
    hasItems: (which) => {
      if (getColumn(left.column).isArray) return `${stored} ${which === 'all' ? '@>' : '&&'} ${right.list()}`;

      const each = right.items().map((item) => dialect.listHas(stored, item));

      return `(${each.join(which === 'all' ? ' AND ' : ' OR ')})`;
    },
  };
}

/** The left side of a comparison, and what follows from it for the right one. */
interface Left extends Pick<Operand, 'sql' | 'presence'> {
  readonly column: CatalogColumn;
  readonly inDocument: boolean;
  /** Whether the column is a text, compared whole. */
  readonly plainText: boolean;
  /** Whether texts are compared: only they know exactness and case. */
  readonly isText: boolean;
  /** Whether equal moments may be stored as different texts. */
  readonly moment: boolean;
  /** Whether the column's own, looser comparison is added to the exact one, so that its index is used. */
  readonly indexed: boolean;
  /** Whether case is ignored. */
  readonly fold: boolean;
  exact(text: string): string;
}

function makeLeft(stored: string, comparison: PlannedComparison, { dialect, parameters }: Writing): Left {
  const { as, fold } = comparison;
  const { column, jsonPath } = comparison.column;
  const storedColumn = getColumn(column);
  const inDocument = jsonPath.length > 0;
  const plainText = !inDocument && column.kind === 'text';
  const isText = as === 'text' || plainText;
  const document: JsonValue = {
    column: stored,
    storedColumn,
    keys: jsonPath,
    constant: (value) => parameters.constant(value),
  };
  const own = inDocument
    ? { text: dialect.jsonText, number: dialect.jsonNumber, boolean: dialect.jsonBoolean, column: dialect.jsonText }[
        as
      ](document)
    : as === 'text' && !plainText
      ? dialect.writeText(stored, column)
      : stored;

  return {
    column,
    sql: fold ? `LOWER(${own})` : own,
    presence: inDocument ? dialect.jsonPresence(document) : stored,
    inDocument,
    plainText,
    isText,
    moment: dialect.textMoments && as === 'column' && column.kind === 'datetime',
    indexed: dialect.looseText && isText && plainText && !fold,
    fold,
    exact: (text) => (isText ? dialect.exact(text, plainText ? storedColumn : undefined) : text),
  };
}

/** The values on the right, as parameters of the statement. */
interface Right extends Pick<Operand, 'one' | 'earliest' | 'latest'> {
  pattern(place: PatternPlace): string;
  /** The number of {@link items}. */
  count(): number;
  /** Each item of a list as a parameter. */
  items(): string[];
  /** A list as one parameter. */
  list(): string;
}

function makeRight(left: Left, { as, slot = -1 }: PlannedComparison, writing: Writing): Right {
  const { dialect, parameters, database, plan } = writing;
  const { column, inDocument, isText, fold } = left;
  const jsonPrepare = as === 'boolean' ? inJson(dialect) : asIs;
  const isAsSent = isText && !(left.plainText && column.transformed);
  const prepare = inDocument ? jsonPrepare : isAsSent ? asIs : asStored(database, column);
  const makeSource = (index: number | undefined, prepared = prepare) =>
    index === undefined ? makeValueSource(slot, prepared) : makeItemSource(slot, index, prepared);
  const mark = (source: ParameterSource) => {
    const placeholder = parameters.mark(source);
    const typed = isText || inDocument ? placeholder : dialect.typed(placeholder, column);

    return fold ? `LOWER(${typed})` : typed;
  };
  const one = (index?: number) => mark(makeSource(index));
  const count = () => listSize((plan.values[slot] as unknown[]).length);

  return {
    one,
    earliest: (index) => mark(left.moment ? makeSource(index, earliest(prepare)) : makeSource(index)),
    latest: one,
    pattern: (place) => mark(makeValueSource(slot, inPattern(dialect, place))),
    count,
    items: () => Array.from({ length: count() }, (_, index) => one(index)),
    list: () => parameters.mark(makeListSource(slot, prepare)),
  };
}

/** Whether the left side is one of the items. */
function writeMember({ sql, exact, indexed, moment, fold }: Left, right: Right, dialect: Dialect): string {
  if (dialect.listParameter) {
    return fold
      ? `${sql} = ANY(SELECT LOWER(item) FROM unnest(${right.list()}::text[]) AS item)`
      : `${exact(sql)} = ANY(${right.list()})`;
  }

  if (moment) {
    const alternatives = Array.from(
      { length: right.count() },
      (_, index) => `${sql} BETWEEN ${right.earliest(index)} AND ${right.latest(index)}`,
    );

    return `(${alternatives.join(' OR ')})`;
  }

  const marks = right.items();
  const precise = `${exact(sql)} IN (${marks.map(exact).join(', ')})`;

  return indexed ? `(${sql} IN (${marks.join(', ')}) AND ${precise})` : precise;
}

// Top-level functions, since they are cached with the statement: a closure in makeRight would retain the request.

const asIs: Prepare = (value) => value;

function inJson({ jsonBooleanValue }: Dialect): Prepare {
  return (value) => jsonBooleanValue(value === true);
}

function asStored(database: Database, column: CatalogColumn): Prepare {
  return (value) => storedValue(database, column, value);
}

function earliest(prepare: Prepare): Prepare {
  return (value) => earliestText(prepare(value));
}

function inPattern({ pattern }: Dialect, place: PatternPlace): Prepare {
  return (value) => pattern(String(value), place);
}
