#!/usr/bin/env node
/** `npm create nestwright@latest my-api`: asks what the application is made of, and writes it. */
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type Ask, choose } from './choose.js';
import { CHOICE_NAMES, type ChoiceName, CHOICES, type Choices, QUESTIONS } from './choices.js';
import { createApplication } from './create-application.js';

const HELP = `npm create nestwright@latest [folder] [options]

${CHOICE_NAMES.map((name) => `  --${name} <${CHOICES[name].join('|')}>`.padEnd(40) + QUESTIONS[name]).join('\n')}
  --yes                                 Asks nothing: what no option names is the first of its values
  --no-install                          Does not run npm install
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      ...(Object.fromEntries(CHOICE_NAMES.map((name) => [name, { type: 'string' }])) as Record<
        ChoiceName,
        { type: 'string' }
      >),
      yes: { type: 'boolean', short: 'y' },
      install: { type: 'boolean', default: true },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);

    return;
  }
  if (positionals.length > 1) throw new Error(`One folder expected, not ${positionals.join(', ')}`);

  const ask = values.yes || !process.stdin.isTTY ? undefined : makeAsker();
  const folder = positionals[0] ?? (await ask?.('Folder', 'my-api')) ?? 'my-api';
  const chosen: Partial<Record<ChoiceName, string>> = {};
  for (const name of CHOICE_NAMES) chosen[name] = await choose(name, values[name], ask);
  ask?.close();

  const files = await createApplication(folder, chosen as Choices);
  process.stdout.write(`\n${files.length} files in ${folder}\n`);
  if (values.install) {
    const { status } = spawnSync('npm', ['install'], {
      cwd: folder,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm install failed in ${folder}: try it again there`);
  }
  process.stdout.write(`
  cd ${folder}${values.install ? '' : '\n  npm install'}${chosen.database === 'mariadb' ? MARIADB : ''}
  npm start          http://localhost:3000/docs${chosen.admin === 'yes' ? ' and http://localhost:3000/admin' : ''}
  npm test
`);
}

const MARIADB = `
  docker run -d -p 3306:3306 -e MARIADB_ALLOW_EMPTY_ROOT_PASSWORD=1 -e MARIADB_DATABASE=app mariadb
  export DATABASE_URL=mysql://root@127.0.0.1:3306/app`;

function makeAsker(): Ask & { close(): void } {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl+C, or the end of the input: whoever leaves a question unanswered wants no application.
  const leave = () => process.exit(1);
  terminal.once('close', leave);
  const ask: Ask = async (question, usual) => (await terminal.question(`${question} (${usual}): `)).trim() || usual;

  return Object.assign(ask, { close: () => terminal.off('close', leave).close() });
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
