/**
 * A data source of PostgreSQL in, a way to run a statement whose rows come as arrays, some values as the database's own text, out; `undefined` where somebody (replication, a
 * logger, subscribers, parsers of the application) would have to know of the statement. Global parsers are asked, never set.
 */
import { isDeepStrictEqual } from 'node:util';
import { type DataSource, QueryFailedError } from 'typeorm';
import { RAW_TYPES } from '../json/raw-text.js';
import type { RowForm } from '../json/row-form.js';
import type { Row } from '../hydrate/hydrator.js';

/** Rows as arrays, and where in them is what. */
export interface ArrayRows {
  readonly rows: readonly Row[];
  readonly form: RowForm;
}

/** Runs a statement. */
export type ArrayQuery = (sql: string, parameters: unknown[]) => Promise<ArrayRows>;

type Parser = (text: string) => unknown;

interface PgTypes {
  getTypeParser(type: number, format?: string): Parser;
}

/** What is used of the driver `pg` and TypeORM's driver of it. */
interface PgClient {
  query(config: object): Promise<{ rows: Row[]; fields: { dataTypeID: number }[] }>;
  on(event: 'error', listener: () => void): void;
  removeListener(event: 'error', listener: () => void): void;
}

interface PgDriver {
  readonly isReplicated: boolean;
  readonly postgres?: { readonly types?: PgTypes };
  obtainMasterConnection?(): Promise<[PgClient, (error?: Error) => void]>;
}

interface PgOptions {
  readonly logger?: unknown;
  readonly logging?: unknown;
  readonly maxQueryExecutionTime?: number;
  readonly nativeDriver?: unknown;
  readonly driver?: unknown;
  readonly extra?: { readonly types?: unknown; readonly binary?: unknown };
}

/** The way to run statements for arrays, asked for each request since subscribers may come and go. */
export function arrayQueryOf(dataSource: DataSource): ArrayQuery | undefined {
  const driver = dataSource.driver as unknown as PgDriver;
  const types = driver.postgres?.types;
  const usable =
    dataSource.options.type === 'postgres' &&
    !driver.isReplicated &&
    driver.obtainMasterConnection !== undefined &&
    typeof types?.getTypeParser === 'function' &&
    isSilent(dataSource);

  return usable ? (sql, parameters) => runForArrays(driver, types, sql, parameters) : undefined;
}

/** Whether nobody listens to statements. */
function isSilent({ options, subscribers }: DataSource): boolean {
  const { logger, logging, maxQueryExecutionTime, nativeDriver, driver, extra } = options as PgOptions;
  const heard = typeof logger === 'object' || (Array.isArray(logging) ? logging.length > 0 : Boolean(logging));
  const special = nativeDriver || driver || extra?.types || extra?.binary;

  return (
    !heard &&
    !special &&
    !maxQueryExecutionTime &&
    !subscribers.some((subscriber) => subscriber.beforeQuery ?? subscriber.afterQuery)
  );
}

async function runForArrays(driver: PgDriver, types: PgTypes, sql: string, parameters: unknown[]): Promise<ArrayRows> {
  const [client, release] = await driver.obtainMasterConnection!();
  let broken: Error | undefined;
  // A connection that breaks while it is in use says so twice: by an event and by the statement's own failure.
  const onError = (error?: Error) => void (broken = error ?? new Error('The connection broke'));

  client.on('error', onError);

  try {
    const { rows, fields } = await client.query({
      text: sql,
      values: parameters,
      rowMode: 'array',
      types: { getTypeParser: (type: number, format?: string) => parserOf(types, type, format) },
    });

    return { rows, form: formOf(fields, types) };
  } catch (error) {
    throw new QueryFailedError(sql, parameters, error as Error);
  } finally {
    client.removeListener('error', onError);
    release(broken);
  }
}

const asText: Parser = (text) => text;
const defaults = new WeakMap<Parser, Map<number, boolean>>();

function parserOf(types: PgTypes, type: number, format = 'text'): Parser {
  return format === 'text' && isRaw(types, type) ? asText : types.getTypeParser(type, format);
}

/** Whether values of a type are left as text. */
function isRaw(types: PgTypes, type: number): boolean {
  const raw = RAW_TYPES.get(type);

  return raw !== undefined && (raw.readable?.() ?? true) && isDefault(types.getTypeParser(type), type);
}

/** Whether the process's parser of a type does what pg's own does. */
function isDefault(parser: Parser, type: number): boolean {
  let known = defaults.get(parser);
  if (!known) defaults.set(parser, (known = new Map()));

  let answer = known.get(type);
  if (answer === undefined) {
    const { sample, expected } = RAW_TYPES.get(type)!;
    known.set(type, (answer = isDeepStrictEqual(parser(sample), expected)));
  }

  return answer;
}

const forms = new WeakMap<PgTypes, Map<string, RowForm>>();
/** Forms are few: one per list of types that some statement selects. */
const MOST_FORMS = 1000;

function formOf(fields: readonly { dataTypeID: number }[], types: PgTypes): RowForm {
  let signature = 'arrays';
  for (const { dataTypeID } of fields) signature += `,${dataTypeID}`;
  for (const type of RAW_TYPES.keys()) if (!isRaw(types, type)) signature += `!${type}`;

  let known = forms.get(types);
  if (!known) forms.set(types, (known = new Map()));

  let form = known.get(signature);
  if (!form) {
    if (known.size >= MOST_FORMS) known.clear();
    known.set(signature, (form = makeForm(fields, types, signature)));
  }

  return form;
}

function makeForm(fields: readonly { dataTypeID: number }[], types: PgTypes, signature: string): RowForm {
  const raw = fields.map(({ dataTypeID: type }) => (isRaw(types, type) ? type : undefined));

  return {
    signature,
    key: positionOf,
    rawType: (name) => raw[positionOf(name)],
    parserOf: (type) => (text) => types.getTypeParser(type)(text),
  };
}

/** Statements name what they select c0, c1 … in the order of the list. */
function positionOf(name: string): number {
  return Number(name.slice(1));
}
