/** Classes that stand for Drizzle's tables, where a class is asked for. */
import { classOfModel } from '@nestwright/crud/adapter';
import type { InferSelectModel, Table } from 'drizzle-orm';

/**
 * The class that stands for a table, with a name of its own and the types of joined relations. Its records are plain
 * objects.
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
  name?: string,
): new () => [Row] extends [never] ? InferSelectModel<T> : Row {
  return classOfModel(table, name) as never;
}
