/** Where the values of columns are in records: properties, or those of embedded objects. */
import type { Column, Embedded, Entity } from '@nestwright/sql';
import type { TableOptions } from './table-options.js';

/** The place of a column's value in a record. */
export interface Place {
  /** The name of its property. */
  readonly propertyName: string;
  /** The path to it, with points. */
  readonly propertyPath: string;
  /** The object that has it, if that is not the record. */
  readonly embedded: Embedded | undefined;
  readonly read: Column['read'];
  readonly write: Column['write'];
}

/** The places of a table's columns, by their properties in Drizzle. */
export function placesOf({ embedded = {} }: TableOptions, properties: readonly string[]): ReadonlyMap<string, Place> {
  const places = new Map(properties.map((property) => [property, ownPlace(property)]));
  for (const [name, members] of Object.entries(embedded)) {
    const object = makeEmbedded(name);
    for (const [member, property] of Object.entries(members)) places.set(property, placeIn(object, member));
  }

  return places;
}

function ownPlace(property: string): Place {
  return {
    propertyName: property,
    propertyPath: property,
    embedded: undefined,
    read: (record) => record[property] as unknown,
    write: (record, value) => void (record[property] = value),
  };
}

function makeEmbedded(propertyName: string): Embedded {
  const made: Embedded = {
    propertyName,
    target: Object,
    isArray: false,
    get path() {
      return [made];
    },
    create: () => ({}),
  };

  return made;
}

function placeIn(embedded: Embedded, member: string): Place {
  const { propertyName: name } = embedded;

  return {
    propertyName: member,
    propertyPath: `${name}.${member}`,
    embedded,
    read: (record) => (record[name] as Entity | null | undefined)?.[member] as unknown,
    write: (record, value) => void (((record[name] as Entity | null | undefined) ??= {})[member] = value),
  };
}
