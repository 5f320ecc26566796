/** The application of docs/drizzle.md in a process of its own, as the page has it; prints what its two requests are answered with. */
import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as kit from 'drizzle-kit/api';
import { Client } from 'pg';

const [page = '', file = ''] = process.argv.slice(2);
const text = await readFile(page, 'utf8');
const [, application = ''] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
const [, curls = ''] = /```sh\n(curl[\s\S]*?)```/.exec(text) ?? [];
await writeFile(file, application);
const { AppModule, ...schema } = (await import(pathToFileURL(file).href)) as Record<string, Type<object>>;
// What `npx drizzle-kit push` does.
const client = new Client({ connectionString: process.env['DATABASE_URL'] });
await client.connect();
for (const statement of await kit.generateMigration(kit.generateDrizzleJson({}), kit.generateDrizzleJson(schema)))
  await client.query(statement);
await client.end();
const app = await NestFactory.create(AppModule!, { logger: false });
await app.listen(0, '127.0.0.1');
const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
const answers: unknown[] = [];
for (const line of curls.trim().split('\n')) {
  const [, path = ''] = /localhost:3000([^\s']*)/.exec(line) ?? [];
  const [, body] = /-d '([^']*)'/.exec(line) ?? [];
  const response = await fetch(url + path, {
    ...(body !== undefined && { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
  });
  answers.push([response.status, await response.json()]);
}

await app.close();
process.stdout.write(`\n${JSON.stringify(answers)}\n`, () => process.exit(0));
