import { getOrInsert } from '@nestwright/crud/adapter';
import { columnSql, type Writing } from './writing.js';
import type { Column } from '../database/database.js';

/** Collects the SELECT list of one statement: each column once, under a short name. */
export class Selection {
  private readonly names = new Map<string, string>();

  constructor(private readonly writing: Writing) {}

  /** Selects a column of a table; returns the name of its value in a row. */
  add(alias: string, column: Column): string {
    return this.addSql(this.writing.dialect.selected(columnSql(this.writing, alias, column), column));
  }

  /** Selects an expression; returns the name of its value in a row. */
  addSql(sql: string): string {
    return getOrInsert(this.names, sql, () => `c${this.names.size}`);
  }

  toSql(): string {
    const { quote } = this.writing.database;

    return this.names.size === 0 ? '1' : [...this.names].map(([sql, name]) => `${sql} AS ${quote(name)}`).join(', ');
  }
}
