/** An error of `pg` goes in, the fault that its SQLSTATE stands for comes out; undefined for any other error. */
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
  '40001': 'conflict',
  '40P01': 'conflict',
  '55P03': 'conflict',
  '53300': 'unavailable',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P05': 'unavailable',
};

/** Reads an error of PostgreSQL. */
export function fromPostgres({ code, constraint, column, table, detail, ...rest }: DriverError): Fault | undefined {
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || !('severity' in rest)) {
    return undefined;
  }

  const kind = Object.hasOwn(POSTGRES, code)
    ? POSTGRES[code]
    : isStalePlan({ code, ...rest })
      ? 'conflict'
      : code.startsWith('08')
        ? 'unavailable'
        : undefined;

  return (
    kind && {
      kind,
      ...(typeof constraint === 'string' && { constraint }),
      ...(typeof table === 'string' && { table }),
      ...columnsOfPostgres(column, detail),
    }
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
 * Whether a statement that was prepared under a name is to blame: its table has changed (0A000), or its connection has forgotten it (26000) or knows it already (42P05), as behind a pooler. Sent
 * again it gets another name or none.
 */
export function isStalePlan({ code, ...rest }: DriverError): boolean {
  return (
    code === '26000' ||
    code === '42P05' ||
    // The server's messages are translated, the names of its functions are not.
    (code === '0A000' && 'routine' in rest && rest.routine === 'RevalidateCachedQuery')
  );
}
