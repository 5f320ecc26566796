/** What the command does: its options, its questions, and what it prints. */
import { parseArgs } from 'node:util';
import { type Ask, choose } from './choose.js';
import { CHOICE_NAMES, type ChoiceName, CHOICES, type Choices, QUESTIONS } from './choices.js';
import { createApplication } from './create-application.js';

const HELP = `npm create nestwright@latest [folder] [options]

${CHOICE_NAMES.map((name) => `  --${name} <${CHOICES[name].join('|')}>`.padEnd(40) + QUESTIONS[name]).join('\n')}
  --yes                                 Asks nothing: what no option names is the first of its values
  --no-install                          Does not run npm install
`;

/** Where the command is run. */
export interface Terminal {
  readonly say: (text: string) => void;
  /** Absent: nobody is there to answer. */
  readonly makeAsker?: (() => Ask & { close(): void }) | undefined;
  /** Runs `npm install` in a folder; whether it succeeded. */
  readonly install: (folder: string) => boolean;
}

/**
 * Runs the command.
 *
 * @throws Error for options and folders that it cannot work with, and if npm fails
 */
export async function run(args: readonly string[], { say, makeAsker, install }: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
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
  if (values.help) return say(HELP);
  if (positionals.length > 1) throw new Error(`One folder expected, not ${positionals.join(', ')}`);

  const ask = values.yes ? undefined : makeAsker?.();
  const folder = positionals[0] ?? (await ask?.('Folder', 'my-api')) ?? 'my-api';
  const chosen: Partial<Record<ChoiceName, string>> = {};
  for (const name of CHOICE_NAMES) chosen[name] = await choose(name, values[name], ask);
  ask?.close();

  const files = await createApplication(folder, chosen as Choices);
  say(`\n${files.length} files in ${folder}\n`);
  if (values.install && !install(folder)) throw new Error(`npm install failed in ${folder}: try it again there`);
  say(`
  cd ${folder}${values.install ? '' : '\n  npm install'}${chosen.database === 'mariadb' ? MARIADB : ''}
  npm start          http://localhost:3000/docs${chosen.admin === 'yes' ? ' and http://localhost:3000/admin' : ''}
  npm test
`);
}

const MARIADB = `
  docker run -d -p 3306:3306 -e MARIADB_ALLOW_EMPTY_ROOT_PASSWORD=1 -e MARIADB_DATABASE=app mariadb
  export DATABASE_URL=mysql://root@127.0.0.1:3306/app`;
