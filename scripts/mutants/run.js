/**
 * Changes one place of the sources at a time, and asks the tests of `npm test` that reach it to notice: `npm run test:mutants -- --name after-18`.
 * `--count 1500 --seed 20261124` are the draw; `--resume FOLDER` goes on with a run that was ended; paths of tests narrow it. Writes `scripts/mutants/results/<name>.json`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../integration/test-support/embedded-postgres.js';
import { drawMutants } from './draw.js';

const ROOT = join(import.meta.dirname, '../..');
const RESULTS = join(import.meta.dirname, 'results');
const KILLED = 3;
/** The files that are asked first: those that reach the fewest mutants, and so are most likely about this one. */
const FIRST = 5;
const MINUTES = 10;

const { values: options, positionals: tests } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    count: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '20261124' },
    resume: { type: 'string' },
  },
});
if (!options.name) throw new Error('--name says which file the results are written to.');

const listFiles = (...patterns) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
const readLines = (path) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** The project with its mutants, beside the installed packages. */
async function prepare(folder) {
  for (const file of listFiles()) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(ROOT, file), join(folder, file), { verbatimSymlinks: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const mutants = await drawMutants(ROOT, listFiles('packages/*/src/**/*.ts', 'packages/*/src/*.ts'), {
    seed: Number(options.seed),
    count: Number(options.count),
    into: folder,
  });
  writeFileSync(join(folder, 'mutants.json'), JSON.stringify(mutants));
}

/** @returns the exit code, or undefined if it took too long */
function runJest(folder, env, { flags = [], paths, minutes }) {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const child = spawn(
    process.execPath,
    [
      ...jest,
      ...flags,
      '--env',
      './scripts/mutants/environment.js',
      '--selectProjects',
      'units',
      'databases',
      '--',
      ...paths,
    ],
    { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  let said = '';
  child.stderr.on('data', (text) => (said = (said + text).slice(-2000)));

  return new Promise((resolve) => {
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), minutes * 60_000);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, said });
    });
  });
}

/** Which files reach which mutants; a file that fails as it stands is of no use. */
async function measureReach(folder) {
  const path = join(folder, 'reach.ndjson');
  if (!existsSync(join(folder, 'reach.done'))) {
    const env = { MUTANT_COVERAGE: path, TEST_GROUPS_SIZE: '1' };
    const { code, said } = await runJest(folder, env, { paths: tests, minutes: 120 });
    if (code !== 0) throw new Error(`The tests fail before anything is changed:\n${said}`);
    writeFileSync(join(folder, 'reach.done'), '');
  }

  return readLines(path);
}

/** @returns the files that reach a mutant, the most specific first */
function findFiles({ id }, reach) {
  const reaching = reach.filter(({ run, loaded }) => run.includes(id) || loaded.includes(id));

  return reaching.sort((a, b) => a.run.length - b.run.length).map(({ file }) => file);
}

async function judge(folder, mutant, files) {
  if (files.length === 0) return 'not reached';
  const env = { __STRYKER_ACTIVE_MUTANT__: mutant.id };
  for (const asked of [files.slice(0, FIRST), files.slice(FIRST)]) {
    if (asked.length === 0) continue;
    const { code } = await runJest(folder, env, { flags: ['-i', '--runTestsByPath'], paths: asked, minutes: MINUTES });
    if (code !== 0) return code === KILLED || code === 1 ? 'killed' : 'timed out';
  }

  return 'survived';
}

const folder = options.resume ?? (await mkdtemp(join(tmpdir(), 'mutants-')));
if (!existsSync(join(folder, 'mutants.json'))) await prepare(folder);
console.log(`In ${folder}; --resume goes on there.`);
const server = process.env.POSTGRES_URL ? undefined : await startEmbeddedPostgres();
if (server) process.env.POSTGRES_URL = server.url;

const reach = await measureReach(folder);
const mutants = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8'));
const outcomes = new Map(readLines(join(folder, 'outcomes.ndjson')).map(({ id, outcome }) => [id, outcome]));
const left = mutants.filter(({ id }) => !outcomes.has(id));

async function work() {
  for (let mutant = left.shift(); mutant; mutant = left.shift()) {
    const outcome = await judge(folder, mutant, findFiles(mutant, reach));
    outcomes.set(mutant.id, outcome);
    appendFileSync(join(folder, 'outcomes.ndjson'), `${JSON.stringify({ id: mutant.id, outcome })}\n`);
    console.log(`${outcomes.size}/${mutants.length} ${outcome}: ${mutant.file}:${mutant.line} ${mutant.mutator}`);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
await server?.stop();

const areas = {};
for (const { id, area } of mutants) {
  const counts = (areas[area] ??= { drawn: 0, killed: 0 });
  counts.drawn += 1;
  if (['killed', 'timed out'].includes(outcomes.get(id))) counts.killed += 1;
}
const all = mutants.map(({ id, ...mutant }) => ({ ...mutant, outcome: outcomes.get(id) }));
await mkdir(RESULTS, { recursive: true });
writeFileSync(
  join(RESULTS, `${options.name}.json`),
  `${JSON.stringify({ seed: Number(options.seed), areas, mutants: all }, null, 1)}\n`,
);
console.table(areas);
