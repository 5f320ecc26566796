/** What a run was made on: machine, versions, date, commit, command. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { BENCHMARKS } from './server-process.js';

/** Label → value, in the order of the document. */
export function machine(postgres: string): Record<string, string> {
  const here = versionsOf('', ['@nestjs/core', 'express', 'fastify', 'typeorm', 'pg']);
  const nest11 = versionsOf('nest11', ['@dataui/crud', 'nestjs-paginate', '@nestjs/core', 'typeorm']);

  return {
    Date: new Date().toISOString().slice(0, 10),
    Commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: BENCHMARKS, encoding: 'utf8' }).trim(),
    Machine: `${os.cpus().length} × ${os.cpus()[0]?.model ?? os.arch()}, ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${/^[\d.]*\d/.exec(os.release())?.[0] ?? ''}`,
    'Load before the run': os.loadavg()[0]!.toFixed(1),
    Versions: `Node.js ${process.versions.node}, PostgreSQL ${postgres}, ${here}`,
    'Versions of the peers': nest11,
    Command: `npm run bench ${process.argv.slice(2).join(' ')}`.trim(),
  };
}

function versionsOf(tree: string, names: string[]): string {
  return names
    .map((name) => {
      const file = join(BENCHMARKS, tree, 'node_modules', name, 'package.json');

      return `${name} ${(JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version}`;
    })
    .join(', ');
}
