/** Builds an earlier commit in a folder of its own and measures it beside this tree: `npm run bench:against -- HEAD~1`. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;
const [commit, ...options] = process.argv.slice(2);

if (!commit) throw new Error('Name the commit to compare with: npm run bench:against -- <commit> [options]');

const output = { cwd: here, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' };
const name = execFileSync('git', ['rev-parse', '--short', `${commit}^{commit}`], output).trim();
const tree = join(tmpdir(), `nestwright-bench-${name}`);
const built = join(tree, 'benchmarks/dist/servers/nestwright.js');
const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, stdio: ['ignore', 2, 2] });

// The folder is left for the next comparison with the same commit.
if (!existsSync(built)) {
  run(here, 'git', 'clone', '--quiet', '--no-checkout', join(here, '..'), tree);
  run(tree, 'git', 'checkout', '--quiet', name);
  run(tree, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
  run(tree, 'node', 'benchmarks/prepare.js');
}
execFileSync(process.execPath, [join(here, 'dist/against.js'), ...options], {
  stdio: 'inherit',
  env: { ...process.env, BENCH_EARLIER: built, BENCH_EARLIER_NAME: name },
});
