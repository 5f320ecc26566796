/** The two sides of a comparison as SQL: as the column's own type, as text or as part of a JSON document. */
import type { CatalogColumn, PlannedComparison } from '@nestwright/crud/adapter';
import type { DataSource } from 'typeorm';
import { getMetadata } from '../catalog/catalog.js';
import type { Dialect, JsonValue, PatternPlace } from '../dialect/dialect.js';
import { listSize } from './list-size.js';
import { makeItemSource, makeListSource, makeValueSource, type ParameterSource, type Prepare } from './parameters.js';
import { earliestText, storedValue } from './values.js';
import { columnSql, type Scope, type Writing } from './writing.js';

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

  return makeOperand(columnSql(writing, scope(source), getMetadata(column)), comparison, writing);
}

/** Makes the sides of a comparison of any expression with a value of the column. */
export function makeOperand(stored: string, comparison: PlannedComparison, writing: Writing): Operand {
  const { dialect, parameters, dataSource, plan } = writing;
  const { column, fold, as, slot = -1 } = comparison;
  const catalogColumn = column.column;
  const metadata = getMetadata(catalogColumn);
  const inDocument = column.jsonPath.length > 0;
  const plainText = !inDocument && catalogColumn.kind === 'text';
  /** Whether texts are compared: only they know exactness and case. */
  const isText = as === 'text' || (as === 'column' && plainText);
  const moment = dialect.textMoments && as === 'column' && catalogColumn.kind === 'datetime';

  const document: JsonValue = {
    column: stored,
    metadata,
    keys: column.jsonPath,
    constant: (value) => parameters.constant(value),
  };
  const own = inDocument
    ? { text: dialect.jsonText, number: dialect.jsonNumber, boolean: dialect.jsonBoolean, column: dialect.jsonText }[
        as
      ](document)
    : as === 'text' && !plainText
      ? dialect.writeText(stored, catalogColumn)
      : stored;
  const folded = (sql: string) => (fold ? `LOWER(${sql})` : sql);
  const sql = folded(own);
  const exact = (text: string) => (isText ? dialect.exact(text, plainText ? metadata : undefined) : text);
  /** Whether the column's own, looser comparison is added to the exact one, so that its index is used. */
  const indexed = dialect.looseText && isText && plainText && !fold;

  const prepare = inDocument
    ? as === 'boolean'
      ? inJson(dialect)
      : asIs
    : isText && !(plainText && catalogColumn.transformed)
      ? asIs
      : asStored(dataSource, catalogColumn);
  const makeSource = (index: number | undefined, prepared = prepare) =>
    index === undefined ? makeValueSource(slot, prepared) : makeItemSource(slot, index, prepared);
  const mark = (source: ParameterSource) => {
    const placeholder = parameters.mark(source);

    return folded(isText || inDocument ? placeholder : dialect.typed(placeholder, catalogColumn));
  };
  const items = (): string[] => {
    const { length } = plan.values[slot] as unknown[];

    return Array.from({ length: listSize(length) }, (_, index) => mark(makeSource(index)));
  };
  const list = () => parameters.mark(makeListSource(slot, prepare));

  const operand: Operand = {
    sql,
    presence: inDocument ? dialect.jsonPresence(document) : stored,
    one: (index) => mark(makeSource(index)),
    earliest: (index) => mark(moment ? makeSource(index, earliest(prepare)) : makeSource(index)),
    latest: (index) => mark(makeSource(index)),
    equal: (value) => {
      if (moment) return `${sql} BETWEEN ${operand.earliest()} AND ${operand.latest()}`;

      const precise = `${exact(sql)} = ${exact(value)}`;

      return indexed ? `(${sql} = ${value} AND ${precise})` : precise;
    },
    differ: (value) => (moment ? `NOT (${operand.equal(value)})` : `${exact(sql)} <> ${exact(value)}`),
    like: (place) => {
      const pattern = mark(makeValueSource(slot, inPattern(dialect, place)));
      const precise = dialect.like(exact(sql), exact(pattern));

      return indexed && place === 'starts' ? `(${dialect.like(sql, pattern)} AND ${precise})` : precise;
    },
    member: () => {
      if (dialect.listParameter) {
        return fold
          ? `${sql} = ANY(SELECT LOWER(item) FROM unnest(${list()}::text[]) AS item)`
          : `${exact(sql)} = ANY(${list()})`;
      }

      if (moment) {
        const { length } = plan.values[slot] as unknown[];
        const alternatives = Array.from(
          { length: listSize(length) },
          (_, index) => `${sql} BETWEEN ${operand.earliest(index)} AND ${operand.latest(index)}`,
        );

        return `(${alternatives.join(' OR ')})`;
      }

      const marks = items();
      const precise = `${exact(sql)} IN (${marks.map(exact).join(', ')})`;

      return indexed ? `(${sql} IN (${marks.join(', ')}) AND ${precise})` : precise;
    },
    hasItems: (which) => {
      if (metadata.isArray) return `${stored} ${which === 'all' ? '@>' : '&&'} ${list()}`;

      const each = items().map((item) => dialect.listHas(stored, item));

      return `(${each.join(which === 'all' ? ' AND ' : ' OR ')})`;
    },
  };

  return operand;
}

// A top-level function, since it is cached with the statement: a closure in makeColumnOperand would retain the request.

const asIs: Prepare = (value) => value;

function inJson({ jsonBooleanValue }: Dialect): Prepare {
  return (value) => jsonBooleanValue(value === true);
}

function asStored(dataSource: DataSource, column: CatalogColumn): Prepare {
  return (value) => storedValue(dataSource, column, value);
}

function earliest(prepare: Prepare): Prepare {
  return (value) => earliestText(prepare(value));
}

function inPattern({ pattern }: Dialect, place: PatternPlace): Prepare {
  return (value) => pattern(String(value), place);
}
