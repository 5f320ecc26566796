import { type DriverError, type Fault, type FaultKind, kindsByCode } from './fault-types.js';

/** The numbers of errors. */
const MYSQL = kindsByCode({
  unique: [1062, 1169, 1586],
  foreignKey: [1216, 1217, 1451, 1452, 1761],
  notNull: [1048, 1364],
  check: [3819, 4025],
  tooLong: [1406],
  outOfRange: [1264, 1690, 1916, 3617],
  invalidText: [1265, 1292, 1366, 1411, 1416, 3037, 3516, 4079, 3140],
  conflict: [1020, 1213, 3101],
  lockWait: [1205, 3572],
  timeout: [1317, 1969, 3024],
  readOnly: [1290, 1792, 1836],
  unable: [1021, 1026, 1037, 1038, 1041, 1114, 1135, 1206, 1637],
  unavailable: [
    1040, 1042, 1043, 1044, 1045, 1047, 1049, 1053, 1077, 1079, 1129, 1130, 1152, 1180, 1181, 1203, 1226, 1927, 2006,
    2013, 3100, 3169, 4031,
  ],
});

export function fromMysql({ errno, sqlMessage }: DriverError): Fault | undefined {
  if (typeof errno !== 'number' || typeof sqlMessage !== 'string') return undefined;

  const kind = MYSQL.get(errno);

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
    const [child = '', constraint = ''] = message.split(', CONSTRAINT ');
    const [, name, columns] = /^`([^`]+)` FOREIGN KEY \(([^)]+)\)/.exec(constraint) ?? [];

    return columns === undefined
      ? undefined
      : {
          table: child.split('`').at(-2),
          constraint: name,
          columns: columns.split(', ').map((column) => column.replaceAll('`', '')),
        };
  },
  notNull: (message) => named(/^(?:Column|Field) '([^']+)' /.exec(message)?.[1]),
  check: (message) => {
    const name = /^(?:Check constraint|CONSTRAINT) ['`]([^'`]+)['`]/.exec(message)?.[1];

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
