/** Operands for a comparison: stored values, their neighbours, and parts of their texts. */
import { textOf, TEXT_OPERATORS } from '../evaluator/comparison.js';
import type { Database } from '../evaluator/differences.js';
import type { Value } from '../evaluator/tables.js';
import type { Cell, ComparableField, ComparedType } from './cells.js';
import type { Draws } from './draws.js';

/** Values that may be stored nowhere. They are few and known, since the database is asked how it orders them. */
export const PROBES: { readonly [T in ComparedType]?: readonly Value[] } = {
  text: ['A', 'm', 'Z', 'ÄÖ', '~', 'ada '],
  integer: [2, 4, -1, 100],
  bigint: [9007199254740991n, 1n, -6n],
  float: [0.25, 1, -1, 0.1],
  decimal: [100.49, -0.02, 1, 12.34],
  date: ['1990-01-02', '2024-02-29'],
  time: ['12:00:01'],
  datetime: [Date.parse('2024-05-01T00:00:00.000Z'), Date.parse('2000-01-01T00:00:00.000Z')],
  uuid: [],
  boolean: [true, false],
  list: [['red'], ['none']],
  'JSON text': ['dark', 'm', 'Z'],
  'JSON number': [1, 10, 20],
  'JSON boolean': [true, false],
};

/** A list and what may be asked for beside it. */
function offered({ type, values }: ComparableField): readonly Value[] {
  const probes = PROBES[type] ?? [];
  return values.length === 0 && probes.length === 0 ? [''] : [...values, ...probes];
}

/** Operands of one comparison. */
export function operandsOf(
  { operator, fold }: Cell,
  field: ComparableField,
  draws: Draws,
  database: Database,
): Value[] {
  const values = offered(field);
  const one = (): Value => draws.of(values);
  if (operator === 'isnull' || operator === 'notnull') return [];
  if (operator === 'in' || operator === 'notin') return draws.oneIn(23) ? [] : several(draws, one);
  if (operator === 'contArr' || operator === 'intersectsArr') return draws.oneIn(23) ? [] : items(draws, one);
  if (operator === 'between') return between(field, draws, one, database);
  if (TEXT_OPERATORS.has(operator) && field.type !== 'boolean') {
    const part = partOf(textOf(field, one(), database) ?? '', operator, draws);
    return [fold && draws.below(2) === 0 ? swapCase(part) : part];
  }
  const value = one();
  // The members of an enum are all there is.
  const folds = fold && typeof value === 'string' && (field.type === 'text' || field.type === 'JSON text');
  return [folds && draws.below(2) === 0 ? swapCase(value) : value];
}

const several = (draws: Draws, one: () => Value): Value[] => Array.from({ length: 1 + draws.below(4) }, one);

function items(draws: Draws, one: () => Value): Value[] {
  const all = several(draws, one).flat();
  const list = all.slice(0, 1 + draws.below(3));
  return list.length > 0 ? list : ['red'];
}

/** Mostly in order, since the reverse matches nothing. */
function between({ type, keys }: ComparableField, draws: Draws, one: () => Value, database: Database): Value[] {
  const [low, high] = [one(), one()];
  const isText = type === 'text' || type === 'enum' || type === 'JSON text';
  const isReverse = isText
    ? database.order(keys.length > 0 ? 'JSON text' : 'text', String(low), String(high)) > 0
    : (low as number) > (high as number);
  return isReverse && !draws.oneIn(8) ? [high, low] : [low, high];
}

/** Takes part of a text, at the place where the operator looks. */
function partOf(text: string, operator: Cell['operator'], draws: Draws): string {
  const characters = Array.from(text);
  const length = 1 + draws.below(Math.min(characters.length, 4));
  const last = characters.length - length;
  const start = Math.max(operator === 'starts' ? 0 : operator === 'ends' ? last : draws.below(last + 1), 0);
  return characters.slice(start, start + length).join('');
}

/** The text with its case turned where that turns back: `ß` stays. */
export function swapCase(text: string): string {
  return Array.from(text, (letter) => {
    const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    const turnsBack = turned.length === letter.length && [turned.toLowerCase(), turned.toUpperCase()].includes(letter);
    return turnsBack ? turned : letter;
  }).join('');
}
