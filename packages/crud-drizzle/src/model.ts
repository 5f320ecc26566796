/** Classes that stand for Drizzle's tables, where a class is asked for: as the model of a resource. */
import { getOrInsert } from '@nestwright/crud/adapter';
import { getTableName, type InferSelectModel, type Table } from 'drizzle-orm';

const models = new WeakMap<Table, new () => object>();

/**
 * The class that stands for a table as the model of a resource. Its records are plain objects.
 *
 * @param name Its name, as in messages and in the description of the API; the first call decides. Default: the name of the
 * table in Pascal case.
 * @example
 * type User = typeof users.$inferSelect & { company?: Company | null };
 *
 * `@Crud({ model: { type: modelOf<User>(users, 'User') } }) @Controller('users') class UsersController {}`
 */
export function modelOf<Row extends object = never, T extends Table = Table>(
  table: T,
  name = pascalCase(getTableName(table)),
): new () => [Row] extends [never] ? InferSelectModel<T> : Row {
  return getOrInsert(models, table, () => ({ [name]: class {} })[name]!) as never;
}

function pascalCase(name: string): string {
  const words = name.split(/[^a-z\d]/i);

  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
