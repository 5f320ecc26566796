/** Bodies that carry injection strings as keys at every depth, and the record that a store without such keys makes of each. */

/** One body of user, every object of which bears the strings as keys; relations are named, and their records too. */
export function userWith(keys: readonly string[], email: string): { body: Record<string, unknown>; stored: object } {
  const unknown = Object.fromEntries(keys.map((key) => [key, key]));
  const deep = Object.fromEntries(keys.map((key) => [key, { [key]: [{ [key]: 1 }] }]));

  return {
    body: {
      ...deep,
      email,
      password: 'secret-0',
      companyId: 1,
      name: { ...unknown, first: 'Ann' },
      company: { ...unknown, id: 1, name: 'renamed' },
      profile: { ...unknown, city: 'Oslo' },
      projects: [{ ...unknown, id: 1, name: 'renamed', company: { id: 2, ...unknown } }],
    },
    stored: {
      email,
      companyId: 1,
      name: { first: 'Ann', last: null },
      age: null,
      balance: null,
      score: null,
      tags: null,
      settings: null,
      birthDate: null,
      isActive: true,
      role: 'member',
      version: 1,
    },
  };
}
