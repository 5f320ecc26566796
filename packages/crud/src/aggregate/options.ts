/** What `query.aggregate` allows: fields to group by, functions of fields. */
import type { AggregateFunction, DateUnit } from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/query-options.js';

type Options = Pick<QueryOptions, 'aggregate'>;
type Spell = (name: string) => string;

const asIs: Spell = (name) => name;
const UNIT = /^(.*):(day|week|month|quarter|year)$/s;

/** A name in `query.aggregate.groupBy`: a field, or one part of the calendar of a field. */
export interface ListedGroup {
  readonly field: string;
  /** Default: every unit, and the value itself. */
  readonly unit?: DateUnit;
}

/** Takes a name of the list apart. */
export function listedGroup(name: string): ListedGroup {
  const [, field = name, unit] = UNIT.exec(name) ?? [];

  return unit === undefined ? { field } : { field, unit: unit as DateUnit };
}

/** Whether the options let records be grouped by a field. */
export function groupsBy({ aggregate }: Options, path: string, unit: DateUnit | undefined, spell = asIs): boolean {
  return (aggregate?.groupBy ?? []).some((name) => {
    const listed = listedGroup(name);

    return spell(listed.field) === path && (listed.unit ?? unit) === unit;
  });
}

/** Whether the options let a function be applied to a field. */
export function aggregates({ aggregate }: Options, name: AggregateFunction, path: string, spell = asIs): boolean {
  return Object.entries(aggregate?.functions ?? {}).some(
    ([field, functions]) => spell(field) === path && functions?.includes(name),
  );
}
