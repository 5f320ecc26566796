/** A request and its entity in, what every body of it must carry out: path values, `persist`, and foreign keys taken from nested relations; refuses nothing. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogReference, CatalogRelation } from '../plan/catalog.js';
import type { CrudRequest } from '../request/crud-request.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { isRecordBody } from './plain-body.js';

type Body = Record<string, unknown>;

/** One value that the application, not the client, decides. */
export interface ScopeValue {
  /** Property path. */
  readonly field: string;
  readonly value: unknown;
  readonly origin: 'path' | 'persist';
  /** `false` where a body may say otherwise (`allowParamsOverride`). */
  readonly forced: boolean;
}

/** What a body is put into before and after it is validated. */
export interface BodyScope {
  readonly values: readonly ScopeValue[];
  readonly catalog: Catalog | undefined;
}

/** Where a body may say anything. */
export const NO_SCOPE: BodyScope = { values: [], catalog: undefined };

/** The scope of a request: path values first, `persist` over them. */
export function bodyScopeOf(
  request: CrudRequest,
  definition: ResourceDefinition,
  route: BaseRouteName,
  catalog: Catalog | undefined,
): BodyScope {
  const { parsed } = request;
  const overridable = allowsOverride(definition, route);
  const keys = new Set(
    Object.entries(definition.options.params)
      .filter(([, param]) => param.primary)
      .map(([name, { field }]) => field ?? name),
  );
  const values = parsed.paramsFilter.map(({ field, value }): ScopeValue => ({
    field,
    value: value as unknown,
    origin: 'path',
    forced: !overridable || keys.has(field),
  }));
  const persisted = Object.entries((parsed.authPersist ?? {}) as Body).map(([field, value]): ScopeValue => ({
    field,
    value,
    origin: 'persist',
    forced: true,
  }));

  return { values: [...values, ...persisted], catalog };
}

function allowsOverride({ options }: ResourceDefinition, route: BaseRouteName): boolean {
  const { routes } = options;
  if (route === 'updateOneBase') return routes.updateOneBase?.allowParamsOverride === true;

  return route === 'replaceOneBase' && routes.replaceOneBase?.allowParamsOverride === true;
}

/** A foreign key that says null because its relation does. */
export interface CopiedNull {
  readonly relation: string;
  readonly column: string;
}

/**
 * Takes foreign keys from the relations that a body names: `company: { id: 1 }` says `companyId: 1`, unless the body says that itself. The answer is those that are null, which are
 * validated but not stored: null of a relation says less than null of a column.
 */
export function copyForeignKeys(body: Body, { catalog }: BodyScope): CopiedNull[] {
  const nulls: CopiedNull[] = [];

  for (const relation of catalog?.relations.values() ?? []) {
    const related = Object.hasOwn(body, relation.path) ? body[relation.path] : undefined;
    if (related === undefined) continue;

    for (const reference of relation.references) {
      const { column } = reference;
      if (!catalog?.columns.has(column.path) || Object.hasOwn(body, column.path)) continue;

      const key = keyIn(related, relation, reference);
      if (key !== undefined) body[column.path] = key;
      if (key === null) nulls.push({ relation: relation.path, column: column.path });
    }
  }

  return nulls;
}

/** Takes away again what {@link copyForeignKeys} made of nulls. */
export function dropCopiedNulls(body: Body, nulls: readonly CopiedNull[]): void {
  for (const { relation, column } of nulls) {
    if (body[relation] === null && body[column] === null) Reflect.deleteProperty(body, column);
  }
}

function keyIn(related: unknown, { references }: CatalogRelation, { references: target }: CatalogReference): unknown {
  if (isRecordBody(related)) return Object.hasOwn(related, target.path) ? related[target.path] : undefined;
  if (Array.isArray(related)) return undefined;

  return related === null || references.length === 1 ? related : undefined;
}

/**
 * Sets the values of the scope on a body.
 *
 * @param sent What the client sent, which a value that is not forced gives way to.
 * @param knows Whether a property is wanted at all. Default: all are.
 * @returns The properties that were set and that the client did not send.
 */
export function applyScope(
  body: Body,
  { values, catalog }: BodyScope,
  sent: Body,
  knows: (property: string) => boolean = () => true,
): ReadonlySet<string> {
  const added = new Set<string>();

  for (const { field, value, forced } of values) {
    const [property = field] = field.split('.');
    if ((!forced && sends(sent, field, catalog)) || !knows(property)) continue;

    if (!Object.hasOwn(sent, property)) added.add(property);
    put(body, field, value);
    if (catalog) align(body, field, value, catalog);
  }

  return added;
}

/** The properties in which a client repeats what the path says, as a body does that was read from the same path: no rule refuses that. */
export function repeatedValues(sent: Body, { values }: BodyScope): string[] {
  return values.flatMap(({ field, value, origin }) =>
    origin === 'path' && Object.hasOwn(sent, field) && isSameValue(sent[field], value) ? [field] : [],
  );
}

// The path holds text. A uuid is one in either case.
function isSameValue(sent: unknown, value: unknown): boolean {
  if (typeof sent !== 'string' && typeof sent !== 'number') return false;

  return String(sent).toLowerCase() === String(value).toLowerCase();
}

// A client speaks of a foreign key also by its relation.
function sends(sent: Body, field: string, catalog: Catalog | undefined): boolean {
  if (Object.hasOwn(sent, field)) return true;

  return [...(catalog?.relations.values() ?? [])].some(
    ({ path, references }) => Object.hasOwn(sent, path) && references.some(({ column }) => column.path === field),
  );
}

function put(body: Body, path: string, value: unknown): void {
  const segments = path.split('.');
  const last = segments.pop() as string;
  let holder = body;

  for (const segment of segments) {
    const inner = Object.hasOwn(holder, segment) ? holder[segment] : undefined;
    holder = holder[segment] = isRecordBody(inner) ? copyOf(inner) : {};
  }
  holder[last] = value;
}

// A copy keeps its class, which validation gave it.
function copyOf(object: object): Body {
  return Object.assign(Object.create(Object.getPrototypeOf(object) as object | null) as Body, object);
}

// Column and relation must not speak of different records, whichever of them the scope names.
function align(body: Body, field: string, value: unknown, catalog: Catalog): void {
  const [property = field] = field.split('.');

  for (const relation of catalog.relations.values()) {
    for (const { column, references } of relation.references) {
      if (column.path === field && Object.hasOwn(body, relation.path)) {
        const kept = relation.references.length > 1 && isRecordBody(body[relation.path]) ? body[relation.path] : {};
        body[relation.path] = value === null ? null : { ...(kept as Body), [references.path]: value };
      }
      if (relation.path === property && catalog.columns.has(column.path)) {
        const key = isRecordBody(body[property]) ? body[property][references.path] : body[property];
        if (key !== undefined) body[column.path] = key;
      }
    }
  }
}
