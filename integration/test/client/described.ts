/** A typed client of what the example's document describes. The compiler checks it against the generated types. */
import { crudClient, type Described } from '@nestwright/client';
import type { components } from './paths.js';

type User = Described<components['schemas']['UserResponseDto']>;

interface Found {
  readonly id: number;
  readonly email: string;
  readonly age: number | null;
  readonly company: { readonly id: number; readonly name: string } | null;
}

export async function readUsers(baseUrl: string): Promise<{ found: Found[]; version: number }> {
  const users = crudClient<User>()('/users', { baseUrl });
  // @ts-expect-error the document has no such field
  void users.getMany((query) => query.select(['emial'])).catch(() => undefined);
  const { version, role, name } = await users.getOne(1);
  role satisfies 'admin' | 'guest' | 'member';
  name?.last satisfies string | null | undefined;
  const found = await users.getMany((query) =>
    query.select(['email', 'age']).join('company', ['name']).setFilter(['age', '$gte', 40]).setLimit(3),
  );
  return { found, version: version satisfies number };
}
