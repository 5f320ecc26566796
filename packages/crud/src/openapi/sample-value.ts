import { isPlainObject } from '../definition/plain-objects.js';

/** What is known of a value beside its schema, in the words of JSON Schema. */
export interface Facets {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Whether a text consists of letters, and which. */
  readonly letters?: 'lower' | 'upper';
  /** Whether the value has requirements that these facets cannot express. */
  readonly hasOtherRules?: boolean;
}

/** What is known of a property beside its schema. */
export interface Member {
  readonly facets: Facets;
  /** Whether it is a key, whose samples are numbered like texts. */
  readonly isKey: boolean;
  readonly isOmitted: boolean;
  readonly isOmittedIfOptional: boolean;
  /** The key of a related record, by which alone the sample refers to it. */
  readonly keyOf?: readonly { readonly path: string; readonly facets: Facets }[];
}

/** What a value is made by. */
export interface SampleContext {
  /** The schemas of the document, by name. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Number put into texts and keys, so that samples differ. */
  readonly number: number;
  /** What is known of a property, by its path from the whole value. */
  readonly member: (path: string) => Member;
}

type Node = Readonly<Record<string, unknown>>;

/** A sample value of a schema; optional properties without a certain value are omitted. */
export function sampleOf(schema: unknown, context: SampleContext): unknown {
  return valueOf(schema, context, { path: '', facets: {}, isKey: false, seen: [] });
}

interface Place {
  readonly path: string;
  readonly facets: Facets;
  readonly isKey: boolean;
  /** Names of the schemas that the value is in. */
  readonly seen: readonly string[];
}

function valueOf(schema: unknown, context: SampleContext, place: Place): unknown {
  if (!isPlainObject(schema)) return undefined;
  const { node, seen } = resolved(schema, context, place.seen);
  if (!node) return undefined;

  const [given] = givenValues(node);
  if (given !== undefined) return given.value;

  const choices = (node['oneOf'] ?? node['anyOf']) as readonly unknown[] | undefined;
  if (choices) {
    const [first] = choices.filter((choice) => !isNull(choice));

    return valueOf(first, context, { ...place, seen });
  }

  const known = { ...definedIn(place.facets), ...definedIn(node) } as Facets & Node;
  const type = typeOf(node, place.facets);
  const member = known.enum?.find((value) => value !== null);
  if (member !== undefined) return member;

  return type && MAKERS[type]({ ...known, seen }, context, place);
}

type Known = Facets & Node & { readonly seen: readonly string[] };

const MAKERS: Record<NonNullable<Facets['type']>, (known: Known, context: SampleContext, place: Place) => unknown> = {
  string: (known, { number }, { path }) => textOf(known, path, number),
  integer: (known, { number }, { isKey }) => numberOf(known, isKey ? number : 1),
  number: (known, { number }, { isKey }) => numberOf(known, isKey ? number : 1),
  boolean: () => true,
  array: ({ items, minItems, seen }, context, place) => {
    const item = valueOf(items, context, { ...place, facets: {}, seen });

    return item === undefined ? [] : Array.from({ length: Math.max(1, Number(minItems ?? 1)) }, () => item);
  },
  object: objectOf,
};

function objectOf({ properties = {}, required = [], seen }: Known, context: SampleContext, { path }: Place): unknown {
  const sample: Record<string, unknown> = {};

  for (const [name, schema] of Object.entries(properties as Node)) {
    const at = path === '' ? name : `${path}.${name}`;
    const member = context.member(at);
    const isRequired = (required as readonly string[]).includes(name);
    if (member.isOmitted || isReadOnly(schema, context)) continue;
    if (!isRequired && (member.isOmittedIfOptional || isUncertain(schema, member.facets, context))) continue;

    const place: Place = { path: at, facets: member.facets, isKey: member.isKey, seen };
    const value = member.keyOf ? keySample(member.keyOf, context) : valueOf(schema, context, place);
    if (value !== undefined) sample[name] = value;
  }

  return sample;
}

function keySample(key: NonNullable<Member['keyOf']>, context: SampleContext): unknown {
  // The first record is the most likely to exist.
  const first = { ...context, number: 1 };

  return Object.fromEntries(
    key.map(({ path, facets }) => [path, valueOf({}, first, { path, facets, isKey: true, seen: [] })]),
  );
}

/** A schema with references and `allOf` resolved; undefined if it contains itself. */
function resolved(
  schema: Node,
  context: SampleContext,
  seen: readonly string[],
): { readonly node?: Node; readonly seen: readonly string[] } {
  const { $ref, allOf, ...own } = schema;
  const parts: Node[] = [];
  let path = seen;

  for (const part of [
    ...((allOf as readonly unknown[] | undefined) ?? []),
    ...($ref === undefined ? [] : [{ $ref }]),
  ]) {
    const name = nameIn(part);
    if (name !== undefined && seen.includes(name)) return { seen };
    if (name !== undefined) path = [...path, name];

    const inner = resolved((name === undefined ? part : context.schemas[name]) as Node, context, path);
    if (!inner.node) return { seen };
    parts.push(inner.node);
    path = inner.seen;
  }

  const all = [...parts, own];

  return {
    node: {
      ...Object.assign({}, ...all),
      ...(all.some((part) => part['properties']) && {
        properties: Object.assign({}, ...all.map((part) => part['properties'])) as Node,
        required: all.flatMap((part) => (part['required'] as string[] | undefined) ?? []),
      }),
    } as Node,
    seen: path,
  };
}

function nameIn(part: unknown): string | undefined {
  const { $ref } = part as { $ref?: unknown };

  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
}

function givenValues(node: Node): { readonly value: unknown }[] {
  const { examples } = node;

  return [
    ...('example' in node ? [{ value: node['example'] }] : []),
    ...(Array.isArray(examples) && examples.length > 0 ? [{ value: examples[0] as unknown }] : []),
    ...('const' in node ? [{ value: node['const'] }] : []),
    ...('default' in node ? [{ value: node['default'] }] : []),
  ];
}

/** An object without properties is what @nestjs/swagger makes of types that it cannot see (`string | null`): there the column knows better. */
function typeOf(node: Node, facets: Facets): Facets['type'] {
  const { type: documented, properties } = node;
  const [type] = [documented].flat().filter((name) => name !== 'null' && name !== undefined) as Facets['type'][];
  const isVague = type === undefined || (type === 'object' && !properties);

  return isVague ? (facets.type ?? (properties ? 'object' : type)) : type;
}

/** Whether validation might refuse a value made from the schema, so that an optional property is better omitted. */
function isUncertain(schema: unknown, facets: Facets, context: SampleContext): boolean {
  if (!isPlainObject(schema)) return true;
  const { node } = resolved(schema, context, []);
  if (!node) return true;
  if (givenValues(node).length > 0) return false;
  if ((node['oneOf'] ?? node['anyOf']) !== undefined || facets.hasOtherRules || 'pattern' in node) return true;

  const type = typeOf(node, facets);

  return type === undefined || type === 'array' || (type === 'object' && !node['properties']);
}

function isReadOnly(schema: unknown, context: SampleContext): boolean {
  return isPlainObject(schema) && resolved(schema, context, []).node?.['readOnly'] === true;
}

function isNull(schema: unknown): boolean {
  return isPlainObject(schema) && (schema as Node)['type'] === 'null';
}

function definedIn(facets: object): object {
  return Object.fromEntries(Object.entries(facets).filter(([, value]) => value !== undefined));
}

const FORMATS: Readonly<Record<string, (number: number) => string>> = {
  email: (number) => `user${number}@example.com`,
  uuid: (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  date: () => '2026-01-31',
  'date-time': () => '2026-01-31T12:00:00.000Z',
  time: () => '12:00:00',
  uri: (number) => `https://example.com/${number}`,
  url: (number) => `https://example.com/${number}`,
  hostname: () => 'example.com',
  ipv4: () => '192.0.2.1',
  ipv6: () => '2001:db8::1',
  int64: String,
  decimal: String,
  byte: () => 'AQ==',
  phone: () => '+14155552671',
};

function textOf({ format, letters, minLength = 0, maxLength = Infinity }: Known, path: string, number: number): string {
  const known = format === undefined ? undefined : FORMATS[format]?.(number);
  if (known !== undefined) return known;
  if (letters) {
    const text = `${String.fromCharCode(96 + (number % 26 || 26))}text`.padEnd(minLength, 'x').slice(0, maxLength);

    return letters === 'upper' ? text.toUpperCase() : text;
  }

  const word = path === '' ? 'text' : path.slice(path.lastIndexOf('.') + 1);
  const ending = number === 1 ? '' : ` ${number}`;

  return `${word.slice(0, Math.max(0, maxLength - ending.length)).padEnd(minLength - ending.length, '.')}${ending}`.slice(
    0,
    maxLength,
  );
}

function numberOf({ minimum = -Infinity, maximum = Infinity, ...more }: Known, wanted: number): number {
  // A boolean in OpenAPI 3.0, the bound itself in 3.1.
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = more as Node;
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : exclusiveMinimum ? minimum : -Infinity;
  const below = typeof exclusiveMaximum === 'number' ? exclusiveMaximum : exclusiveMaximum ? maximum : Infinity;
  const step = typeof multipleOf === 'number' ? multipleOf : 1;
  const low = Math.max(minimum, above + step);
  const high = Math.min(maximum, below - step);
  const bounded = Math.min(Math.max(wanted, low), high);

  return typeof multipleOf === 'number' ? Math.ceil(bounded / step) * step : bounded;
}
