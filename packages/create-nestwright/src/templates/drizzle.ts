import type { Choices } from '../choices.js';
import type { Files } from './files.types.js';

const service = (plural: string): string => `import { Inject, Injectable } from '@nestjs/common';
import { DrizzleCrudService } from '@nestwright/crud-drizzle';
import { DATABASE, type Database } from '../database.js';
import { ${plural.toLowerCase()} } from '../schema.js';

@Injectable()
export class ${plural}Service extends DrizzleCrudService<typeof ${plural.toLowerCase()}, Database> {
  constructor(@Inject(DATABASE) db: Database) {
    super(db, ${plural.toLowerCase()});
  }
}
`;

/** How a database's tables are written. */
interface Columns {
  readonly from: string;
  readonly imports: string;
  readonly table: string;
  readonly id: string;
  readonly text: (length: number) => string;
  readonly integer: string;
}

const COLUMNS: Readonly<Record<Choices['database'], Columns>> = {
  sqlite: {
    from: 'sqlite-core',
    imports: 'integer, sqliteTable, text',
    table: 'sqliteTable',
    id: 'integer().primaryKey({ autoIncrement: true })',
    text: (length) => `text({ length: ${length} })`,
    integer: 'integer',
  },
  postgres: {
    from: 'pg-core',
    imports: 'integer, pgTable, serial, varchar',
    table: 'pgTable',
    id: 'serial().primaryKey()',
    text: (length) => `varchar({ length: ${length} })`,
    integer: 'integer',
  },
  mariadb: {
    from: 'mysql-core',
    imports: 'int, mysqlTable, varchar',
    table: 'mysqlTable',
    id: 'int().autoincrement().primaryKey()',
    text: (length) => `varchar({ length: ${length} })`,
    integer: 'int',
  },
};

function schemaOf({ from, imports, table, id, text, integer }: Columns): string {
  return `import { relations } from 'drizzle-orm';
import { ${imports} } from 'drizzle-orm/${from}';

export const authors = ${table}('authors', {
  id: ${id},
  name: ${text(80)}.notNull(),
});

export const books = ${table}('books', {
  id: ${id},
  title: ${text(200)}.notNull(),
  year: ${integer}(),
  authorId: ${integer}('author_id').references(() => authors.id),
});

export const authorRelations = relations(authors, ({ many }) => ({ books: many(books) }));

export const bookRelations = relations(books, ({ one }) => ({
  author: one(authors, { fields: [books.authorId], references: [authors.id] }),
}));
`;
}

/** How a database is opened, and closed by its client. */
interface Opening {
  readonly builtins?: string;
  readonly packages: string;
  readonly open: string;
  readonly close: string;
}

const OPENING: Readonly<Record<Choices['database'], Opening>> = {
  sqlite: {
    builtins: "import { mkdirSync } from 'node:fs';\n",
    packages: `import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
`,
    open: `/** SQLite in a file; in memory for tests. */
function open() {
  const isTest = process.env['DATABASE_URL'] === 'memory';
  if (!isTest) mkdirSync('data', { recursive: true });
  const client = new Sqlite(isTest ? ':memory:' : 'data/app.sqlite');
  client.pragma('foreign_keys = ON');
  const db = drizzle(client, { schema });
  migrate(db, { migrationsFolder: 'drizzle' });

  return db;
}
`,
    close: 'this.db.$client.close();',
  },
  postgres: {
    packages: `import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Pool } from 'pg';
`,
    open: `/** The PostgreSQL of DATABASE_URL. */
async function open() {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'] });
  // A connection that the server ends while nobody uses it would stop the process.
  pool.on('error', ({ message }) => console.error(message));
  const db = drizzle(pool, { schema });
  await migrate(db, { migrationsFolder: 'drizzle' });

  return db;
}
`,
    close: 'await this.db.$client.end();',
  },
  mariadb: {
    packages: `import { drizzle } from 'drizzle-orm/mysql2';
import { migrate } from 'drizzle-orm/mysql2/migrator';
import { createPool } from 'mysql2/promise';
`,
    open: `/** The MariaDB or MySQL of DATABASE_URL. */
async function open() {
  const { DATABASE_URL: uri = '' } = process.env;
  if (!uri.startsWith('mysql:')) throw new Error('DATABASE_URL must name a database: mysql://root@127.0.0.1:3306/app');
  const db = drizzle(createPool({ uri, timezone: 'Z', charset: 'utf8mb4' }), { schema, mode: 'default' });
  await migrate(db, { migrationsFolder: 'drizzle' });

  return db;
}
`,
    close: 'await this.db.$client.end();',
  },
};

const databaseOf = ({ builtins = '', packages, open, close }: Opening): string =>
  `${builtins}import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
${packages}import * as schema from './schema.js';

${open}
export type Database = Awaited<ReturnType<typeof open>>;

/** The token of the database. */
export const DATABASE = Symbol('database');

@Global()
@Module({ providers: [{ provide: DATABASE, useFactory: open }], exports: [DATABASE] })
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  async onApplicationShutdown(): Promise<void> {
    ${close}
  }
}
`;

export const DRIZZLE_FILES = ({ database }: Choices): Files => ({
  'src/schema.ts': schemaOf(COLUMNS[database]),
  'src/database.ts': databaseOf(OPENING[database]),
  'src/authors/authors.service.ts': service('Authors'),
  'src/books/books.service.ts': service('Books'),
});
