/** A data source in; what is said to its database, and what stands in its tables, out. */
import type { DataSource, Logger } from 'typeorm';

/** Rows by table. */
export type Rows = Record<string, Record<string, unknown>[]>;

/** Hears every statement of a data source: its text, and its parameters apart. */
export class Witness implements Logger {
  /** Texts of the statements, once each. */
  readonly texts = new Set<string>();
  private readonly parameters: unknown[] = [];

  constructor(private readonly dataSource: DataSource) {
    Object.assign(dataSource, { logger: this });
  }

  logQuery(sql: string, parameters: unknown[] = []): void {
    this.texts.add(sql);
    this.parameters.push(parameters);
  }

  /** Forgets what was heard. */
  forget(): void {
    this.texts.clear();
    this.parameters.length = 0;
  }

  /** Those of some markers that were bound as parameters. */
  bound(markers: readonly string[]): string[] {
    const text = JSON.stringify(this.parameters);

    return markers.filter((marker) => text.includes(marker));
  }

  /** Rows of every table, read by statements of the test's own. */
  async tables(): Promise<Rows> {
    const { driver, entityMetadatas } = this.dataSource;
    const rows: Rows = {};

    for (const { tableName, primaryColumns } of entityMetadatas) {
      const order = primaryColumns.map(({ databaseName }) => driver.escape(databaseName)).join(', ');
      const found = await this.dataSource.query(`SELECT * FROM ${driver.escape(tableName)} ORDER BY ${order}`);
      rows[tableName] = found as Record<string, unknown>[];
    }

    return rows;
  }

  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}
