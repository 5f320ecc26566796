/** What the databases themselves do differently, a row each; `docs/databases.md` has the same table for users, and a test holds the two equal. */
export type DatabaseName = 'sqlite' | 'postgres' | 'mysql';

/** Every difference that a list can show. The evaluator behaves by these words; users read them. */
export interface Difference {
  /** Characters whose case the `L` operators ignore. */
  readonly folding: 'A–Z only' | 'all letters';
  /** Where nulls stand when a list is sorted ascending; descending is the reverse. */
  readonly nulls: 'first' | 'last';
  /** By what texts are sorted, and compared by `gt lt gte lte between`. */
  readonly textOrder: 'code points' | "the column's collation";
  /** By what texts in JSON documents are compared. */
  readonly jsonTextOrder: 'code points' | "the database's collation";
  readonly uuidOrder: 'as text' | "as text; MariaDB's uuid columns have their own order";
  readonly enumOrder: 'as text' | 'as declared';
  /** What a decimal column without a transformer is in a response, and to text operators. */
  readonly decimals: 'a number' | 'a string with all decimals';
}

const OF_SERVERS = {
  folding: 'all letters',
  textOrder: "the column's collation",
  enumOrder: 'as declared',
  decimals: 'a string with all decimals',
} as const;

export const DIFFERENCES = {
  sqlite: {
    folding: 'A–Z only',
    nulls: 'first',
    textOrder: 'code points',
    jsonTextOrder: 'code points',
    uuidOrder: 'as text',
    enumOrder: 'as text',
    decimals: 'a number',
  },
  postgres: { ...OF_SERVERS, nulls: 'last', jsonTextOrder: "the database's collation", uuidOrder: 'as text' },
  mysql: {
    ...OF_SERVERS,
    nulls: 'first',
    jsonTextOrder: 'code points',
    uuidOrder: "as text; MariaDB's uuid columns have their own order",
  },
} as const satisfies Record<DatabaseName, Difference>;

/** What takes the database's word for its order. */
export type Ordered = 'text' | 'JSON text' | 'uuid';

/** Places that a database gives to texts, by what they are texts of. */
export type Places = { readonly [K in Ordered]?: ReadonlyMap<string, number> };

/** A database as the evaluator sees it: its differences, and the order that its collation gives to texts. */
export class Database {
  constructor(
    readonly name: DatabaseName,
    private readonly places: Places = {},
  ) {}

  get differences(): Difference {
    return DIFFERENCES[this.name];
  }

  /** The text without its case. */
  fold(text: string): string {
    const folds = (letter: string) => this.differences.folding === 'all letters' || /[A-Z]/.test(letter);
    return Array.from(text, (letter) => (folds(letter) ? letter.toLowerCase() : letter)).join('');
  }

  /** Order of two texts; negative where the first comes first, 0 where the collation sees no difference. */
  order(what: Ordered, left: string, right: string): number {
    const places = this.places[what];
    return places ? placeOf(places, left) - placeOf(places, right) : orderOfCodePoints(left, right);
  }
}

function placeOf(places: ReadonlyMap<string, number>, text: string): number {
  const place = places.get(text);
  if (place === undefined) throw new Error(`The database was not asked for the place of ${JSON.stringify(text)}`);
  return place;
}

const codePointsOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);

/** UTF-16 puts supplementary characters before U+E000; code points and UTF-8 do not. */
function orderOfCodePoints(left: string, right: string): number {
  const [a, b] = [codePointsOf(left), codePointsOf(right)];
  const different = a.findIndex((point, index) => point !== b[index]);
  return different === -1 ? a.length - b.length : (a[different] ?? 0) - (b[different] ?? -1);
}
