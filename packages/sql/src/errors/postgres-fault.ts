import { type DriverError, type Fault, kindsByCode } from './fault-types.js';

/** SQL states. */
const POSTGRES = kindsByCode({
  unique: ['23505', '23P01'],
  foreignKey: ['23503', '23001'],
  notNull: ['23502'],
  check: ['23514'],
  tooLong: ['22001', '54000'],
  outOfRange: ['22003', '22008', '22015'],
  invalidText: [
    '22007',
    '22P02',
    '22P03',
    '22P05',
    '22021',
    '22009',
    '22000',
    '22018',
    '22023',
    '22026',
    '22030',
    '22032',
    '2200L',
    '2200M',
    '2200N',
    '2200S',
  ],
  conflict: ['40001', '40P01'],
  lockWait: ['55P03'],
  timeout: ['57014', '25P03', '25P04'],
  readOnly: ['25006'],
  unable: ['55000'],
  unavailable: ['53300', '57P01', '57P02', '57P03', '57P04', '57P05', '3D000'],
});

/** Whole classes of states, by their first two characters. */
const CLASSES = kindsByCode({
  unable: ['53', '58'],
  unavailable: ['08', '28'],
});

export function fromPostgres({ code, constraint, column, table, detail, ...rest }: DriverError): Fault | undefined {
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || !('severity' in rest)) return undefined;

  const kind = POSTGRES.get(code) ?? (isOfParameter(rest) ? 'invalidText' : CLASSES.get(code.slice(0, 2)));

  return (
    kind && {
      kind,
      ...(typeof constraint === 'string' && { constraint }),
      ...(typeof table === 'string' && { table }),
      ...readPostgresColumns(column, detail),
    }
  );
}

/** `unnamed portal parameter $1 = '…'`: the words are translated. */
const OF_PARAMETER = /\$\d+(?: = |$)/;

/**
 * Whether a type could not parse a parameter; types use various codes for that, even those of syntax and internal
 * errors.
 */
function isOfParameter({ where, position, internalPosition }: DriverError): boolean {
  return (
    typeof where === 'string' &&
    position === undefined &&
    internalPosition === undefined &&
    !where.includes('\n') &&
    OF_PARAMETER.test(where)
  );
}

/** `Key (a, b)=(…)`: the words around the brackets are translated, the brackets are not. */
function readPostgresColumns(column: unknown, detail: unknown): Pick<Fault, 'columns'> | undefined {
  if (typeof column === 'string') return { columns: [column] };

  const names = typeof detail === 'string' ? /\(([^()]+)\)=\(/.exec(detail)?.[1] : undefined;

  return names === undefined ? undefined : { columns: names.split(', ').map((name) => name.replaceAll('"', '')) };
}
