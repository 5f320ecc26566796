/** Random queries, whose answers are compared with what the seeded records must give. */
import { deepEqual } from 'node:assert/strict';
import type { Api, Json } from '../api.js';
import { suite } from '../case.js';
import type { MemberSeed } from '../records.js';

const QUERIES = 250;
const SEED = 20_240_229;

/** A member as the answers have it. */
type Member = MemberSeed & { readonly id: number };
type Truth = boolean | null;

/** Related records that a condition is about: one per relation, or none. */
type Chosen = Readonly<Record<'badges' | 'notes', string | null>>;

const NOTHING: Chosen = { badges: null, notes: null };

interface Field {
  readonly name: string;
  readonly kind: 'number' | 'digits' | 'text' | 'plain text' | 'boolean' | 'moment' | 'day';
  readonly read: (member: Member, chosen: Chosen) => unknown;
}

const at = (document: unknown, key: string): unknown => (document as Record<string, unknown> | null)?.[key] ?? null;

/** Fields; `plain text` has texts that every collation orders alike. */
const FIELDS: readonly Field[] = [
  { name: 'id', kind: 'number', read: ({ id }) => id },
  { name: 'age', kind: 'number', read: ({ age }) => age },
  { name: 'score', kind: 'number', read: ({ score }) => score },
  { name: 'points', kind: 'digits', read: ({ points }) => points },
  { name: 'email', kind: 'plain text', read: ({ email }) => email },
  { name: 'name.first', kind: 'text', read: ({ name }) => name.first },
  { name: 'name.last', kind: 'text', read: ({ name }) => name.last },
  { name: 'isActive', kind: 'boolean', read: ({ isActive }) => isActive },
  { name: 'role', kind: 'plain text', read: ({ role }) => role },
  { name: 'bornOn', kind: 'day', read: ({ bornOn }) => bornOn },
  { name: 'joinedAt', kind: 'moment', read: ({ joinedAt }) => joinedAt },
  { name: 'settings.theme', kind: 'text', read: ({ settings }) => at(settings, 'theme') },
  { name: 'settings.size', kind: 'number', read: ({ settings }) => at(settings, 'size') },
  { name: 'team.name', kind: 'plain text', read: ({ team }) => team },
  { name: 'passport.number', kind: 'plain text', read: ({ passport }) => passport },
  { name: 'badges.label', kind: 'plain text', read: (_, { badges }) => badges },
  { name: 'notes.text', kind: 'text', read: (_, { notes }) => notes },
];

const SORTED = FIELDS.filter(({ name, kind }) => kind !== 'text' && !/^(?:badges|notes|settings)\./.test(name));
const EQUALITY = ['eq', 'ne', 'in', 'notin', 'isnull', 'notnull'];
const ORDERED = [...EQUALITY, 'gt', 'gte', 'lt', 'lte', 'between'];
const TEXT = ['starts', 'ends', 'cont', 'excl'];
const OPERATORS: Readonly<Record<Field['kind'], readonly string[]>> = {
  number: ORDERED,
  digits: ORDERED,
  moment: ORDERED,
  day: ORDERED,
  boolean: EQUALITY.filter((name) => name !== 'in' && name !== 'notin'),
  text: [...EQUALITY, ...TEXT],
  'plain text': [...ORDERED, ...TEXT],
};

interface Comparison {
  readonly field: Field;
  readonly operator: string;
  readonly fold: boolean;
  readonly operands: readonly unknown[];
}

type Condition = Comparison | { readonly kind: 'and' | 'or' | 'not'; readonly items: readonly Condition[] };

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

const comparable = ({ kind }: Field, value: unknown): string | number | bigint => {
  if (kind === 'digits') return BigInt(value as string);
  if (kind === 'moment') return Date.parse(value as string);
  return kind === 'boolean' ? Number(value) : (value as string | number);
};

function truthOf(condition: Condition, member: Member, chosen: Chosen): Truth {
  if ('field' in condition) return compare(condition, condition.field.read(member, chosen));
  const truths = condition.items.map((item) => truthOf(item, member, chosen));
  const all = (decisive: boolean): Truth =>
    truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive;
  if (condition.kind !== 'not') return all(condition.kind === 'or');
  const truth = all(false);
  return truth === null ? null : !truth;
}

function compare({ field, operator, fold, operands }: Comparison, value: unknown): Truth {
  if (operator === 'isnull') return value === null;
  if (operator === 'notnull') return value !== null;
  if (value === null) return null;
  const folded = (one: unknown) => (fold ? String(one).toLowerCase() : one);
  const [stored, ...given] = [value, ...operands].map((one) => comparable(field, folded(one)));
  const [first = 0, second = 0] = given;
  const text = String(stored);
  const tests: Readonly<Record<string, () => boolean>> = {
    eq: () => stored === first,
    ne: () => stored !== first,
    gt: () => stored! > first,
    gte: () => stored! >= first,
    lt: () => stored! < first,
    lte: () => stored! <= first,
    between: () => stored! >= first && stored! <= second,
    in: () => given.includes(stored!),
    notin: () => !given.includes(stored!),
    starts: () => text.startsWith(String(first)),
    ends: () => text.endsWith(String(first)),
    cont: () => text.includes(String(first)),
    excl: () => !text.includes(String(first)),
  };
  return tests[operator]!();
}

/** The relations to many that a condition is about. */
function relationsIn(condition: Condition | undefined): Set<string> {
  if (!condition) return new Set();
  if (!('field' in condition)) return new Set(condition.items.flatMap((item) => [...relationsIn(item)]));
  const [relation = ''] = condition.field.name.split('.');
  return new Set(['badges', 'notes'].includes(relation) ? [relation] : []);
}

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
    return { kind: draws.of(['and', 'or', 'not'] as const), items };
  }
  const field = draws.of(FIELDS);
  const operator = draws.of(OPERATORS[field.kind]);
  const values = members.flatMap((member) =>
    choicesOf(member, new Set(['badges', 'notes'])).flatMap((chosen) => field.read(member, chosen) ?? []),
  );
  const fold = field.kind.endsWith('text') && operator !== 'isnull' && operator !== 'notnull' && draws.below(3) === 0;
  const draw = (): unknown => {
    const value = draws.of(values);
    const part = TEXT.includes(operator) ? partOf(String(value), draws, operator) : value;
    return fold ? String(part).toUpperCase() : part;
  };
  const count = operator === 'between' ? 2 : /in$/.test(operator) ? 1 + draws.below(3) : 1;
  const operands = Array.from({ length: count }, draw);
  // Members of an enumeration are whole ones.
  const isWhole = field.name !== 'role' || !fold;
  return {
    field,
    operator,
    fold: fold && isWhole,
    operands: isWhole ? operands : operands.map((one) => String(one).toLowerCase()),
  };
}

function partOf(text: string, draws: Draws, operator: string): string {
  const size = 1 + draws.below(Math.max(1, text.length - 1));
  // One in three is a part from anywhere, which the operator may not find.
  const isAnywhere = draws.below(3) === 0;
  if (operator === 'starts' && !isAnywhere) return text.slice(0, size);
  if (operator === 'ends' && !isAnywhere) return text.slice(-size);
  const from = draws.below(text.length);
  return text.slice(from, from + size);
}

/** The condition as `s` has it. */
function spell(condition: Condition): object {
  if (!('field' in condition)) {
    const items = condition.items.map(spell);
    return condition.kind === 'not' ? { $not: items } : { [`$${condition.kind}`]: items };
  }
  const { field, operator, fold, operands } = condition;
  const name = `$${operator}${fold ? 'L' : ''}`;
  if (operator === 'isnull' || operator === 'notnull') return { [field.name]: { [name]: true } };
  return { [field.name]: { [name]: /in$|between/.test(operator) ? operands : operands[0] } };
}

interface Asked {
  readonly condition: Condition | undefined;
  readonly sort: readonly (readonly [field: Field, descending: boolean])[];
  readonly joins: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

function drawQuery(draws: Draws, members: readonly Member[]): Asked {
  const sort = draws
    .some(SORTED)
    .slice(0, 3)
    .map((field) => [field, draws.below(2) === 1] as const);
  return {
    condition: draws.below(8) === 0 ? undefined : drawCondition(draws, members, 3),
    sort: [...sort, [FIELDS[0]!, false]],
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
    for (const [field, descending] of sort) {
      const [a, b] = [one, other].map((member) => field.read(member, NOTHING));
      const nulls = (Number(b === null) - Number(a === null)) * (nullsFirst ? 1 : -1);
      const [first, second] = a === null || b === null ? [nulls, 0] : [comparable(field, a), comparable(field, b)];
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
  const joined = new Set([...joins, ...sort.flatMap(([{ name }]) => /^(team|passport)\./.exec(name)?.[1] ?? [])]);
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  if (condition) query.set('s', JSON.stringify(spell(condition)));
  for (const [{ name }, descending] of sort) query.append('sort', `${name},${descending ? 'DESC' : 'ASC'}`);
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
        `query ${at}: s=${JSON.stringify(asked.condition && spell(asked.condition))} ${JSON.stringify({ ...asked, condition: 0, sort: asked.sort.map(([{ name }, down]) => [name, down]) })}`,
      );
    }
  },
});
