import type { DriverError, Fault, FaultKind } from './fault-types.js';

const MYSQL: Readonly<Record<number, FaultKind>> = {
  1062: 'unique',
  1169: 'unique',
  1586: 'unique',
  1216: 'foreignKey',
  1217: 'foreignKey',
  1451: 'foreignKey',
  1452: 'foreignKey',
  1761: 'foreignKey',
  1048: 'notNull',
  1364: 'notNull',
  3819: 'check',
  4025: 'check',
  1406: 'tooLong',
  1264: 'outOfRange',
  1690: 'outOfRange',
  1916: 'outOfRange',
  1265: 'invalidText',
  1292: 'invalidText',
  1366: 'invalidText',
  1411: 'invalidText',
  1416: 'invalidText',
  3037: 'invalidText',
  3516: 'invalidText',
  3617: 'outOfRange',
  4079: 'invalidText',
  3140: 'invalidText',
  1213: 'conflict',
  1020: 'conflict',
  1205: 'lockWait',
  3572: 'lockWait',
  1317: 'timeout',
  1969: 'timeout',
  3024: 'timeout',
  1290: 'readOnly',
  1792: 'readOnly',
  1836: 'readOnly',
  1021: 'unable',
  1026: 'unable',
  1037: 'unable',
  1038: 'unable',
  1041: 'unable',
  1114: 'unable',
  1135: 'unable',
  1206: 'unable',
  1637: 'unable',
  1040: 'unavailable',
  1042: 'unavailable',
  1043: 'unavailable',
  1044: 'unavailable',
  1045: 'unavailable',
  1047: 'unavailable',
  1049: 'unavailable',
  1053: 'unavailable',
  1077: 'unavailable',
  1079: 'unavailable',
  1129: 'unavailable',
  1130: 'unavailable',
  1152: 'unavailable',
  1203: 'unavailable',
  1226: 'unavailable',
  1927: 'unavailable',
  2006: 'unavailable',
  2013: 'unavailable',
  3169: 'unavailable',
  4031: 'unavailable',
};

/** Reads an error of MySQL or MariaDB. */
export function fromMysql({ errno, sqlMessage }: DriverError): Fault | undefined {
  if (typeof errno !== 'number' || typeof sqlMessage !== 'string') {
    return undefined;
  }

  const kind = Object.hasOwn(MYSQL, errno) ? MYSQL[errno] : undefined;

  return kind && { kind, ...NAMED_BY_MYSQL[kind]?.(sqlMessage) };
}

/** What MySQL's and MariaDB's messages name, read from their end: the start may hold a value that a client made up. */
const NAMED_BY_MYSQL: Readonly<Partial<Record<FaultKind, (message: string) => Omit<Fault, 'kind'> | undefined>>> = {
  unique: (message) => {
    // MySQL puts the table before the key's name, MariaDB does not.
    const constraint = /for key '(?:[^'.]+\.)?([^']+)'$/.exec(message)?.[1];

    return constraint === undefined ? undefined : { constraint };
  },
  foreignKey: (message) => {
    const names = /`\.`([^`]+)`, CONSTRAINT `([^`]+)` FOREIGN KEY \(([^)]+)\)/.exec(message);

    return (
      (names?.[1] && {
        table: names[1],
        constraint: names[2],
        columns: names[3]?.split(', ').map((name) => name.replaceAll('`', '')),
      }) ||
      undefined
    );
  },
  notNull: (message) => named(/^(?:Column|Field) '([^']+)' /.exec(message)?.[1]),
  check: (message) => {
    const constraint = /^(?:Check constraint '([^']+)'|CONSTRAINT `([^`]+)` failed)/.exec(message);
    const name = constraint?.[1] ?? constraint?.[2];

    // MariaDB names a column's check by `table.column`.
    return name === undefined ? undefined : { constraint: name.split('.').at(-1) };
  },
  tooLong: blamedColumn,
  outOfRange: blamedColumn,
  invalidText: blamedColumn,
};

/** `… for column 'age' at row 2`, ``… for column `db`.`users`.`age` at row 2``. */
function blamedColumn(message: string): Omit<Fault, 'kind'> | undefined {
  const found = /for column (?:'([^']+)'|(?:`[^`]+`\.){0,2}`([^`]+)`) at row (\d+)$/.exec(message);
  const column = found?.[1] ?? found?.[2];

  return column === undefined ? undefined : { columns: [column], row: Number(found?.[3]) - 1 };
}

function named(column: string | undefined): Omit<Fault, 'kind'> | undefined {
  return column === undefined ? undefined : { columns: [column] };
}
