/** The names of a resource. */

export interface Names {
  /** `books`, or `library-cards`: of the route, the table and the files. */
  readonly plural: string;
  /** `book`: of the entity's file. */
  readonly singular: string;
  /** `Books`: of service, controller and module. */
  readonly Plural: string;
  /** `Book`: of the entity. */
  readonly Singular: string;
  /** `libraryCards`: of a table in code. */
  readonly table: string;
}

/** @throws Error if it cannot name files and classes */
export function namesOf(name: string): Names {
  const plural = name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  if (!/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(plural)) throw new Error(`${JSON.stringify(name)} cannot name a resource`);
  const singular = singularOf(plural);

  return { plural, singular, Plural: pascal(plural), Singular: pascal(singular), table: camel(plural) };
}

const camel = (words: string): string => words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (words: string): string => camel(`-${words}`);

/** Of regular plurals; another word stays what it is, with `-item` where the entity would be named as its resource. */
function singularOf(plural: string): string {
  const singular = plural
    .replace(/ies$/, 'y')
    .replace(/(ss|x|z|ch|sh)es$/, '$1')
    .replace(/(?<![su])s$/, '');

  return singular === plural ? `${plural}-item` : singular;
}
