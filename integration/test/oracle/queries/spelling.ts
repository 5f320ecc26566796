/** One of the query strings that express a list query, written from the description of the query language alone. */
import { type Condition, type Field, lastOf } from '../evaluator/condition.js';
import { TEXT_OPERATORS } from '../evaluator/comparison.js';
import type { ListQuery } from '../evaluator/list.js';
import type { Resource } from '../evaluator/resource.js';
import type { Value } from '../evaluator/tables.js';
import type { Draws } from './draws.js';

/** The client's condition in the form of `filter` and `or`. */
export interface FilterForm {
  readonly filter: readonly Compare[];
  readonly or: readonly Compare[];
}

export type Compare = Extract<Condition, { kind: 'compare' }>;
type Pair = readonly [name: string, value: string];

/** What `filter` and `or` mean together. */
export function conditionOf({ filter, or }: FilterForm): Condition | undefined {
  const all = (items: readonly Compare[]): Condition => ({ kind: 'and', items });
  if (filter.length === 0 && or.length === 0) return undefined;
  if (or.length === 0) return all(filter);
  if (filter.length === 0) return { kind: 'or', items: or };
  return { kind: 'or', items: [all(filter), all(or)] };
}

/** Whether a comparison can be said in `filter` and `or`: an empty value, an empty list and a text that JSON would read as something else cannot. */
export function fitsFilter({ field, comparison: { operands, operator } }: Compare): boolean {
  if (operator !== 'isnull' && operator !== 'notnull' && operands.length === 0) return false;
  const isRead = field.keys.length > 0 && !TEXT_OPERATORS.has(operator);
  const misread = (operand: Value) => typeof operand === 'string' && /^(-?\d|true$|false$)/.test(operand);
  return operands.every((operand) => operand !== '' && !(isRead && misread(operand)));
}

export function queryString(query: ListQuery, form: FilterForm | undefined, draws: Draws): string {
  const printJoin = ({ relation, fields }: ListQuery['joins'][number]) => {
    const name = draws.of(namesOfRelation(query.resource, relation, false));
    return fields.length > 0 ? `${name}||${fields.join(',')}` : name;
  };
  const printSort = ({ field, descending }: ListQuery['sort'][number]) =>
    nameOf(query, field, draws) + draws.of(descending ? [',DESC', ',desc'] : [',ASC', '']);
  const pairs = [
    ...(form ? filterPairs(query, form, draws) : searchPairs(query, draws)),
    ...(query.fields.length > 0 ? [[draws.of(['fields', 'select']), query.fields.join(',')] as const] : []),
    ...repeated('join', query.joins.map(printJoin), draws),
    ...repeated('sort', query.sort.map(printSort), draws),
    ...number(draws.of(['limit', 'per_page']), query.limit),
    ...number('page', query.page),
    ...number('offset', query.offset),
    ...number('includeDeleted', query.includeDeleted),
  ];
  return pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

const number = (name: string, value: number | undefined): Pair[] =>
  value === undefined ? [] : [[name, String(value)]];

function repeated(name: string, values: readonly string[], draws: Draws): Pair[] {
  const style = draws.below(4);
  return values.map((value, index) => [style === 3 ? `${name}[${index}]` : style === 2 ? `${name}[]` : name, value]);
}

function filterPairs(query: ListQuery, { filter, or }: FilterForm, draws: Draws): Pair[] {
  const print = ({ field, comparison }: Compare): string => {
    const values = comparison.operands.map((operand) => valueText(field, comparison.operator, operand, draws));
    const isList = values.length !== 1 || ['in', 'notin', 'contArr', 'intersectsArr'].includes(comparison.operator);
    const value = isList ? values.map((item) => item.replace(/[\\,]/g, '\\$&')).join(',') : values[0]!;
    const head = `${nameOf(query, field, draws)}||${operatorName(comparison, draws)}`;
    return values.length === 0 ? head : `${head}||${value}`;
  };
  return [...repeated('filter', filter.map(print), draws), ...repeated('or', or.map(print), draws)];
}

function operatorName({ operator, fold }: Compare['comparison'], draws: Draws): string {
  return `${draws.of(['$', ''])}${operator}${fold ? 'L' : ''}`;
}

function searchPairs(query: ListQuery, draws: Draws): Pair[] {
  const { condition } = query;
  if (!condition) return [];
  const print = (item: Condition): object => {
    if (item.kind === 'compare') return printComparison(item);
    const items = item.items.map(print);
    if (item.kind === 'not') return { $not: items.length === 1 && draws.below(2) === 0 ? items[0] : items };
    // Members of one object are ANDed, where no name meets itself.
    const merged: object = Object.assign({}, ...items);
    const distinct = Object.keys(merged).length === items.flatMap(Object.keys).length;
    const mayMerge = item.kind === 'and' && distinct && items.length > 0;
    return mayMerge && draws.below(2) === 0 ? merged : { [`$${item.kind}`]: items };
  };
  const printComparison = ({ field, comparison }: Compare): object => {
    const { operator, fold, operands } = comparison;
    const name = nameOf(query, field, draws);
    if (operator === 'isnull') return { [name]: draws.below(2) === 0 ? { $isnull: true } : null };
    if (operator === 'notnull') return { [name]: draws.of([{ $notnull: true }, { $isnull: false }]) };
    const values = operands.map((operand) => valueJson(field, operator, operand, draws));
    const isList = ['in', 'notin', 'between', 'contArr', 'intersectsArr'].includes(operator);
    if (operator === 'eq' && !fold && draws.below(3) === 0) return { [name]: values[0] };
    const compared = { [operatorName(comparison, draws)]: isList ? values : values[0] };
    return { [name]: draws.oneIn(6) ? { $or: compared } : compared };
  };
  return [['s', JSON.stringify(print(condition))]];
}

/** A value in `s`: texts that look like numbers may come as numbers, numbers as texts. */
function valueJson(field: Field, operator: Compare['comparison']['operator'], operand: Value, draws: Draws): unknown {
  if (field.keys.length > 0) return operand;
  const text = valueText(field, operator, operand, draws);
  if (typeof operand === 'number' && field.column.type !== 'datetime') return draws.of([operand, text]);
  if (typeof operand === 'boolean') return draws.of([operand, text]);
  if (field.column.type === 'text' && /^(true|false|[1-9]\d{0,8})$/.test(text))
    return draws.of([text, JSON.parse(text) as unknown]);
  return text;
}

/** A value as text, in one of the ways that mean it. */
function valueText(field: Field, operator: Compare['comparison']['operator'], operand: Value, draws: Draws): string {
  const { type } = field.column;
  if (field.keys.length > 0 || (TEXT_OPERATORS.has(operator) && type !== 'boolean')) return String(operand);
  if (type === 'boolean') return draws.of(operand === true ? ['true', '1'] : ['false', '0']);
  if (type === 'decimal') return draws.of([String(operand), (operand as number).toFixed(2)]);
  if (type === 'uuid') return draws.of([String(operand), String(operand).toUpperCase()]);
  if (type === 'datetime') return momentText(operand as number, draws);
  return String(operand);
}

const HOUR = 3_600_000;

function momentText(moment: number, draws: Draws): string {
  const shifted = (hours: number, zone: string) => new Date(moment + hours * HOUR).toISOString().replace('Z', zone);
  const zones = [[0, 'Z'], [0, ''], [0, '+00:00'], [2, '+02:00'], [-9.5, '-09:30']] as const; // prettier-ignore
  const spellings = zones.map(([hours, zone]) => shifted(hours, zone));
  if (moment % 1000 === 0) spellings.push(shifted(0, '').replace('.000', ''));
  if (moment % (24 * HOUR) === 0) spellings.push(shifted(0, '').slice(0, 10));
  return draws.of(spellings);
}

/** The name of a field: by path, by alias, by the last segment where nothing else has that name and the request joins the relation. */
function nameOf({ resource, joins }: ListQuery, { relation, column, keys }: Field, draws: Draws): string {
  const isJoined = resource.joins[relation]?.eager === true || joins.some((join) => join.relation === relation);
  const names = relation === '' ? [''] : namesOfRelation(resource, relation, isJoined);
  return [draws.of(names), column.path, ...keys].filter((part) => part !== '').join('.');
}

function namesOfRelation({ joins, table }: Resource, relation: string, isJoined: boolean): string[] {
  const last = lastOf(relation);
  const bearers = Object.keys(joins).filter((path) => lastOf(path) === last);
  const own = [...table.columns.map(({ path }) => path.split('.')[0]), ...table.relations.map(({ name }) => name)];
  const { alias } = joins[relation] ?? {};
  return [
    relation,
    ...(alias ? [alias] : []),
    ...(isJoined && bearers.length === 1 && !own.includes(last) ? [last] : []),
  ];
}
