import type { DriverError, Fault, FaultKind } from './fault-types.js';

const POSTGRES: Readonly<Record<string, FaultKind>> = {
  '23505': 'unique',
  '23P01': 'unique',
  '23503': 'foreignKey',
  '23001': 'foreignKey',
  '23502': 'notNull',
  '23514': 'check',
  '22001': 'tooLong',
  '22003': 'outOfRange',
  '22008': 'outOfRange',
  '22007': 'invalidText',
  '22P02': 'invalidText',
  '22P03': 'invalidText',
  '22P05': 'invalidText',
  '22021': 'invalidText',
  '22009': 'invalidText',
  '22000': 'invalidText',
  '22015': 'outOfRange',
  '22018': 'invalidText',
  '22023': 'invalidText',
  '22026': 'invalidText',
  '22030': 'invalidText',
  '22032': 'invalidText',
  '2200L': 'invalidText',
  '2200M': 'invalidText',
  '2200N': 'invalidText',
  '2200S': 'invalidText',
  '54000': 'tooLong',
  '40001': 'conflict',
  '40P01': 'conflict',
  '55P03': 'lockWait',
  '57014': 'timeout',
  '25P03': 'timeout',
  '25P04': 'timeout',
  '25006': 'readOnly',
  '55000': 'unable',
  '53300': 'unavailable',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P04': 'unavailable',
  '57P05': 'unavailable',
  '3D000': 'unavailable',
};

/** Whole classes of states, by their first two characters. */
const CLASSES: Readonly<Record<string, FaultKind>> = {
  '08': 'unavailable',
  '28': 'unavailable',
  '53': 'unable',
  '58': 'unable',
};

/** Reads an error of PostgreSQL. */
export function fromPostgres({ code, constraint, column, table, detail, ...rest }: DriverError): Fault | undefined {
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || !('severity' in rest)) {
    return undefined;
  }

  const kind = isStalePlan({ code, ...rest })
    ? 'conflict'
    : (rowOf(POSTGRES, code) ?? (isOfParameter(rest) ? 'invalidText' : rowOf(CLASSES, code.slice(0, 2))));

  return (
    kind && {
      kind,
      ...(typeof constraint === 'string' && { constraint }),
      ...(typeof table === 'string' && { table }),
      ...columnsOfPostgres(column, detail),
    }
  );
}

function rowOf(table: Readonly<Record<string, FaultKind>>, key: string): FaultKind | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** `unnamed portal parameter $1 = '…'`: the words are translated. */
const OF_PARAMETER = /^[^\n]*\$\d+(?: = [^\n]*)?$/;

/**
 * Whether a type could not parse a parameter; types use various codes for that, even those of syntax and internal
 * errors.
 */
function isOfParameter({ where, position, internalPosition }: DriverError): boolean {
  return (
    typeof where === 'string' && position === undefined && internalPosition === undefined && OF_PARAMETER.test(where)
  );
}

/** `Key (a, b)=(…)`: the words around the brackets are translated, the brackets are not. */
function columnsOfPostgres(column: unknown, detail: unknown): Pick<Fault, 'columns'> | undefined {
  if (typeof column === 'string') {
    return { columns: [column] };
  }

  const names = typeof detail === 'string' ? /\(([^()]+)\)=\(/.exec(detail)?.[1] : undefined;

  return names === undefined ? undefined : { columns: names.split(', ').map((name) => name.replaceAll('"', '')) };
}

/**
 * Whether a statement that was prepared under a name is to blame: its table has changed (0A000), or its connection has
 * forgotten it (26000) or knows it already (42P05), as behind a pooler. A retry uses another name or none.
 */
export function isStalePlan({ code, ...rest }: DriverError): boolean {
  return (
    code === '26000' ||
    code === '42P05' ||
    // The server's messages are translated, the names of its functions are not.
    (code === '0A000' && 'routine' in rest && rest.routine === 'RevalidateCachedQuery')
  );
}

/** Whether a statement was refused for an earlier error of its transaction. */
export function isAborted({ code }: DriverError): boolean {
  return code === '25P02';
}
