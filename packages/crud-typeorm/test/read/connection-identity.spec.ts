/** Which data sources share the results that a cache has stored: those whose options can only mean the same records. */
import { describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { connectionIdentity } from '../../src/typeorm/connection-identity.js';

const identityOf = (options: object) => connectionIdentity({ options, driver: {} } as unknown as DataSource);
const POSTGRES = { type: 'postgres', host: 'db.example.com', username: 'app', password: 'a', database: 'shop' };
const MARIADB = { ...POSTGRES, type: 'mariadb' };
const PARSE = (text: string) => text;
const withUrl = (password: string) => ({ type: 'postgres', url: `postgres://app:${password}@db.example.com/shop` });
const withSlave = (host: string) => ({
  type: 'postgres',
  replication: { master: POSTGRES, slaves: [{ ...POSTGRES, host }] },
});
const withExtra = (extra: object) => ({ ...POSTGRES, extra });

test.each<[string, object, object]>([
  ['with options in another order', POSTGRES, Object.fromEntries(Object.entries(POSTGRES).reverse())],
  ['after the password has changed', POSTGRES, { ...POSTGRES, password: 'b' }],
  ['after the password in the URL has changed', withUrl('a'), withUrl('b')],
  ['with other entities, loggers and pools', POSTGRES, { ...POSTGRES, entities: [PARSE], logging: true, poolSize: 4 }],
  ['with one and the same function', withExtra({ verify: PARSE }), withExtra({ verify: PARSE })],
  ['of one file', { type: 'better-sqlite3', database: 'shop.db' }, { type: 'better-sqlite3', database: 'shop.db' }],
])('data sources share stored results %s', (_, one, two) => expect(identityOf(one)).toBe(identityOf(two)));

describe('data sources share nothing', () => {
  test.each<[string, object, object]>([
    ['of two hosts', POSTGRES, { ...POSTGRES, host: 'other.example.com' }],
    ['of two users', POSTGRES, { ...POSTGRES, username: 'tenant' }],
    ['of two databases', MARIADB, { ...MARIADB, database: 'tenant' }],
    ['of two schemas', POSTGRES, { ...POSTGRES, schema: 'tenant' }],
    ['of two search paths', withExtra({ options: '-c search_path=a' }), withExtra({ options: '-c search_path=b' })],
    ['of two sockets', { ...MARIADB, socketPath: '/run/a.sock' }, { ...MARIADB, socketPath: '/run/b.sock' }],
    ['of two replicas', withSlave('a'), withSlave('b')],
    ['that read dates differently', MARIADB, { ...MARIADB, dateStrings: true }],
    ['that differ in an option unknown here', POSTGRES, { ...POSTGRES, tenant: 'a' }],
    ['with two functions', withExtra({ onConnect: () => 'a' }), withExtra({ onConnect: () => 'a' })],
    ['in memory', { type: 'sqljs' }, { type: 'sqljs' }],
    [
      'in memory, by name',
      { type: 'better-sqlite3', database: ':memory:' },
      { type: 'better-sqlite3', database: ':memory:' },
    ],
    ['of two files', { type: 'sqlite', database: 'a.db' }, { type: 'sqlite', database: 'b.db' }],
  ])('%s', (_, one, two) => expect(identityOf(one)).not.toBe(identityOf(two)));

  test('where the environment names another database', () => {
    const unnamed = { type: 'postgres', host: 'db.example.com' };
    const before = identityOf(unnamed);
    process.env['PGDATABASE'] = 'tenant_b';
    try {
      expect(identityOf(unnamed)).not.toBe(before);
    } finally {
      delete process.env['PGDATABASE'];
    }
  });

  test('after a data source was given other options', () => {
    const source = { options: POSTGRES, driver: {} };
    const before = connectionIdentity(source as unknown as DataSource);
    Object.assign(source, { options: { ...POSTGRES, database: 'tenant_b' }, driver: {} });
    expect(connectionIdentity(source as unknown as DataSource)).not.toBe(before);
  });
});
