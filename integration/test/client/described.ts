/** A typed client of what the example's document describes. The compiler checks it against the generated types. */
import { crudClient, type Described } from '@nestwright/client';
import type { components } from './paths.js';

type User = Described<components['schemas']['UserResponseDto']>;

/** What is read of a user. */
export interface Found {
  readonly id: number;
  readonly email: string;
  readonly age: number | null;
  readonly company: { readonly id: number; readonly name: string } | null;
}

export async function readUsers(baseUrl: string): Promise<Found[]> {
  const users = crudClient<User>()('/users', { baseUrl });

  // @ts-expect-error the document has no such field
  void users.getMany((query) => query.select(['emial'])).catch(() => undefined);

  return users.getMany((query) =>
    query
      .select(['email', 'age'])
      .join('company', ['name'])
      .setFilter(['age', '$gte', 40])
      .sortBy(['id', 'ASC'])
      .setLimit(3),
  );
}

export async function readName(baseUrl: string) {
  const users = crudClient<User>()('/users', { baseUrl });
  const { version, role, name } = await users.getOne(1);
  const last: string | null | undefined = name?.last;

  return { version: version satisfies number, role: role satisfies 'admin' | 'guest' | 'member', last };
}
