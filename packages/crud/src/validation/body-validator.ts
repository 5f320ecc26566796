import type { Type, ValidationPipeOptions } from '@nestjs/common';
import { FAST_PATHS } from '../fast-paths.js';
import { getOrInsert } from '../get-or-insert.js';
import { isObject, isPlainObject, ownProperty } from '../definition/plain-objects.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { Refusal } from '../plan/refusal.js';
import { typedValue } from '../plan/values.js';
import type { RuleOptions } from './applicable-rules.js';
import { type InboundOptions, makeInstanceMaker, type MakeQuickly, toInstance, toPlainBody } from './body-instance.js';
import { type BodyRules, isWhitelist, type BodyValidator, type ValidatedBody } from './body-rules.js';
import { declaredProperties, dropUndeclared } from './declared-properties.js';
import { carriesRecords } from './nested-records.js';
import type { Body } from './plain-body.js';
import { type CheckedRules, ruleCheck } from './rule-check.js';
import { RuleFault } from './rule-errors.js';
import { isPromise } from '../when-settled.js';
import { makeSchemaValidator } from './schema-validator.js';
import { type BodyPlace, isExpectedVersion, rootPlace, unsettableColumns } from './settable-properties.js';
import { thrownException, transformException } from './body-exceptions.js';

/** Bodies pass as they are if validation is off. */
export function makeBodyValidator(rules: BodyRules): BodyValidator {
  const { validation, schema, wholeBulk } = rules;
  if (validation === false) return (value) => ({ value, errors: [] });
  if (schema) return makeSchemaValidator(rules, schema);

  const validate = makeClassValidator(rules, validation);
  // A class for the whole bulk does not see single records, nor their scope.
  const validator: BodyValidator = wholeBulk ? (body, added) => validate(body, added) : validate;

  return validation.transformOptions?.enableImplicitConversion ? withoutConversion(validator, wholeBulk) : validator;
}

function makeClassValidator(rules: BodyRules, validation: ValidationPipeOptions): BodyValidator {
  const { resource } = rules;
  const { transform, transformOptions } = validation;
  const inbound: InboundOptions = { transformOptions, partial: rules.mode === 'update', keepExcluded: rules.isModel };
  const make = (type: Type<unknown>, body: Body, options: InboundOptions): Body => {
    try {
      return toInstance(type, body, options);
    } catch (error) {
      throw transformException(error, body, { type, options: transformOptions, resource });
    }
  };
  const check = ruleCheck(ruleOptions(validation), (type, record, mode) =>
    make(type, record, { ...inbound, partial: mode === 'update', keepExcluded: true }),
  );
  const findEntity = entityFinder(rules, inbound);

  return (body, added, scope) => {
    const refuse = (error: unknown) => Promise.reject(faultException(error, rules));
    try {
      const { place, makeQuickly, dropUnsettable } = findEntity(scope?.catalog);
      const instance =
        (carriesRecords(body, scope?.catalog) ? undefined : makeQuickly?.(body)) ??
        dropUnsettable(make(rules.type, body, inbound));
      const checked = check({ instance, sent: body, place, added: added.size > 0 ? added : undefined }, scope);
      const write = ({ errors, ifInserted }: CheckedRules): ValidatedBody => ({
        value: transform ? instance : (toPlainBody(instance, body) as Body),
        errors,
        ifInserted,
      });

      return isPromise(checked) ? checked.then(write).catch(refuse) : write(checked);
    } catch (error) {
      return refuse(error);
    }
  };
}

/** What is known of the bodies of an entity. */
interface Entity {
  readonly place: BodyPlace;
  readonly makeQuickly: MakeQuickly | undefined;
  readonly dropUnsettable: (instance: Body) => Body;
}

// Made with the first body, when all decorators have run.
function entityFinder(rules: BodyRules, inbound: InboundOptions): (catalog: Catalog | undefined) => Entity {
  const known = new WeakMap<object, Entity>();

  return (catalog) =>
    getOrInsert(known, catalog ?? rules, () => {
      const place = rootPlace(rules, catalog);
      const unsettable = unsettableColumns(place);
      const declared = isWhitelist(rules) ? declaredProperties(rules.type, catalog) : undefined;
      const isVersion = (name: string): boolean => isExpectedVersion(place, name);
      const isAllowed = (name: string): boolean =>
        !unsettable.has(name) && (!declared || declared.has(name) || isVersion(name));

      return {
        place,
        makeQuickly: FAST_PATHS.bodies ? makeInstanceMaker(rules.type, inbound, isAllowed) : undefined,
        dropUnsettable: (instance) => {
          if (isWhitelist(rules)) dropUndeclared(instance, catalog, isVersion);
          for (const name of unsettable) Reflect.deleteProperty(instance, name);

          return instance;
        },
      };
    });
}

function ruleOptions(validation: RuleOptions): RuleOptions {
  return {
    forbidUnknownValues: false,
    ...validation,
    validationError: { target: false, ...validation.validationError },
  };
}

function faultException(error: unknown, { resource, type }: BodyRules): Error {
  return error instanceof RuleFault
    ? thrownException(error.cause, { resource, by: 'a rule', property: error.property, of: type.name })
    : (error as Error);
}

/** Kinds of columns that must read texts before a conversion by `Boolean()` makes them true. */
const READ_FIRST: ReadonlySet<CatalogColumn['kind']> = new Set(['boolean', 'integer']);

/**
 * Keeps class-transformer's implicit conversion out of what is stored: rules see converted values, but columns read
 * what the client sent. `'false'` is false for the rules, too; `2026-02-31` passes a rule for dates as the third of
 * March, and is then refused by its column.
 */
function withoutConversion(validate: BodyValidator, wholeBulk: boolean): BodyValidator {
  return async (body, added, scope) => {
    const rewrite = (made: Body, read: ReadValue): void => {
      // The records of a whole body are in a list, `bulk`, or alone, `set`.
      const records = wholeBulk ? Object.keys(body).map((name) => [body[name], made[name]]) : [[body, made]];
      if (scope?.catalog) for (const [sent, record] of records) rewriteColumns(sent, record, scope.catalog, read);
    };
    rewrite(body, readFirst);
    const validated = await validate(body, added, scope);
    rewrite(validated.value, (_column, sent, made) => (isConversion(made, sent) ? sent : made));

    return validated;
  };
}

type ReadValue = (column: CatalogColumn, sent: unknown, made: unknown) => unknown;

/** Sets the values of columns anew, in related records, too. */
function rewriteColumns(sent: unknown, made: unknown, catalog: Catalog, read: ReadValue, prefix = ''): void {
  if (Array.isArray(sent))
    sent.forEach((item, index) => rewriteColumns(item, ownProperty(made, String(index)), catalog, read, prefix));
  if (!isPlainObject(sent) || !isObject(made)) return;

  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(made, name) || value === undefined || value === null) continue;
    const record = made as Body;
    const path = prefix + name;
    const column = catalog.columns.get(path);
    const relation = catalog.relations.get(path);

    if (column) record[name] = read(column, value, record[name]);
    if (relation) rewriteColumns(value, record[name], relation.target, read);
    else if (!column) rewriteColumns(value, record[name], catalog, read, `${path}.`);
  }
}

function readFirst(column: CatalogColumn, value: unknown): unknown {
  if (column.transformed || !READ_FIRST.has(column.kind)) return value;
  const typed = typedValue(column, value);

  return typed instanceof Refusal ? value : typed;
}

/** Whether a value came of another by nothing but the constructor of its type. */
function isConversion(made: unknown, value: unknown): boolean {
  try {
    return made instanceof Date
      ? made.getTime() === new Date(value as string | number).getTime()
      : [Number(value), Boolean(value), String(value)].some((converted) => Object.is(made, converted));
  } catch {
    return false;
  }
}
