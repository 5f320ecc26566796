/** A data source's logger that keeps the SQL it is told of. */
import type { Logger } from 'typeorm';

export class Statements implements Logger {
  readonly all: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  logQuery(sql: string, parameters?: readonly unknown[]): void {
    this.all.push({ sql, parameters: parameters ?? [] });
  }
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}

  /** The statements of a piece of work, transactions' own left out. */
  async of(work: () => Promise<unknown>): Promise<string[]> {
    const start = this.all.length;
    await work();
    return this.all
      .slice(start)
      .flatMap(({ sql }) => (/^(?:BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/.test(sql) ? [] : [sql]));
  }
}
