/** What a list must hold for each operator: fields of users with values that are hard to get right, and each operator's meaning in plain JavaScript. */

const low = (value) => (Array.isArray(value) ? value.map(low) : String(value).toLowerCase());
const text = (value) => String(value);
const folded = (holds) => (stored, value) => holds(low(stored), low(value));

const EXACT = {
  eq: (stored, value) => stored === value,
  ne: (stored, value) => stored !== value,
  gt: (stored, value) => stored > value,
  lt: (stored, value) => stored < value,
  gte: (stored, value) => stored >= value,
  lte: (stored, value) => stored <= value,
  starts: (stored, value) => text(stored).startsWith(value),
  ends: (stored, value) => text(stored).endsWith(value),
  cont: (stored, value) => text(stored).includes(value),
  excl: (stored, value) => !text(stored).includes(value),
  in: (stored, value) => value.includes(stored),
  notin: (stored, value) => !value.includes(stored),
  between: (stored, [from, to]) => stored >= from && stored <= to,
};

/** The operators of the query language that the providers print, and when they hold for a stored value; a null satisfies `isnull` alone. */
const OPERATORS = {
  ...EXACT,
  eqL: folded(EXACT.eq),
  neL: folded(EXACT.ne),
  startsL: folded(EXACT.starts),
  endsL: folded(EXACT.ends),
  contL: folded(EXACT.cont),
  exclL: folded(EXACT.excl),
  inL: folded(EXACT.in),
  notinL: folded(EXACT.notin),
};

/** The value at a path of a record, null where the path ends early. */
const at = (record, path) => path.split('.').reduce((value, key) => value?.[key] ?? null, record);

/** Whether a stored user satisfies a condition. */
export function satisfies(user, [field, operator, value]) {
  const stored = at(user, field);
  if (operator === 'isnull') return stored === null;
  if (stored === null) return false;
  if (operator === 'notnull') return true;
  return OPERATORS[operator](stored instanceof Date ? stored.toISOString() : stored, value);
}

/** Fields, operators and values: every operator on a text, and each kind of column. */
export const CONDITIONS = [
  ['name.first', 'eq', 'Ada'],
  ['name.first', 'ne', 'Ada'],
  ['name.first', 'starts', 'A'],
  ['name.first', 'ends', 'a'],
  ['name.first', 'cont', 'a'],
  ['name.first', 'excl', 'a'],
  ['name.first', 'in', ['Ada', 'sam', 'José']],
  ['name.first', 'notin', ['Ada', 'sam', 'José']],
  ['name.first', 'eqL', 'ADA'],
  ['name.first', 'neL', 'ADA'],
  ['name.first', 'startsL', 'AN'],
  ['name.first', 'endsL', 'A'],
  ['name.first', 'contL', 'A'],
  ['name.first', 'exclL', 'A'],
  ['name.first', 'inL', ['ADA', 'Sam']],
  ['name.first', 'notinL', ['ADA', 'Sam']],
  ['name.first', 'isnull', true],
  ['name.first', 'notnull', true],
  ['name.last', 'eq', 'Lindqvist '],
  ['name.last', 'eq', "O'Brien"],
  ['name.last', 'eq', 'ART\\kiosk'],
  ['name.last', 'eq', 'Einkauf || Verkauf'],
  ['name.last', 'eq', 'Downing, Jr.'],
  ['name.first', 'eq', 'Lila 🌻'],
  ['name.last', 'eq', 'null'],
  ['profile.bio', 'eq', '404'],
  ['profile.bio', 'contL', "robert'); DROP TABLE users;--"],
  ['name.last', 'cont', '%'],
  ['name.first', 'contL', '_'],
  ['name.last', 'starts', '50%'],
  ['email', 'endsL', '@MUELLERSOEHNE.EXAMPLE'],
  ['age', 'eq', 36],
  ['age', 'ne', 36],
  ['age', 'gt', 39],
  ['age', 'lt', 30],
  ['age', 'gte', 39],
  ['age', 'lte', 30],
  ['age', 'between', [20, 40]],
  ['age', 'in', [0, 81, 36]],
  ['age', 'notin', [0, 81, 36]],
  ['age', 'isnull', true],
  ['age', 'notnull', true],
  ['age', 'cont', '0'],
  ['age', 'contL', '3'],
  ['balance', 'eq', 100.5],
  ['balance', 'gt', -0.01],
  ['balance', 'between', [-250, 100.51]],
  ['score', 'lte', 0.5],
  ['isActive', 'eq', true],
  ['isActive', 'eq', false],
  ['isActive', 'cont', false],
  ['role', 'eq', 'admin'],
  ['role', 'in', ['admin', 'guest']],
  ['role', 'contL', 'M'],
  ['birthDate', 'eq', '1990-01-01'],
  ['birthDate', 'gte', '1989-12-31'],
  ['birthDate', 'between', ['1970-01-01', '2000-02-29']],
  ['createdAt', 'lt', '2021-12-31T23:59:59.999Z'],
  ['createdAt', 'gte', '2024-03-31T01:30:00.123Z'],
  ['settings.theme', 'eq', 'dark'],
  ['companyId', 'eq', 7],
  ['company.name', 'contL', 'LUMEN'],
  ['company.domain', 'starts', 'Mueller'],
  ['profile.city', 'isnull', true],
  ['profile.city', 'eq', 'Zürich'],
];

/** How a condition reads in a test's title. */
export const titleOf = ([field, operator, value]) => `${field} ${operator} ${JSON.stringify(value)}`;

/** Relations that the conditions reach. */
export const RELATIONS = { company: true, profile: true };
