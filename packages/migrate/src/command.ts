/** What the command does: its arguments, the files that it reads and writes, its exit code. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compare } from './compare.js';
import { migrate } from './migrate.js';
import { readProject } from './project-files.js';
import { mayWrite, report } from './report.js';
import { readSteps } from './steps.js';

const USAGE = `Moves a project from nestjsx/crud, @dataui/crud or @rewiko/crud to nestwright.

  npx @nestwright/migrate [folder] [--dry-run | --force]

  npx @nestwright/migrate compare OLD_URL NEW_URL steps.json [--ignore names]

  folder      the folder with the project's package.json; this one by default
  --dry-run   shows the changes and writes nothing
  --force     moves the project even if it has versions of Nest and other packages that do not fit
  compare     sends the requests of a file to both applications, and prints how their answers differ
  --ignore    properties that are not compared: createdAt,updatedAt
  --version   prints the version
  --help      prints this
`;

type Say = (text: string) => void;

/**
 * Runs the command.
 *
 * @returns The exit code.
 * @throws Error for arguments and files that it cannot work with
 */
export async function run(args: readonly string[], say: Say): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean' },
      ignore: { type: 'string' },
      version: { type: 'boolean' },
    },
  });
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  if (values.help || values.version) {
    say(values.help ? USAGE : `${version}\n`);

    return 0;
  }
  if (positionals[0] === 'compare') return runComparison(positionals.slice(1), values.ignore?.split(',') ?? [], say);
  if (positionals.length > 1)
    throw new Error(`One folder at a time, not ${positionals.length}: ${positionals.join(' ')}`);

  const folder = resolve(...positionals);
  const migration = migrate(await readProject(folder), version);
  const asked = { isDry: values['dry-run'], isForced: values.force };
  const isWritten = mayWrite(migration, asked);
  if (isWritten) for (const [path, { after }] of migration.changes) await writeFile(join(folder, path), after);
  say(report(migration, asked));

  return isWritten || (asked.isDry && migration.errors.length === 0) ? 0 : 1;
}

async function runComparison(positionals: readonly string[], ignore: readonly string[], say: Say): Promise<number> {
  const [oldUrl = '', newUrl = '', path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) throw new Error(`compare takes two addresses and a file.\n\n${USAGE}`);
  const read = async () => readSteps(await readFile(path, 'utf8'));
  const steps = await read().catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`);
  });
  const { text, isSame } = await compare([oldUrl, newUrl], { ...steps, ignore: [...steps.ignore, ...ignore] });
  say(text);

  return isSame ? 0 : 1;
}
