#!/usr/bin/env node
/** `npx @nestwright/migrate [folder] [--dry-run]` */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from './migrate.js';
import { readProject } from './project-files.js';
import { report } from './report.js';

const USAGE = `Moves a project from nestjsx/crud, @dataui/crud or @rewiko/crud to nestwright.

  npx @nestwright/migrate [folder] [--dry-run]

  folder      the folder with the project's package.json; this one by default
  --dry-run   shows the changes and writes nothing
  --version   prints the version
  --help      prints this
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' }, version: { type: 'boolean' } },
  });
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  if (values.help) return say(USAGE);
  if (values.version) return say(`${version}\n`);
  if (positionals.length > 1)
    throw new Error(`One folder at a time, not ${positionals.length}: ${positionals.join(' ')}`);

  const folder = resolve(positionals[0] ?? '.');
  const migration = migrate(await readProject(folder), version);
  const isDry = values['dry-run'] ?? false;
  const failed = migration.errors.length > 0;
  if (!isDry && !failed) for (const [path, { after }] of migration.changes) await writeFile(join(folder, path), after);
  say(report(migration, isDry));

  return failed ? 1 : 0;
}

function say(text: string): number {
  process.stdout.write(text);

  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
