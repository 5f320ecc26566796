const GROUP = 100;

/** Many conditions are grouped: SQLite's expressions are at most 1,000 levels deep, and each AND or OR is one. */
export function joinConditions(conditions: readonly string[], by: 'AND' | 'OR'): string {
  if (conditions.length <= GROUP) return conditions.join(` ${by} `);
  const groups = Array.from({ length: Math.ceil(conditions.length / GROUP) }, (_, index) =>
    conditions.slice(index * GROUP, (index + 1) * GROUP),
  );

  return joinConditions(
    groups.map((group) => `(${joinConditions(group, by)})`),
    by,
  );
}
