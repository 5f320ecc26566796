import type { DriverError, Fault, FaultKind } from './fault-types.js';

/** SQLite has codes, but not every driver hands them over; its messages are not translated. */
const SQLITE: readonly (readonly [pattern: RegExp, kind: FaultKind])[] = [
  [/UNIQUE constraint failed: (?<columns>.+)/, 'unique'],
  [/PRIMARY KEY constraint failed(?:: (?<columns>.+))?/, 'unique'],
  [/FOREIGN KEY constraint failed/, 'foreignKey'],
  [/NOT NULL constraint failed: (?<columns>.+)/, 'notNull'],
  [/CHECK constraint failed: (?<constraint>.+)/, 'check'],
  [/datatype mismatch/, 'invalidText'],
  [/cannot store \w+ value in \w+ column [^.]+\.(?<columns>.+)/, 'invalidText'],
  [/string or blob too big/, 'tooLong'],
  [/database(?: table)? is locked/, 'conflict'],
  [/attempt to write a readonly database/, 'readOnly'],
  [/database or disk is full|disk I\/O error|out of memory/, 'unable'],
  [/unable to open database file/, 'unavailable'],
];

export function fromSqlite({ message }: DriverError): Fault | undefined {
  if (typeof message !== 'string') return undefined;

  for (const [pattern, kind] of SQLITE) {
    const found = pattern.exec(message);

    if (found) {
      const { columns, constraint } = found.groups ?? {};

      return {
        kind,
        ...(constraint !== undefined && { constraint }),
        ...(columns !== undefined && tableAndColumns(columns)),
      };
    }
  }

  return undefined;
}

/** `users.email, users.name`, or `index 'name'` for an index on an expression. */
function tableAndColumns(text: string): Omit<Fault, 'kind'> {
  const index = /^index '(.+)'$/.exec(text)?.[1];
  if (index !== undefined) return { constraint: index };

  const pairs = text
    .split(', ')
    .map((name) => [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.') + 1)]);

  return { table: pairs[0]?.[0], columns: pairs.map((pair) => pair[1] ?? '') };
}
