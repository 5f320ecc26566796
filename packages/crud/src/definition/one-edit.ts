/** The shortest name that another one is taken for a misspelling of: shorter ones are near too many. */
const SHORTEST = 4;

/**
 * The first name that another one differs from by one inserted, deleted, replaced or swapped character.
 *
 * @example
 * nameOneEditFrom('fliter', ['sort', 'filter']); // 'filter'
 */
export function nameOneEditFrom(name: string, known: Iterable<string>): string | undefined {
  for (const candidate of known) if (candidate.length >= SHORTEST && isOneEdit(name, candidate)) return candidate;

  return undefined;
}

function isOneEdit(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;

  let same = 0;
  while (one[same] === other[same]) same++;
  const [rest, otherRest] = [one.slice(same), other.slice(same)];
  const replaced = rest.slice(1) === otherRest.slice(1);
  const swapped = rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);

  return replaced || swapped || rest.slice(1) === otherRest || rest === otherRest.slice(1);
}
