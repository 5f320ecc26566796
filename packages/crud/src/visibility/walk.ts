/** The one walk over the classes between a record and its answer. What it does not understand counts as changed. */
import type { Type } from '@nestjs/common';
import { isObject } from '../definition/plain-objects.js';
import { oncePerObject } from '../get-or-insert.js';
import { prototypeChain } from '../nest/metadata.js';
import type { CatalogColumn, ColumnKind } from '../plan/catalog.js';
import type { PathState } from '../plan/column-access.js';
import { getClassPlan } from '../serialization/class-transformer.js';
import type { SerializationTarget } from '../serialization/serialize.js';
import type { Level, PropertyPlace } from './levels.js';
import { isExposed, nameInAnswer, type PropertyRule, readRule, type TransformOptions } from './property-rule.js';

/** How a record comes into an answer. */
export interface Answer {
  /** The class that it is copied onto; `false`: sent as it is. Default: its own class. */
  readonly target?: SerializationTarget;
  /** The class of the envelope that it is a part of. */
  readonly envelope?: Type<unknown>;
}

/** What an answer makes of the last property of a way. */
export interface Walked {
  readonly state: PathState;
  /** The names on the way to it in the answer. */
  readonly names: readonly string[];
  /** Whether records lack it, since a getter of its name is not exposed. */
  readonly isAbsent: boolean;
  /** Whether a `@Transform()` stands on it. */
  readonly isTransformed: boolean;
}

/** What is walked with. */
export interface WalkContext {
  readonly options: TransformOptions;
  /** `query.formats`. */
  readonly formats: readonly string[];
}

/** Follows a way of at least one level into an answer. */
export function walkAnswer(
  levels: readonly Level[],
  { column }: PropertyPlace,
  { target, envelope }: Answer,
  context: WalkContext,
): Walked {
  if (target === false) return walkUnserialized(levels);

  const way = envelope ? [ENVELOPE_DATA, ...levels] : levels;
  const copy = envelope ?? target;
  const isCopied = copy !== undefined && !way[0]!.holders.every((holder) => isSubclass(holder, copy));
  const first = walkClasses(way, undefined, context);
  const passes = isCopied ? [first, walkClasses(listCopyLevels(way, first, copy), copy, context)] : [first];
  const lasts = passes.map(({ steps }) => steps.at(-1)!);
  const { options } = context;
  const isUnderstood =
    options.areUnderstood && lasts.every(({ rule }) => !column || keepsValue(rule.type, column, options));

  return {
    state: findWorst([...passes.map(({ state }) => state), isUnderstood ? 'shown' : 'changed']),
    names: passes
      .at(-1)!
      .steps.slice(way.length - levels.length)
      .map(({ rule }) => rule.name),
    isAbsent: passes.some(({ isAbsent }) => isAbsent),
    isTransformed: lasts.some(({ rule }) => rule.isTransformed),
  };
}

const ENVELOPE_DATA: Level = { path: '', key: 'data', holders: [undefined], others: () => [] };

/** Records as they are, printed by `JSON.stringify`. */
function walkUnserialized(levels: readonly Level[]): Walked {
  const isAbsent = levels.some(
    ({ holders, key, isAssigned }) => !isAssigned && holders.some((holder) => hasAccessor(holder, key)),
  );
  const isPrinted = levels.some(({ holders }) =>
    holders.some((holder) => isClass(holder) && 'toJSON' in (holder.prototype as object)),
  );

  return {
    state: isAbsent || isPrinted ? 'changed' : 'shown',
    names: levels.map(({ key }) => key),
    isAbsent,
    isTransformed: false,
  };
}

/** One pass of class-transformer. */
interface ClassWalk {
  readonly state: PathState;
  readonly isAbsent: boolean;
  readonly steps: readonly WalkedLevel[];
}

interface WalkedLevel {
  /** What the object is taken for. */
  readonly targets: readonly unknown[];
  readonly rule: PropertyRule;
}

/** Objects are taken for what `@Type()` says, the first one for `start`; else for what they are. */
function walkClasses(levels: readonly Level[], start: object | undefined, context: WalkContext): ClassWalk {
  const steps: WalkedLevel[] = [];
  const states: PathState[] = [];
  let isAbsent = false;
  let type: unknown = start;

  for (const { key, path, others, holders, isAssigned, isReplaced } of levels) {
    const targets = type === undefined ? holders : [type];
    const property = { key, others, isFormat: context.formats.includes(path) };
    const rules = targets.map((target) => readRule(isClass(target) ? target : Object, property, context.options));
    const [rule] = rules as [PropertyRule, ...PropertyRule[]];
    const computing = isAssigned ? [] : [...targets, ...holders].filter((target) => hasAccessor(target, key));
    const isUnclear =
      isReplaced ||
      computing.length > 0 ||
      (type !== undefined && (!isClass(type) || isConversion(type))) ||
      rules.some(({ name, type: other }) => name !== rule.name || other !== rule.type);

    isAbsent ||= computing.some((target) => !isExposed(target as object, key));
    states.push(...rules.map(({ state }) => state), isUnclear ? 'changed' : 'shown');
    steps.push({ targets, rule: { ...rule, isTransformed: rules.some((one) => one.isTransformed) } });
    ({ type } = rule);
  }

  return { state: findWorst(states), isAbsent, steps };
}

/**
 * The levels of a plain record that was copied onto a new instance of a class, whose initialisers may make objects of
 * further classes.
 */
function listCopyLevels(levels: readonly Level[], { steps }: ClassWalk, copy: Type<unknown>): Level[] {
  let made = newInstance(copy);

  return levels.map((level, index): Level => {
    const { targets, rule } = steps[index]!;
    const declared: Readonly<Record<string, PropertyDescriptor>> = isObject(made)
      ? Object.getOwnPropertyDescriptors(made)
      : {};
    const { constructor: holder } = isObject(made) && !Array.isArray(made) ? made : {};
    const initials = [declared[level.key], declared[rule.name]];
    const isReplaced = made === UNMADE || initials.some((initial) => initial && !takesValue(initial));
    const renamed = () => level.others!().flatMap((key) => targets.map((target) => nameInAnswer(target, key)));
    // Objects are merged into the initial one of their name before it changes.
    made = declared[level.key]?.value;

    return {
      ...level,
      key: rule.name,
      holders: [holder === Object ? undefined : holder],
      others: level.others && (() => [...Object.keys(declared), ...renamed()]),
      isAssigned: false,
      isReplaced,
    };
  });
}

const UNMADE = Symbol('its constructor fails');

function newInstance(target: Type<unknown>): unknown {
  try {
    return new target();
  } catch {
    return UNMADE;
  }
}

/** Whether a record's value takes the place of an initial one. */
function takesValue({ get, value }: PropertyDescriptor): boolean {
  return !get && typeof value !== 'function' && !(value instanceof Map);
}

type AnyClass = Type<unknown>;

function isClass(target: unknown): target is AnyClass {
  return typeof target === 'function' && typeof target.prototype === 'object';
}

function isSubclass(target: unknown, other: AnyClass): boolean {
  return isClass(target) && (target === other || target.prototype instanceof other);
}

/** Whether a class has a getter or setter of a name. */
function hasAccessor(target: unknown, key: string): boolean {
  return isClass(target) && getAccessors(target.prototype as object).has(key);
}

const getAccessors = oncePerObject(
  (prototype: object): ReadonlySet<string> =>
    new Set(
      prototypeChain(prototype).flatMap((owner) =>
        Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([name, { get, set }]) =>
          get || set ? [name] : [],
        ),
      ),
    ),
);

const WORST_FIRST: readonly PathState[] = ['hidden', 'changed', 'shown'];

export function findWorst(states: readonly PathState[]): PathState {
  return WORST_FIRST.find((state) => states.includes(state)) ?? 'shown';
}

export function findBest(states: readonly PathState[]): PathState {
  return WORST_FIRST.findLast((state) => states.includes(state)) ?? 'hidden';
}

const NUMBERS: readonly ColumnKind[] = ['integer', 'bigint', 'decimal', 'float'];
const SCALARS: readonly ColumnKind[] = ['text', ...NUMBERS, 'boolean', 'uuid', 'enum', 'date', 'time', 'datetime'];

/** What values are converted to, and the columns whose values it does not change. */
const CONVERSIONS = new Map<unknown, readonly ColumnKind[]>([
  [String, SCALARS],
  [Number, NUMBERS],
  [Boolean, ['boolean']],
  [Date, ['date', 'datetime']],
  [Buffer, []],
]);

function isConversion(type: unknown): boolean {
  return CONVERSIONS.has(type);
}

/** Whether the values of a column, or of a key in its JSON, stay as they are under a type. */
function keepsValue(
  type: unknown,
  { kind, elementKind, transformed }: CatalogColumn,
  options: TransformOptions,
): boolean {
  const kindOfItems = kind === 'array' ? (elementKind ?? 'json') : kind;
  const kept = CONVERSIONS.get(type);
  if (kept) return kept.includes(kindOfItems);
  if (SCALARS.includes(kindOfItems) && !transformed) return true;

  // What is in an object, nobody knows.
  return options.exposesAll && options.excludePrefixes.length === 0 && showsAll(type);
}

/** Whether objects that are taken for a class are shown whole. */
function showsAll(type: unknown, outer: readonly unknown[] = []): boolean {
  if (type === undefined || outer.includes(type)) return true;
  const plan = typeof type === 'function' && !isConversion(type) ? getClassPlan(type) : '';

  return (
    typeof plan !== 'string' &&
    plan.keepsAll &&
    [...plan.types.values()].every((inner) => showsAll(inner(), [...outer, type]))
  );
}
