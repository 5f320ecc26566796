/** Which values a column or property takes, as JSON Schema, for the examples of bodies. */
import { oncePerObject } from '../get-or-insert.js';
import type { CatalogColumn, ColumnKind } from '../plan/catalog.js';
import { KINDS as RULE_KINDS, rulesInAnyGroup } from '../validation/applicable-rules.js';
import type { Facets } from './sample-value.js';

const KINDS = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  bigint: { type: 'string', format: 'int64' },
  decimal: { type: 'number', format: 'decimal' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  enum: { type: 'string' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'time' },
  datetime: { type: 'string', format: 'date-time' },
  json: { type: 'object' },
  array: { type: 'array' },
  binary: { type: 'string', format: 'byte' },
} as const satisfies Record<ColumnKind, Facets>;

/** What a column takes. */
export function columnFacets({ kind, members, length, transformed }: CatalogColumn): Facets {
  return {
    ...KINDS[kind],
    ...(members && !transformed && { enum: members }),
    ...(length !== undefined && { maxLength: length }),
  };
}

type Constraints = readonly unknown[];

const NOTHING = (): Facets => ({});
const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Rows of rules that one text satisfies. */
function always(values: Readonly<Record<string, string>>): Record<string, () => { readonly enum: readonly string[] }> {
  return Object.fromEntries(Object.entries(values).map(([rule, value]) => [rule, () => ({ enum: [value] })]));
}

/** What rules of class-validator require of a value. Rules without a row are not documented. */
const RULES: Readonly<Record<string, (constraints: Constraints) => { readonly [K in keyof Facets]?: unknown }>> = {
  isDefined: NOTHING,
  isNotEmpty: NOTHING,
  isArray: NOTHING,
  isObject: NOTHING,
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isDate: () => ({ type: 'string', format: 'date-time' }),
  isDateString: () => ({ type: 'string', format: 'date-time' }),
  isIso8601: () => ({ type: 'string', format: 'date-time' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  isFqdn: () => ({ type: 'string', format: 'hostname' }),
  isIp: ([version]) => ({ type: 'string', format: String(version) === '6' ? 'ipv6' : 'ipv4' }),
  isPhoneNumber: () => ({ type: 'string', format: 'phone' }),
  isMobilePhone: () => ({ type: 'string', format: 'phone' }),
  isNumberString: () => ({ type: 'string', format: 'decimal' }),
  isDecimal: () => ({ type: 'string', format: 'decimal' }),
  isBooleanString: () => ({ enum: ['true'] }),
  isIn: ([members]) => ({ enum: members }),
  isEnum: ([members]) => ({ enum: Object.values(members as object) }),
  equals: ([value]) => ({ enum: [value] }),
  isPositive: () => ({ minimum: 1 }),
  isNegative: () => ({ maximum: -1 }),
  isDivisibleBy: ([multipleOf]) => ({ multipleOf }),
  arrayNotEmpty: NOTHING,
  isNotEmptyObject: NOTHING,
  isAlpha: () => ({ letters: 'lower' }),
  isAlphanumeric: () => ({ letters: 'lower' }),
  isLowercase: () => ({ letters: 'lower' }),
  isUppercase: () => ({ letters: 'upper' }),
  ...always({
    isHexColor: '#336699',
    isHexadecimal: '1a',
    isBase64: 'AQ==',
    isJson: '{}',
    isMongoId: '000000000000000000000001',
    isMacAddress: '00:00:5e:00:53:01',
    isPort: '8080',
    isSemVer: '1.0.0',
    isCurrency: '1.00',
    isLatLong: '52.5,13.4',
    isMilitaryTime: '12:00',
    isTimeZone: 'Europe/Berlin',
    isLocale: 'en',
    isMimeType: 'text/plain',
    isISO31661Alpha2: 'DE',
    isISO31661Alpha3: 'DEU',
    isISO4217CurrencyCode: 'EUR',
    isISO6391: 'de',
    isRgbColor: 'rgb(51,102,153)',
    isStrongPassword: 'Str0ng-enough',
  }),
  min: ([minimum]) => ({ minimum: asNumber(minimum) }),
  max: ([maximum]) => ({ maximum: asNumber(maximum) }),
  minLength: ([minLength]) => ({ minLength }),
  maxLength: ([maxLength]) => ({ maxLength }),
  isLength: ([minLength, maxLength]) => ({ minLength, maxLength }),
};
const UNKNOWN_RULE: Facets = { hasOtherRules: true };

/** What the rules of a class ask of a property. */
export function ruleFacets(type: object, property: string): Facets {
  return facetsOf(type).get(property) ?? {};
}

const facetsOf = oncePerObject((type: object): ReadonlyMap<string, Facets> => {
  const facets = new Map<string, Facets>();

  for (const { propertyName, type: kind, name = '', constraints, each } of rulesInAnyGroup(type)) {
    if (kind !== RULE_KINDS.check) continue;
    const row = each ? undefined : RULES[name];

    facets.set(propertyName, {
      ...facets.get(propertyName),
      ...(row ? (row(constraints ?? []) as Facets) : UNKNOWN_RULE),
    });
  }

  return facets;
});
