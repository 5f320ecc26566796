import { refuse } from '../errors.js';
import type { ParamOption, ParamOptionType, ParamsOptions } from '../types/path-params.js';
import type { QueryFilter } from '../types/conditions.js';

const CHECKS = {
  number: [/^-?\d+(\.\d+)?$/, 'Number'],
  uuid: [/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i, 'UUID string'],
  string: [/^/, 'String'],
} satisfies Record<ParamOptionType, [RegExp, string]>;

/**
 * The conditions that a path makes, in the path's order. Numbers stay text, since only their column knows their type: a
 * bigint keeps its digits. Parameters that are disabled, or without an option, are ignored.
 *
 * @throws RequestQueryException `CRUD_INVALID_PARAM`, with the parameter as `field`
 * @example
 * parsePathParams({ id: '7' }, { id: { type: 'number', primary: true } });
 * // [{ field: 'id', operator: '$eq', value: '7' }]
 */
export function parsePathParams(params: Readonly<Record<string, string>>, options: ParamsOptions): QueryFilter[] {
  const filters: QueryFilter[] = [];
  for (const name of Object.keys(params)) {
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option || option.disabled || params[name] === undefined) continue;

    const value = String(params[name]);
    const [pattern, kind] = CHECKS[option.type ?? 'string'];
    const members = option.enum && listMembers(option.enum);
    if (!pattern.test(value) || (members && !members.includes(value))) {
      refuse(`Invalid param ${name}. ${members ? `One of ${members.join()}` : kind} expected`, 'CRUD_INVALID_PARAM', {
        field: name,
      });
    }
    filters.push({ field: option.field ?? name, operator: '$eq', value });
  }

  return filters;
}

/** A numeric enumeration also holds its names by number. */
function listMembers(members: NonNullable<ParamOption['enum']>): string[] {
  return Array.isArray(members)
    ? members.map(String)
    : Object.entries(members)
        .filter(([name]) => !/^-?\d/.test(name))
        .map(([, value]) => String(value));
}
