import type { Type } from '@nestjs/common';
import { FAST_PATHS } from '../fast-paths.js';
import { getOrInsert } from '../get-or-insert.js';
import type { Catalog } from '../plan/catalog.js';
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
import { thrownException, transformException } from './thrown-errors.js';

/** Bodies pass as they are if validation is off. */
export function makeBodyValidator(rules: BodyRules): BodyValidator {
  const { validation, schema, resource } = rules;
  if (validation === false) return (value) => ({ value, errors: [] });
  if (schema) return makeSchemaValidator(rules, schema);

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

  const write = (instance: Body, body: Body, { errors, ifInserted }: CheckedRules): ValidatedBody => ({
    value: transform ? instance : (toPlainBody(instance, body) as Body),
    errors,
    ifInserted,
  });

  return (body, added, scope) => {
    try {
      const { place, makeQuickly, dropUnsettable } = findEntity(scope?.catalog);
      const instance =
        (carriesRecords(body, scope?.catalog) ? undefined : makeQuickly?.(body)) ??
        dropUnsettable(make(rules.type, body, inbound));
      const checked = check({ instance, sent: body, place, added: added.size > 0 ? added : undefined }, scope);
      if (!isPromise(checked)) return write(instance, body, checked);

      return checked.then(
        (settled) => write(instance, body, settled),
        (error: unknown) => {
          throw faultException(error, body, rules);
        },
      );
    } catch (error) {
      return Promise.reject(faultException(error, body, rules));
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

function faultException(error: unknown, body: unknown, { resource, type }: BodyRules): Error {
  if (!(error instanceof RuleFault)) return error as Error;

  return thrownException(error.cause, body, { resource, by: 'a rule', property: error.property, of: type.name });
}
