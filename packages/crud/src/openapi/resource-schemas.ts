/** The classes of a resource's bodies and responses, under names that are unique in a document. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert } from '../get-or-insert.js';
import type { Catalog } from '../plan/catalog.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { responseShape } from '../serialization/response-shape.js';
import { documentedProperties } from './class-properties.js';
import { classWithoutDefaults } from './class-defaults.js';
import { type ModelShape, signatureOf } from './model-shape.js';
import { bulkClass, classOf, cursorPageClass, errorClass, pageClass } from './schema-classes.js';
import type { BodyRules } from '../validation/body-rules.js';
import { bodyShape, BULK_VERBS, setShape } from './body-shapes.js';
import { isManyRoute } from '../definition/route-behaviour.js';
import { envelopeShape, recordShape } from './record-shapes.js';
import { pluralOf, schemaNamesOf, schemaSubjectOf } from './resource-names.js';
import { plainName } from './schema-names.js';
import { firstFree, withinName } from './shape-names.js';

export interface ResourceSchemas {
  record(route: BaseRouteName): Type<unknown>;
  page(): Type<unknown>;
  /** A page that is read by a cursor. */
  cursorPage(): Type<unknown>;
  body(route: BaseRouteName, rules: BodyRules): Type<unknown>;
  /** What is set on all records that a condition matches. */
  set(route: BaseRouteName, rules: BodyRules): Type<unknown>;
  error(): Type<unknown>;
}

/** The classes of the resource that a controller serves. */
export function resourceSchemas(
  definition: ResourceDefinition,
  controller: object,
  catalog: Catalog | undefined,
): ResourceSchemas {
  const { model } = definition;
  const names = schemaNamesOf(definition);
  const one = schemaSubjectOf(definition);
  const many = pluralOf(definition);
  // Several applications may run in one process; a catalog belongs to one of them.
  const name = (plain: string, qualified: string, content: unknown) =>
    nameFor(catalog ?? model, controller, [plain, qualified], content);
  const short = definition.controller.replace(/Controller$/, '');

  const classNamed = (shape: ModelShape): Type<unknown> => {
    if (shape.name === undefined) return shape.base;

    const qualified = `${short}${shape.name}`;

    return classOf(shape, name(shape.isScoped ? qualified : shape.name, qualified, signatureOf(shape)));
  };

  const schemas: ResourceSchemas = {
    record: (route) => classNamed(recordShape(definition, route, catalog)),

    page: () => {
      const { envelope } = responseShape(definition, 'getManyBase');
      if (envelope && documentedProperties(envelope).includes('data'))
        return classNamed(envelopeShape(envelope, definition, catalog));

      const item = schemas.record('getManyBase');

      return pageClass(item, name(names.page(one), names.page(`${short}${one}`), item));
    },

    cursorPage: () => {
      const item = schemas.record('getManyBase');

      return cursorPageClass(item, name(names.cursorPage(one), names.cursorPage(`${short}${one}`), item));
    },

    body: (route, rules) => {
      const shape = bodyShape(definition, route, rules, catalog);
      const body = classNamed(shape);

      const record =
        rules.mode === 'update'
          ? classWithoutDefaults(body, () => {
              const plain = names.body(PARTIAL_NAMES[route] ?? '', one);

              return shape.name ? plainName(body.name) : name(plain, `${short}${plain}`, body);
            })
          : body;
      if (!rules.bulk || rules.wholeBulk) return record;

      const verb = BULK_VERBS[route as keyof typeof BULK_VERBS];
      const bulk = name(names.bulk(verb, one, many), names.bulk(verb, `${short}${one}`, `${short}${many}`), record);

      return bulkClass(
        record,
        bulk,
        `Records to ${verb.toLowerCase()}${isManyRoute(route) ? ', each with its key' : ''}`,
      );
    },

    set: (route, rules) => {
      const set = classNamed(setShape(definition, route, rules, catalog));
      const plain = names.set(one);

      return classWithoutDefaults(set, () => name(plain, `${short}${plain}`, set));
    },

    error: errorClass,
  };

  return schemas;
}

/** How bodies are called that leave alone what they omit. */
const PARTIAL_NAMES: Partial<Record<BaseRouteName, 'Update' | 'Replace'>> = {
  updateOneBase: 'Update',
  replaceOneBase: 'Replace',
  updateManyBase: 'Update',
  replaceManyBase: 'Replace',
};

/** The first of several names that a controller may use; if it may use none of them, since controllers share a name, the last one with a number. */
function nameFor(application: object, controller: object, names: readonly string[], content: unknown): string {
  const isFree = (name: string) => claim(application, controller, name, content);

  return names.find(isFree) ?? firstFree((number) => withinName(names.at(-1) ?? '', `${number}`), isFree);
}

interface Claim {
  readonly controller: object;
  content: unknown;
}

const claims = new WeakMap<object, Map<string, Claim[]>>();

/** Whether a controller may use a plain name: the first one may, and others with an equal schema. */
function claim(application: object, controller: object, name: string, content: unknown): boolean {
  const byName = getOrInsert(claims, application, () => new Map<string, Claim[]>());
  const claimed = getOrInsert(byName, name, () => []);
  const own = claimed.find((other) => other.controller === controller);

  if (own) own.content = content;
  else claimed.push({ controller, content });

  return claimed[0]?.content === content;
}
