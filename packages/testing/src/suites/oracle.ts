/** Random queries, whose answers are compared with what the seeded records must give. */
import { deepEqual } from 'node:assert/strict';
import type { Api, Json } from '../api.js';
import { suite } from '../application.js';
import type { MemberSeed } from '../records.js';

const QUERIES = 250;
const SEED = 20_240_229;

/** A member as the answers have it. */
type Member = MemberSeed & { readonly id: number };
type Truth = boolean | null;

/** Related records that a condition is about: one per relation, or none. */
type Chosen = Readonly<Record<'badges' | 'notes', string | null>>;

const NOTHING: Chosen = { badges: null, notes: null };

type Kind = 'number' | 'digits' | 'text' | 'plain text' | 'word' | 'boolean' | 'moment' | 'day';
type Field = readonly [kind: Kind, read: (member: Member, chosen: Chosen) => unknown];

const at = (document: unknown, key: string): unknown => (document as Record<string, unknown> | null)?.[key] ?? null;

/** Fields; `plain text` has texts that every collation orders alike, a `word` is a member of an enumeration. */
const FIELDS: Readonly<Record<string, Field>> = {
  id: ['number', ({ id }) => id],
  age: ['number', ({ age }) => age],
  score: ['number', ({ score }) => score],
  points: ['digits', ({ points }) => points],
  email: ['plain text', ({ email }) => email],
  'name.first': ['text', ({ name }) => name.first],
  'name.last': ['text', ({ name }) => name.last],
  isActive: ['boolean', ({ isActive }) => isActive],
  role: ['word', ({ role }) => role],
  bornOn: ['day', ({ bornOn }) => bornOn],
  joinedAt: ['moment', ({ joinedAt }) => joinedAt],
  'settings.theme': ['text', ({ settings }) => at(settings, 'theme')],
  'settings.size': ['number', ({ settings }) => at(settings, 'size')],
  'team.name': ['plain text', ({ team }) => team],
  'passport.number': ['plain text', ({ passport }) => passport],
  'badges.label': ['plain text', (_, { badges }) => badges],
  'notes.text': ['text', (_, { notes }) => notes],
};

const NAMES = Object.keys(FIELDS);
const SORTED = NAMES.filter((name) => FIELDS[name]![0] !== 'text' && !/^(?:badges|notes|settings)\./.test(name));
const EQUALITY = ['eq', 'ne', 'in', 'notin', 'isnull', 'notnull'];
const ORDERED = [...EQUALITY, 'gt', 'gte', 'lt', 'lte', 'between'];
const TEXT = ['starts', 'ends', 'cont', 'excl'];
const OPERATORS: Readonly<Record<Kind, readonly string[]>> = {
  number: ORDERED,
  digits: ORDERED,
  moment: ORDERED,
  day: ORDERED,
  boolean: EQUALITY.filter((name) => name !== 'in' && name !== 'notin'),
  text: [...EQUALITY, ...TEXT],
  'plain text': [...ORDERED, ...TEXT],
  word: [...ORDERED, ...TEXT],
};

/** A condition as `s` has it. */
type Condition = Readonly<Record<string, Json>>;

/** The same numbers on every run. */
class Draws {
  constructor(private state: number) {}
  below(count: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * count);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.below(2) === 1);
  }
}

const comparable = (kind: Kind, value: unknown): string | number | bigint => {
  if (kind === 'digits') return BigInt(value as string);
  if (kind === 'moment') return Date.parse(value as string);
  return kind === 'boolean' ? Number(value) : (value as string | number);
};

function truthOf(condition: Condition, member: Member, chosen: Chosen): Truth {
  const [[name, of] = ['', {}]] = Object.entries(condition);
  if (FIELDS[name]) {
    const [kind, read] = FIELDS[name];
    const [[operator, operands] = ['', []]] = Object.entries(of as object);
    return compare(kind, operator, [operands].flat(), read(member, chosen));
  }
  const truths = (of as Condition[]).map((item) => truthOf(item, member, chosen));
  const all = (decisive: boolean): Truth =>
    truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive;
  if (name !== '$not') return all(name === '$or');
  const truth = all(false);
  return truth === null ? null : !truth;
}

function compare(kind: Kind, operator: string, operands: readonly unknown[], value: unknown): Truth {
  if (operator === '$isnull') return value === null;
  if (operator === '$notnull') return value !== null;
  if (value === null) return null;
  const folded = (one: unknown) => (operator.endsWith('L') ? String(one).toLowerCase() : one);
  const [stored, ...given] = [value, ...operands].map((one) => comparable(kind, folded(one)));
  const [first = 0, second = 0] = given;
  const text = String(stored);
  const tests: Readonly<Record<string, () => boolean>> = {
    $eq: () => stored === first,
    $ne: () => stored !== first,
    $gt: () => stored! > first,
    $gte: () => stored! >= first,
    $lt: () => stored! < first,
    $lte: () => stored! <= first,
    $between: () => stored! >= first && stored! <= second,
    $in: () => given.includes(stored!),
    $notin: () => !given.includes(stored!),
    $starts: () => text.startsWith(String(first)),
    $ends: () => text.endsWith(String(first)),
    $cont: () => text.includes(String(first)),
    $excl: () => !text.includes(String(first)),
  };
  return tests[operator.replace('L', '')]!();
}

/** The relations to many that a condition is about. */
const relationsIn = (condition: Condition | undefined): Set<string> =>
  new Set(['badges', 'notes'].filter((relation) => JSON.stringify(condition ?? {}).includes(`"${relation}.`)));

/** Every choice of related records; a record without any has one that is none. */
function choicesOf({ badges, notes }: Member, about: ReadonlySet<string>): Chosen[] {
  const offered = (relation: string, list: readonly string[]) =>
    about.has(relation) && list.length > 0 ? list : [null];
  const ofBadge = (badge: string | null) => offered('notes', notes).map((note) => ({ badges: badge, notes: note }));
  return offered('badges', badges).flatMap(ofBadge);
}

function drawCondition(draws: Draws, members: readonly Member[], depth: number): Condition {
  if (depth > 0 && draws.below(2) === 1) {
    const items = Array.from({ length: 1 + draws.below(3) }, () => drawCondition(draws, members, depth - 1));
    return { [draws.of(['$and', '$or', '$not'])]: items };
  }
  const name = draws.of(NAMES);
  const [kind, read] = FIELDS[name]!;
  const operator = draws.of(OPERATORS[kind]);
  if (operator.endsWith('null')) return { [name]: { [`$${operator}`]: true } };
  const values = members.flatMap((member) =>
    choicesOf(member, new Set(['badges', 'notes'])).flatMap((chosen) => read(member, chosen) ?? []),
  );
  const fold = kind.endsWith('text') && draws.below(3) === 0;
  const draw = (): unknown => {
    const value = draws.of(values);
    const part = TEXT.includes(operator) ? partOf(String(value), draws, operator) : value;
    return fold ? String(part).toUpperCase() : part;
  };
  const operands = Array.from({ length: operator === 'between' ? 2 : 1 + draws.below(3) }, draw);
  return { [name]: { [`$${operator}${fold ? 'L' : ''}`]: /in$|between/.test(operator) ? operands : operands[0] } };
}

function partOf(text: string, draws: Draws, operator: string): string {
  const size = 1 + draws.below(Math.max(1, text.length - 1));
  // One in three is a part from anywhere, which the operator may not find.
  const isAnywhere = draws.below(3) === 0 || !['starts', 'ends'].includes(operator);
  const from = isAnywhere ? draws.below(text.length) : operator === 'starts' ? 0 : text.length - size;
  return text.slice(from, from + size);
}

type Asked = ReturnType<typeof drawQuery>;

function drawQuery(draws: Draws, members: readonly Member[]) {
  const sort = draws
    .some(SORTED)
    .slice(0, 3)
    .map((name) => [name, draws.below(2) === 1] as const);
  return {
    condition: draws.below(8) === 0 ? undefined : drawCondition(draws, members, 3),
    sort: [...sort, ['id', false] as const],
    joins: draws.some(['team', 'passport', 'badges', 'notes']),
    limit: 1 + draws.below(30),
    offset: draws.below(3) === 0 ? draws.below(12) : 0,
  };
}

/** What the answer must be, as far as it is compared. */
function expected(asked: Asked, members: readonly Member[], nullsFirst: boolean): object {
  const { condition, sort, joins, limit, offset } = asked;
  const about = relationsIn(condition);
  const matching = members
    .map((member) => ({
      member,
      choices: choicesOf(member, about).filter((chosen) => !condition || truthOf(condition, member, chosen) === true),
    }))
    .filter(({ choices }) => choices.length > 0);
  const inOrder = (one: Member, other: Member): number => {
    for (const [name, descending] of sort) {
      const [kind, read] = FIELDS[name]!;
      const [a, b] = [one, other].map((member) => read(member, NOTHING));
      const nulls = (Number(b === null) - Number(a === null)) * (nullsFirst ? 1 : -1);
      const [first, second] = a === null || b === null ? [nulls, 0] : [comparable(kind, a), comparable(kind, b)];
      const order = first! < second! ? -1 : Number(first! > second!);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
  const page = [...matching].sort((one, other) => inOrder(one.member, other.member)).slice(offset, offset + limit);
  return {
    total: matching.length,
    data: page.map(({ member, choices }) => {
      // Of a relation that a condition is about, the answer has those for which it holds.
      const kept = (relation: keyof Chosen) =>
        member[relation].filter((one) => !about.has(relation) || choices.some((chosen) => chosen[relation] === one));
      return compared({ ...member, badges: kept('badges'), notes: kept('notes') }, joins);
    }),
  };
}

/** What is compared of a record: its email, and names of what it is joined with. */
const compared = (record: Json, joins: readonly string[]): object =>
  Object.fromEntries(['email', ...joins].map((name) => [name, record[name]]));

async function answered(api: Api, { condition, sort, joins, limit, offset }: Asked): Promise<object> {
  // What a list is sorted by must be joined.
  const joined = new Set([...joins, ...sort.flatMap(([name]) => /^(team|passport)\./.exec(name)?.[1] ?? [])]);
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  if (condition) query.set('s', JSON.stringify(condition));
  for (const [name, descending] of sort) query.append('sort', `${name},${descending ? 'DESC' : 'ASC'}`);
  for (const join of joined) query.append('join', join);
  const { status, body, text } = await api.get(`/members?${query}`);
  if (status !== 200) return { status, text };
  return {
    total: body.total,
    data: body.data.map(({ team, passport, badges, notes, ...record }: Json) => {
      const labels = badges?.map(({ label }: Json) => label).sort();
      const texts = notes?.map((note: Json) => note.text).sort();
      const named = { team: team?.name, passport: passport?.number ?? null, badges: labels, notes: texts };
      return compared({ ...record, ...named }, joins);
    }),
  };
}

export const oracle = suite('random queries', {
  [`${QUERIES} lists are answered as the records and the query say`]: async ({ api, ids, members: seeds }) => {
    const members = seeds.map((member) => ({ ...member, id: ids.members[member.email]! }));
    const [first] = await api.list('/members?sort=age,ASC&sort=id,ASC&limit=1');
    const nullsFirst = first.age === null;
    const draws = new Draws(SEED);
    for (let at = 0; at < QUERIES; at += 1) {
      const asked = drawQuery(draws, members);
      deepEqual(
        await answered(api, asked),
        expected(asked, members, nullsFirst),
        `query ${at}: ${JSON.stringify(asked)}`,
      );
    }
  },
});
