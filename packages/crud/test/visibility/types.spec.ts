/** The classes of `@Type()` on columns and JSON values in; out comes whether answers show what is stored. */
import { expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { Catalog, ColumnKind } from '../../src/plan/catalog.js';
import { catalog, column } from '../plan/catalogs.js';
import { decorated, definitionOf, seen } from './seen.js';

const Open = decorated({ next: Type(() => Open) });
const Closed = decorated({ token: Exclude() });
const AroundClosed = decorated({ open: Type(() => Open), inner: Type(() => Closed) });
const Dated = decorated({ at: Type(() => Date) });

const NUMBERS = ['integer', 'bigint', 'decimal', 'float'] as const;
const SCALARS = ['text', ...NUMBERS, 'boolean', 'uuid', 'enum', 'date', 'time', 'datetime'] as const;
const KINDS = [...SCALARS, 'json', 'array', 'binary'] as const;

test.each<[type: unknown, kept: readonly ColumnKind[]]>([
  [String, SCALARS],
  [Number, NUMBERS],
  [Boolean, ['boolean']],
  [Date, ['date', 'datetime']],
  [Buffer, []],
  [Open, KINDS],
  [AroundClosed, SCALARS],
  [Dated, SCALARS],
])('@Type(() => %p) keeps the values of some kinds of columns', (type, kept) => {
  class Record {}

  for (const kind of KINDS) Type(() => type as Class<unknown>)(Record.prototype, kind);
  const columns = KINDS.map((kind) => column(kind, kind));
  const records = { ...catalog('Record', columns), target: Record };
  expect(seen(definitionOf(Record), records, KINDS)).toEqual(kept);
  const copying = definitionOf(Record, { serialize: { get: Record } });
  expect(seen(copying, { ...records, target: 'no class' }, KINDS)).toEqual(kept);
});

test('a list is judged by the kind of its items, and what a transformer of the ORM makes like an object', () => {
  class User {
    @Type(() => Number) amounts!: number[];
    @Type(() => Number) words!: string[];
    @Type(() => Open) made!: object;
    @Type(() => Closed) hiding!: object;
  }

  const columns = [
    column('amounts', 'array', { elementKind: 'integer' }),
    column('words', 'array', { elementKind: 'text' }),
    ...['made', 'hiding'].map((path) => column(path, 'text', { transformed: true })),
  ];
  const users: Catalog = { ...catalog('User', columns), target: User };
  const names = [...users.columns.keys()];
  expect(seen(definitionOf(User), users, names)).toEqual(['amounts', 'made']);
  expect(seen(definitionOf(User), users, names, { excludePrefixes: ['_'] })).toEqual(['amounts']);
});

test('JSON values are seen key by key', () => {
  class Settings {
    @Exclude() token!: string;
    @Expose({ name: 'shade' }) colour!: string;
    @Transform(({ value }: { value: unknown }) => value) size!: number;
  }

  const User = decorated({ settings: Type(() => Settings), printed: Type(() => String) });

  const columns = ['settings', 'free', 'printed'].map((path) => column(path, 'json'));
  const users: Catalog = { ...catalog('User', columns), target: User };
  const keys = ['theme', 'token', 'a.token', 'colour'].map((key) => `settings.${key}`);
  const names = [...keys, 'free.a.token', 'free.__proto__', 'free.constructor', 'printed.theme'];
  const shown = ['settings.theme', 'settings.a.token', 'free.a.token'];
  const plain = { ...users, target: 'no class' };
  for (const [of, get] of [[users], [plain, User]] as const)
    expect(seen(definitionOf(User, { serialize: { get } }), of, names)).toEqual(shown);
  const formats = ['settings.size'];
  expect(seen(definitionOf(User, { query: { formats } }), users, formats)).toEqual(formats);
  expect(seen(definitionOf(User), users, formats)).toEqual([]);
});
