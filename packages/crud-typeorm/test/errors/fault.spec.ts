/** Errors as the drivers make them → what they are taken for, and what a client gets to read. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ConflictException, Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { blamedColumns, referringRelation } from '../../../sql/src/errors/blame.js';
import { readErrorCode, readFault } from '../../../sql/src/errors/fault.js';
import { endsConnection, isRetryable, isServerAway } from '../../../sql/src/errors/operational.js';
import { StatementError } from '../../../sql/src/errors/statement-error.js';
import { toCrudError } from '../../../sql/src/errors/to-crud-error.js';
import type { Table } from '../../../sql/src/database/database.js';

const postgres = (code: string, more: object = {}) =>
  Object.assign(new Error('secret'), { code, severity: 'ERROR', ...more });
const mysql = (errno: number, sqlMessage: string) =>
  Object.assign(new Error(sqlMessage), { errno, sqlMessage, code: 'ER_X' });

const coded = (code: string, message = '') => Object.assign(new Error(message), { code });
const LINK =
  'Cannot add or update a child row: a foreign key constraint fails (`db`.`users`, CONSTRAINT `FK_1` FOREIGN KEY (`companyId`) REFERENCES `companies` (`id`))';
const WRONG_NUMBER = "Incorrect integer value: 'for column `x` at row 9' for column `db`.`users`.`age` at row 1";

const TAKEN = { kind: 'unique', constraint: 'UQ_email' };

const KINDS: Readonly<Record<string, readonly unknown[]>> = {
  unique: [new Error('PRIMARY KEY constraint failed')],
  tooLong: [postgres('22001'), new Error('string or blob too big')],
  outOfRange: [postgres('22003'), new Error('integer overflow')],
  invalidText: [postgres('22P02'), postgres('XX000', { where: 'unnamed portal parameter $1 = x' })],
  conflict: [
    new Error('database is locked'),
    new Error('database table is locked'),
    postgres('40P01'),
    mysql(1213, 'Deadlock found'),
    mysql(3101, 'Plugin instructed the server to rollback'),
  ],
  lockWait: [postgres('55P03'), mysql(1205, 'Lock wait timeout exceeded')],
  unavailable: [
    ...['57P01', '57P04', '08006', '28P01', '53300'].map((code) => postgres(code)),
    ...[1927, 1047, 1180, 3100, 1040].map((errno) => mysql(errno, 'gone')),
    coded('ECONNREFUSED'),
    Object.assign(new AggregateError([coded('ECONNREFUSED')], ''), { code: 'ECONNREFUSED' }),
    Object.assign(coded('PROTOCOL_CONNECTION_LOST'), { errno: undefined }),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    new Error('timeout expired'),
  ],
  unable: [
    ...['53100', '55000', '58030'].map((code) => postgres(code)),
    mysql(1114, "The table 'users' is full"),
    new Error('database or disk is full'),
  ],
  timeout: [postgres('57014'), postgres('25P03'), mysql(1969, 'interrupted'), mysql(3024, 'interrupted')],
  readOnly: [
    postgres('25006'),
    mysql(1792, 'Cannot execute statement in a READ ONLY transaction'),
    mysql(1290, 'The server is running with the --read-only option'),
    new Error('attempt to write a readonly database'),
  ],
  unanswered: [new Error('Query read timeout'), coded('PROTOCOL_SEQUENCE_TIMEOUT', 'Query inactivity timeout')],
  foreignKey: [new Error('FOREIGN KEY constraint failed')],
};

describe('faults of the databases', () => {
  test.each<[error: unknown, fault: object]>([
    ...Object.entries(KINDS).flatMap(([kind, errors]) => errors.map((error): [unknown, object] => [error, { kind }])),
    [
      postgres('23505', { constraint: 'UQ', table: 'users', detail: 'Schlüssel »(email)=(a@b)« existiert bereits.' }),
      { kind: 'unique', constraint: 'UQ', table: 'users', columns: ['email'] },
    ],
    [postgres('23505', { detail: 'Key (a, "b c")=(1, 2) already exists.' }), { kind: 'unique', columns: ['a', 'b c'] }],
    [postgres('23505', { detail: 'Key (lower(email))=(x) already exists.' }), { kind: 'unique' }],
    [postgres('23502', { column: 'name', table: 'users' }), { kind: 'notNull', columns: ['name'], table: 'users' }],
    [mysql(1062, "Duplicate entry 'it's for key 'fake'' for key 'UQ_email'"), TAKEN],
    [mysql(1062, "Duplicate entry 'a' for key 'users.UQ_email'"), TAKEN],
    [mysql(1452, LINK), { kind: 'foreignKey', table: 'users', constraint: 'FK_1', columns: ['companyId'] }],
    [mysql(1048, "Column 'name' cannot be null"), { kind: 'notNull', columns: ['name'] }],
    // In another language.
    [mysql(1048, "Feld 'name' darf nicht leer sein"), { kind: 'notNull' }],
    [mysql(1062, "Doppelter Eintrag 'a' für Schlüssel 'UQ_email'"), { kind: 'unique' }],
    [mysql(1452, 'Fremdschlüssel verletzt'), { kind: 'foreignKey' }],
    [mysql(3819, 'Bedingung verletzt'), { kind: 'check' }],
    [mysql(1364, "Field 'name' doesn't have a default value"), { kind: 'notNull', columns: ['name'] }],
    [mysql(3819, "Check constraint 'CHK_age' is violated."), { kind: 'check', constraint: 'CHK_age' }],
    [mysql(4025, 'CONSTRAINT `CHK_age` failed for `db`.`users`'), { kind: 'check', constraint: 'CHK_age' }],
    [mysql(4025, 'CONSTRAINT `users.age` failed for `db`.`users`'), { kind: 'check', constraint: 'age' }],
    [mysql(1406, 'Data too long'), { kind: 'tooLong' }],
    [mysql(1406, "Data too long for column 'name' at row 13"), { kind: 'tooLong', columns: ['name'], row: 12 }],
    [mysql(1264, "Out of range value for column 'age' at row 1"), { kind: 'outOfRange', columns: ['age'], row: 0 }],
    [mysql(1366, WRONG_NUMBER), { kind: 'invalidText', columns: ['age'], row: 0 }],
    [new Error('UNIQUE constraint failed: users.a, users.b'), { kind: 'unique', table: 'users', columns: ['a', 'b'] }],
    [new Error("UNIQUE constraint failed: index 'by_lower'"), { kind: 'unique', constraint: 'by_lower' }],
    [new Error("UNIQUE constraint failed: index 'a'.b"), { kind: 'unique', table: "index 'a'", columns: ['b'] }],
    [new Error('NOT NULL constraint failed: users.name'), { kind: 'notNull', table: 'users', columns: ['name'] }],
    [new Error('CHECK constraint failed: CHK_age'), { kind: 'check', constraint: 'CHK_age' }],
  ])('%#', (error, fault) => {
    expect(readFault(error)).toEqual(fault);
    expect(readFault(new QueryFailedError('SELECT 1', [], error as Error))).toEqual(fault);
  });
  const unknown = [
    new Error('syntax error'),
    postgres('42P01'),
    postgres('toString'),
    postgres('53'),
    postgres('XX000', { where: 'unnamed portal parameter $1 = x', position: '7' }),
    postgres('XX000', { where: 'PL/pgSQL function\nparameter $1' }),
    { code: 53100, severity: 'ERROR' },
    mysql(1064, 'syntax'),
    coded('40001'),
    { errno: 1213 },
  ];
  test.each([undefined, null, 'text', ...unknown, { driverError: null }])('no fault is read from %p', (error) =>
    expect(readFault(error)).toBeUndefined(),
  );

  const conflict = postgres('40001');
  const refused = Object.assign(coded('ECONNREFUSED'), { errno: -111 });
  test.each<[error: unknown, code: string | undefined, mayRetry: boolean, ends: boolean, isAway: boolean]>([
    [conflict, '40001', true, false, false],
    [new ConflictException({}, { cause: conflict }), undefined, true, false, false],
    [mysql(1205, 'waited'), '1205', false, false, false],
    // Never a number of the operating system.
    [refused, 'ECONNREFUSED', false, true, true],
    [new Error('Query read timeout'), undefined, false, true, false],
    // The pool is used up.
    [new Error('timeout exceeded when trying to connect'), undefined, false, true, false],
    [postgres('25006'), '25006', false, true, false],
    [undefined, undefined, false, false, false],
  ])('%p: its code, whether it may be retried, ends the connection, tells that the server is away', (error, ...told) =>
    expect([readErrorCode(error), isRetryable(error), endsConnection(error), isServerAway(error)]).toEqual(told),
  );

  test('the error of the driver is found within wrappers of libraries, not within errors of the application', () => {
    const cause = postgres('40001');
    const context = { table: {} as Table, operation: 'store', paths: [], rows: [] } as const;
    const ofDrizzle = Object.assign(new Error('Failed query', { cause }), { query: 'SELECT 1', params: [] });
    const ofOthers = [{ driverError: cause }, { driverError: ofDrizzle }, ofDrizzle, new AggregateError([cause])];
    const wrapped = [...ofOthers, new StatementError(cause, context)];
    expect(wrapped.map(readFault)).toEqual(wrapped.map(() => ({ kind: 'conflict' })));
    for (const more of [{}, { query: 'SELECT 1' }, { params: [] }])
      expect(readFault(Object.assign(new Error('own', { cause }), more))).toBeUndefined();
    // The search ends where errors contain each other.
    const error: { driverError?: unknown } = {};
    error.driverError = { driverError: error };
    expect(readFault(error)).toBeUndefined();
  });
});

describe('errors for clients', () => {
  test('exceptions of Nest and unknown errors pass unchanged', () => {
    const exception = new ConflictException();
    const unknown = new QueryFailedError('SELECT secret', [], new Error('syntax'));
    expect(toCrudError(exception)).toBe(exception);
    expect(toCrudError(unknown)).toBe(unknown);
  });
  let logged: Record<'error' | 'warn', ReturnType<typeof jest.spyOn>>;

  beforeEach(() => {
    const spyOn = (level: 'error' | 'warn') => jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
    logged = { error: spyOn('error'), warn: spyOn('warn') };
  });
  afterEach(() => void jest.restoreAllMocks());

  test('the client is told nothing of the database, and the log the message of the driver', () => {
    const error = toCrudError(new QueryFailedError('SELECT secret', [], postgres('57P01'))) as ConflictException;
    const message = 'The database is not available';
    const answer = { statusCode: 503, error: 'Service Unavailable', code: 'CRUD_UNAVAILABLE', message };
    expect(error.getResponse()).toEqual(answer);
    expect(logged.error.mock.calls).toEqual([['The database is not available (57P01): secret']]);
  });

  test('a delete that a foreign key refuses names the relation, where it is known', () => {
    const [kept, gone, nulled] = [{ name: 'kept' }, { name: 'gone', onDelete: 'CASCADE' }, { onDelete: 'SET NULL' }];
    const another = { name: 'another', onDelete: 'NO ACTION' };
    const tableOf = (referringKeys: object[]) => {
      const inverse = referringKeys.map((one) => ({ foreignKeys: [one] }));
      const relations = inverse.map((inverseRelation, at) => ({ propertyPath: `of${at}`, inverseRelation }));
      return { referringKeys, relations } as unknown as Table;
    };
    const of = (referringKeys: object[], constraint?: string) => {
      const fault = { kind: 'foreignKey', ...(constraint !== undefined && { constraint }) } as const;
      return referringRelation(fault, tableOf(referringKeys));
    };
    expect(of([gone, kept, nulled])).toBe('of1');
    expect([of([kept, another]), of([gone, nulled]), of([])]).toEqual([undefined, undefined, undefined]);
    expect([of([gone, kept, another], 'another'), of([kept], 'unknown')]).toEqual(['of2', undefined]);
    // Clients are told of no relation that they cannot join.
    const context = { table: tableOf([kept]), operation: 'remove', paths: [], rows: [] } as const;
    const refused = (joins: object) => {
      const error = new StatementError(postgres('23503'), context);
      return (toCrudError(error, undefined, 'write', new Set(), joins) as ConflictException).getResponse();
    };
    expect(refused({ of0: {} })).toMatchObject({ field: 'of0' });
    expect(refused({})).toMatchObject({ message: expect.stringMatching(/^Other records/) });
    expect(refused({})).not.toHaveProperty('field');
  });

  test.each([
    [{ constraint: 'PRIMARY' }, ['id']],
    [{ constraint: 'users_pkey' }, ['id']],
    [{ constraint: 'PK_own' }, ['id']],
    [{ constraint: 'UQ', columns: ['years'] }, ['email']],
    [{ constraint: 'FK' }, ['teamId']],
    [{ constraint: 'CHK' }, ['years']],
    [{ constraint: 'years > 0' }, ['years']],
    [{ constraint: 'unknown', columns: ['email', 'years'] }, ['email', 'years']],
    [{ columns: ['email', 'unknown'] }, []],
    [{}, []],
  ])('%j blames the columns %j', (named, blamed) => {
    const [id, email, years, teamId] = ['id', 'email', 'years', 'teamId'].map((databaseName) => ({ databaseName }));
    const table = {
      tableName: 'users',
      columns: [id, email, years, teamId],
      primaryColumns: [id],
      primaryKeyNames: ['PK_own'],
      constraints: [{ name: 'UQ', columns: [email] }],
      foreignKeys: [{ name: 'FK', columns: [teamId] }],
      checks: [{ name: 'CHK', expression: 'years BETWEEN 0 AND 150' }],
    } as unknown as Table;
    const columns = blamedColumns({ kind: 'check', ...named }, table);
    expect(columns.map(({ databaseName }) => databaseName)).toEqual(blamed);
  });

  test('in a list, the field begins with the record whose row the database names', () => {
    const age = { databaseName: 'years', propertyPath: 'age' };
    const table = { columns: [age], constraints: [], foreignKeys: [], primaryKeyNames: [], checks: [], database: {} };
    const expectBlamed = (cause: Error, paths: readonly string[], field: string) => {
      const context = { table: table as unknown as Table, operation: 'store', paths, rows: [] } as const;
      const error = toCrudError(new StatementError(cause, context)) as ConflictException;
      expect(error.getResponse()).toMatchObject({ field });
    };
    const tooLarge = mysql(1264, "Out of range value for column 'years' at row 2");
    expectBlamed(tooLarge, ['bulk.3', 'bulk.5'], 'bulk.5.age');
    expectBlamed(tooLarge, ['bulk.3'], 'bulk.3.age');
    expectBlamed(mysql(1048, "Column 'years' cannot be null"), ['bulk.3', 'bulk.5'], 'age');
  });

  test('of unique values together, one that the client has sent is named first', () => {
    const columns = ['tenant', 'label'].map((name) => ({ databaseName: name, propertyPath: name }));
    const table = { columns, constraints: [], foreignKeys: [], database: {} } as unknown as Table;
    const taken = new Error('UNIQUE constraint failed: t.tenant, t.label');
    const error = toCrudError(taken, table, 'write', new Set(['tenant'])) as ConflictException;
    const message = ['label already exists together with tenant'];
    expect(error.getResponse()).toMatchObject({ field: 'label', message });
  });

  test.each([
    ['55P03', 'write', 'CRUD_CONFLICT'],
    ['55P03', 'read', 'CRUD_TIMEOUT'],
    ['57014', 'write', 'CRUD_TIMEOUT'],
    ['40P01', 'read', 'CRUD_UNAVAILABLE'],
  ] as const)('SQLSTATE %s of a %s is answered with %s', (state, operation, code) => {
    const error = toCrudError(postgres(state), undefined, operation) as ConflictException;
    expect(error.getResponse()).toMatchObject({ code });
  });

  test('the log tells each kind of error once per interval, with a count of the others', () => {
    jest.useFakeTimers();
    try {
      const table = { database: {} } as Table;
      const fail = (error: unknown, times: number) => {
        for (let count = 0; count < times; count += 1) toCrudError(error, table);
      };
      fail(postgres('57014'), 120);
      fail(postgres('53100'), 1);
      fail(mysql(1205, 'waited'), 3);
      const errors = [
        'The database did not answer in time (57014): secret',
        'The database is not available (53100): secret',
        'The database did not answer in time (57014): 119 more in the last 10 s, the last: secret',
      ];
      const conflict = 'Another request was writing the same records: send this one again (1205)';
      const warnings = [`${conflict}: waited`, `${conflict}: 2 more in the last 10 s, the last: waited`];
      const told = () => [logged.error, logged.warn].map(({ mock }) => mock.calls.flat());
      expect(told()).toEqual([errors.slice(0, 2), warnings.slice(0, 1)]);
      jest.advanceTimersByTime(10_000);
      expect(told()).toEqual([errors, warnings]);
      jest.advanceTimersByTime(20_000);
      expect(logged.error).toHaveBeenCalledTimes(3);
      fail(postgres('57014'), 1);
      expect(logged.error).toHaveBeenCalledTimes(4);
      expect(jest.getTimerCount()).toBe(1);
      jest.advanceTimersByTime(10_000);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
