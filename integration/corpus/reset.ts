/** Empties all tables, with their counters, and fills them again. */
import type { DataSource } from 'typeorm';

const RESETS = {
  sqljs: async (source: DataSource, tables: readonly string[]) => {
    await source.query('PRAGMA foreign_keys = OFF');
    for (const table of tables) await source.query(`DELETE FROM "${table}"`);
    await source.query('DELETE FROM sqlite_sequence');
    await source.query('PRAGMA foreign_keys = ON');
  },
  postgres: (source: DataSource, tables: readonly string[]) =>
    source.query(`TRUNCATE ${tables.map((table) => `"${table}"`).join(', ')} RESTART IDENTITY`),
  mysql: async (source: DataSource, tables: readonly string[]) => {
    const runner = source.createQueryRunner();

    await runner.query('SET FOREIGN_KEY_CHECKS = 0');
    for (const table of tables) await runner.query(`TRUNCATE \`${table}\``);
    await runner.query('SET FOREIGN_KEY_CHECKS = 1');
    await runner.release();
  },
};

export async function reset(source: DataSource, seed: (source: DataSource) => Promise<void>): Promise<void> {
  const type = source.options.type === 'mariadb' ? 'mysql' : source.options.type;
  const tables = source.entityMetadatas.map(({ tableName }) => tableName);

  await RESETS[type as keyof typeof RESETS](source, tables);
  await source.queryResultCache?.clear();
  await seed(source);
}
