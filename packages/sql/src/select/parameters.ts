/** Marks in SQL become placeholders and bound values; nothing a client sends is ever part of the text. */
import type { ReadPlan } from '@nestwright/crud/adapter';
import { OBJECT_BYTES, PARAMETER_BYTES, textBytes } from '../weight.js';
import { type Sql, VALUE } from './fragment.js';
import { listItem } from './list-size.js';
import type { Database } from '../database/database.js';

/** The input that a statement's values come from when it runs. */
export interface StatementInput {
  readonly plan: ReadPlan;
  /** Keys of the records whose related ones are read, one array per key column. */
  readonly keys?: readonly (readonly unknown[])[];
}

/** Takes one value of a statement from its input. */
export type ParameterSource = (input: StatementInput) => unknown;

/** SQL text, cached by shape, and where each of its placeholders takes its value from. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly ParameterSource[];
}

export function statementBytes({ sql, parameters }: Statement): number {
  return OBJECT_BYTES + textBytes(sql) + parameters.length * PARAMETER_BYTES;
}

/** Converts a request's value before it is bound. */
export type Prepare = (value: unknown) => unknown;

// These functions are cached with statements, so they are at the top level: closures would retain the request.

export function makeValueSource(slot: number, prepare?: Prepare): ParameterSource {
  return prepare ? ({ plan }) => prepare(plan.values[slot]) : ({ plan }) => plan.values[slot];
}

/** One item of a list among the values of the plan. */
export function makeItemSource(slot: number, index: number, prepare?: Prepare): ParameterSource {
  return ({ plan }) => {
    const item = listItem(plan.values[slot] as unknown[], index);

    return prepare ? prepare(item) : item;
  };
}

/** A list among the values of the plan, as one value. */
export function makeListSource(slot: number, prepare: Prepare): ParameterSource {
  return ({ plan }) => (plan.values[slot] as unknown[]).map(prepare);
}

export const FIRST_KEYS: ParameterSource = ({ keys }) => keys![0];

export function makeKeySource(column: number, row: number): ParameterSource {
  return ({ keys }) => listItem(keys![column]!, row);
}

export const LIMIT: ParameterSource = ({ plan }) => plan.limit;
export const OFFSET: ParameterSource = ({ plan }) => plan.offset;

/** No identifier contains this character, so marks are unambiguous. */
const MARK = '\u0001';
// eslint-disable-next-line no-control-regex
const MARKS = /\u0001(\d+)\u0001/g;

/** Collects the values of a statement while its text is written; a mark may occur in the text several times. */
export class Parameters {
  private readonly sources: ParameterSource[] = [];

  /** A mark for a value that is taken from the input when the statement runs. */
  mark(source: ParameterSource): string {
    return `${MARK}${this.sources.push(source) - 1}${MARK}`;
  }

  /** A mark for a value that belongs to the shape. */
  constant(value: unknown): string {
    return this.mark(() => value);
  }

  /** Replaces the marks by placeholders by position: `$1` (a mark that occurs twice is one parameter) or `?`. */
  positional(text: string, database: Database): Statement {
    const { placeholder } = database;
    const numbered = placeholder(0) !== '?';
    const positions = new Map<number, number>();
    const parameters: ParameterSource[] = [];

    const sql = text.replace(MARKS, (_, digits: string) => {
      const index = Number(digits);
      const known = positions.get(index);

      if (numbered && known !== undefined) return placeholder(known);

      const position = parameters.push(this.sources[index]!) - 1;

      positions.set(index, position);

      return placeholder(position);
    });

    return { sql, parameters };
  }

  /** The piece of a text whose marks are for its values alone, as they come from an input. */
  toSql(text: string, input: StatementInput): Sql {
    const { text: written, values } = this.unplaced(text);

    return { text: written, values: values.map((source) => source(input)) };
  }

  /** The piece of a text for a statement that is put together of several. */
  unplaced(text: string): Sql<ParameterSource> {
    const values: ParameterSource[] = [];
    const written = text.replace(MARKS, (_, digits: string) => {
      values.push(this.sources[Number(digits)]!);

      return VALUE;
    });

    return { text: written, values };
  }
}

/** The values of a statement in the order of its placeholders. */
export function bindStatement(statement: Statement, input: StatementInput): unknown[] {
  return statement.parameters.map((source) => source(input));
}
