import { paramsOfPath } from '../definition/path-params.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { parametersIn } from '../nest/paths.js';
import type { Catalog, ColumnKind } from '../plan/catalog.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { isDeclared } from './declared-metadata.js';
import type { Description } from './descriptions.js';
import type { DocumentOperation } from './document-operations.js';
import type { ParameterObject, SchemaObject } from './document-types.js';

type ParamOption = ResourceDefinition['options']['params'][string];

/**
 * The parameters of a route's path, and those of the options, since these may be in the path of a module, which a controller does not know; disabled ones are left out, and primary
 * ones too unless the route is of a single record.
 */
export function describePathParameters(
  definition: ResourceDefinition,
  route: BaseRouteName,
  catalog: Catalog | undefined,
  { path = '', elsewhere = [] }: Pick<Description, 'path' | 'elsewhere'>,
): ParameterObject[] {
  const inPath = namesIn(path);
  const configured = paramsOfPath(definition.options.params, ROUTES[route].single).map(({ name }) => name);
  const names = [...configured.filter((name) => !inPath.includes(name) && !elsewhere.includes(name)), ...inPath];

  return describeParametersOf(definition, names, catalog);
}

/** Path parameters of these names. */
export function describeParametersOf(
  { modelName, options: { params } }: ResourceDefinition,
  names: readonly string[],
  catalog: Catalog | undefined,
): ParameterObject[] {
  return names.map((name) => {
    const option: ParamOption | undefined = Object.hasOwn(params, name) ? params[name] : undefined;
    const field = option?.field ?? name;

    return {
      name,
      in: 'path',
      required: true,
      description: option && !option.disabled ? `${modelName}: \`${field}\`` : `Path parameter \`${name}\``,
      schema: schemaOf(option, catalog?.columns.get(field)?.kind),
    };
  });
}

/** Adds the parameters of a module's path, which is known in the finished document alone and may have disabled ones. */
export function addPathParameters(operations: readonly DocumentOperation[]): void {
  for (const { path, operation, handler } of operations) {
    if (!handler) continue;
    const declared = operation.parameters ?? [];
    const inPath = describeParametersOf(handler.description.definition, namesIn(path), handler.catalog);
    const missing = inPath.filter((parameter) => !isDeclared(declared, parameter));

    if (missing.length > 0) operation.parameters = [...missing, ...declared];
  }
}

/** The names of the parameters of a path, as a route is declared (`:id`) or as a document writes it (`{id}`). */
export function namesIn(path: string): string[] {
  const inBraces = [...path.matchAll(/\{([A-Za-z_]\w*)\}/g)].map(([, name]) => name!);

  return [...new Set([...parametersIn(path), ...inBraces])];
}

function schemaOf(option: ParamOption | undefined, kind: ColumnKind | undefined): SchemaObject {
  const values = option?.enum === undefined ? undefined : enumValues(option.enum);

  if (values) return { type: values.every((value) => typeof value === 'number') ? 'number' : 'string', enum: values };
  if (option?.type === 'uuid') return { type: 'string', format: 'uuid' };
  if (option?.type !== 'number') return { type: 'string' };

  // A bigint loses digits as a JavaScript number, so clients should send the text that they received.
  return { type: kind === 'integer' ? 'integer' : kind === 'bigint' || kind === 'decimal' ? 'string' : 'number' };
}

/** Members of a list or of a TypeScript enum, which maps its numbers back to their names. */
function enumValues(values: object): (string | number)[] {
  if (Array.isArray(values)) return values as (string | number)[];
  const members = values as Record<string, string | number>;

  return Object.keys(members)
    .filter((key) => !(/^-?\d+(\.\d+)?$/.test(key) && typeof members[key] === 'string'))
    .map((key) => members[key] as string | number);
}
