import type { DriverError, Fault, FaultKind } from './fault-types.js';

/**
 * SQLite has codes, but not every driver hands them over; its messages are not translated. They end with what they
 * name.
 */
const SQLITE: readonly (readonly [pattern: RegExp, kind: FaultKind, named?: 'columns' | 'constraint'])[] = [
  [/UNIQUE constraint failed: /, 'unique', 'columns'],
  [/PRIMARY KEY constraint failed(?:: )?/, 'unique', 'columns'],
  [/FOREIGN KEY constraint failed/, 'foreignKey'],
  [/NOT NULL constraint failed: /, 'notNull', 'columns'],
  [/CHECK constraint failed: /, 'check', 'constraint'],
  [/datatype mismatch/, 'invalidText'],
  [/value in \w+ column /, 'invalidText', 'columns'],
  [/string or blob too big/, 'tooLong'],
  [/integer overflow/, 'outOfRange'],
  [/database(?: table)? is locked/, 'conflict'],
  [/attempt to write a readonly database/, 'readOnly'],
  [/database or disk is full|disk I\/O error|out of memory/, 'unable'],
  [/unable to open database file/, 'unavailable'],
];

export function fromSqlite({ message }: DriverError): Fault | undefined {
  const text = String(message);

  for (const [pattern, kind, named] of SQLITE) {
    const found = pattern.exec(text);

    if (found) {
      const names = text.slice(found.index + found[0].length);
      if (named === 'constraint') return { kind, constraint: names };

      return { kind, ...(named === 'columns' && names !== '' && tableAndColumns(names)) };
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

  return { table: pairs[0]![0], columns: pairs.map((pair) => pair[1] ?? '') };
}
