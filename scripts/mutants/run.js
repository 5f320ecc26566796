/**
 * Changes one place of the sources at a time, and asks the tests of `npm test` that reach it to notice: `npm run test:mutants -- --name after-18`.
 * `--count 1500 --seed 20261124` are the draw; `--resume FOLDER` goes on with a run that was ended; paths of tests narrow it. Writes `scripts/mutants/results/<name>.json`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../integration/test-support/embedded-postgres.js';
import { drawMutants } from './draw.js';
import { planTurns } from './turns.js';

const ROOT = join(import.meta.dirname, '../..');
const RESULTS = join(import.meta.dirname, 'results');
/** Of one process, before another goes on. */
const MUTANTS_OF_PROCESS = 60;
const SECONDS_UNTIL_GIVEN_UP = 60;
/** How many files, the most particular first, are asked about a survivor with the mutant from the start. */
const FILES_FROM_START = 3;

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

/**
 * Runs Jest on files of the project, which are grouped as by `npm test`.
 *
 * @param isAlive asked each second; false ends the run
 */
function runJest(folder, env, { paths, isAlive = () => true }) {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const flags = ['--env', './scripts/mutants/environment.js', '--selectProjects', 'units', 'databases'];
  const child = spawn(process.execPath, [...jest, ...flags, ...paths], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr.on('data', (text) => (said = (said + text).slice(-2000)));

  return new Promise((resolve) => {
    const timer = setInterval(() => isAlive() || process.kill(-child.pid, 'SIGKILL'), 1000);
    child.once('exit', (code) => {
      clearInterval(timer);
      resolve({ code, said });
    });
  });
}

/** What each test reaches, by file: see environment.js. */
async function measureReach(folder) {
  const path = join(folder, 'reach.ndjson');
  if (!existsSync(join(folder, 'reach.done'))) {
    const { code, said } = await runJest(folder, { MUTANTS_REACH: path }, { paths: ['--', ...tests] });
    if (code !== 0) throw new Error(`The tests fail before anything is changed:\n${said}`);
    writeFileSync(join(folder, 'reach.done'), '');
  }

  return readLines(path);
}

/** Asks tests of one group of files about mutants. @returns what became of each that was asked, by its id */
async function ask(folder, files, asked, env = {}) {
  const own = await mkdtemp(join(folder, 'asked-'));
  const outcomes = join(own, 'outcomes.ndjson');
  writeFileSync(join(own, 'asked.json'), JSON.stringify(asked));
  const began = Date.now();
  const isAlive = () =>
    Date.now() - (existsSync(outcomes) ? statSync(outcomes).mtimeMs : began) < SECONDS_UNTIL_GIVEN_UP * 1000;
  const names = { MUTANTS_ASKED: join(own, 'asked.json'), MUTANTS_OUTCOMES: outcomes };
  await runJest(folder, { ...env, ...names }, { paths: ['-i', '--runTestsByPath', ...files], isAlive });
  const found = new Map(readLines(outcomes).map(({ mutant, ...found }) => [mutant, found]));
  await rm(own, { recursive: true });

  return found;
}

/** Goes on with those behind one that hung or that left the process unusable. */
async function askAll(folder, files, asked, tell) {
  for (let left = asked; left.length > 0;) {
    const found = await ask(folder, files, left);
    for (const [mutant, { outcome, message }] of found)
      tell(mutant, outcome === 'asked' ? 'timed out' : outcome, message);
    left = found.size === 0 ? [] : left.filter(({ mutant }) => !found.has(mutant));
  }
}

/** In a process of its own, which has it from the start: what is computed once and kept shows so. */
async function askFromStart(folder, { files, tests }, mutant, tell) {
  const asked = [{ mutant, tests }];
  const { outcome, message } =
    (await ask(folder, files, asked, { __STRYKER_ACTIVE_MUTANT__: mutant })).get(mutant) ?? {};
  if (outcome === 'survived') return false;
  const without = (await ask(folder, files, asked)).get(mutant);
  const passes = without?.outcome === 'survived' || without?.outcome === 'killed';
  if (passes) tell(mutant, outcome === 'failed' ? 'killed' : 'timed out', message);

  return passes;
}

const folder = options.resume ?? (await mkdtemp(join(tmpdir(), 'mutants-')));
if (!existsSync(join(folder, 'mutants.json'))) await prepare(folder);
console.log(`In ${folder}; --resume goes on there.`);
const server = process.env.POSTGRES_URL ? undefined : await startEmbeddedPostgres();
if (server) process.env.POSTGRES_URL = server.url;

const reach = await measureReach(folder);
const turns = planTurns(reach);
const mutants = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8'));
const outcomes = new Map(readLines(join(folder, 'outcomes.ndjson')).map(({ id, ...rest }) => [id, rest]));
const isKilled = ({ id }) => ['killed', 'timed out'].includes(outcomes.get(id)?.outcome);

function tell(id, outcome, message) {
  if (outcomes.get(id)?.outcome === 'killed') return;
  outcomes.set(id, { outcome, message });
  appendFileSync(join(folder, 'outcomes.ndjson'), `${JSON.stringify({ id, outcome, message })}\n`);
}

/** Works as many at a time as there are cores. */
async function workThrough(works) {
  const left = [...works];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) await next();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** Each mutant's turn of this number, by group of files. */
function gather(round) {
  const byGroup = new Map();
  for (const { id } of mutants.filter((mutant) => !isKilled(mutant))) {
    const turn = turns.get(id)?.[round];
    if (turn && !turn.fromStart)
      byGroup.set(turn.files, [...(byGroup.get(turn.files) ?? []), { mutant: id, tests: turn.tests }]);
  }

  return [...byGroup].flatMap(([files, asked]) =>
    Array.from({ length: Math.ceil(asked.length / MUTANTS_OF_PROCESS) }, (_, part) => ({
      files,
      asked: asked.slice(part * MUTANTS_OF_PROCESS, (part + 1) * MUTANTS_OF_PROCESS),
    })),
  );
}

const rounds = Math.max(...[...turns.values()].map((taken) => taken.length));
for (let round = 0; round < rounds; round++) {
  const parts = gather(round);
  await workThrough(
    parts.map(
      ({ files, asked }) =>
        () =>
          askAll(folder, files, asked, tell),
    ),
  );
  console.log(`Round ${round + 1} of ${rounds}: ${mutants.filter(isKilled).length} of ${mutants.length} killed.`);
}
await workThrough(
  mutants
    .filter((mutant) => !isKilled(mutant))
    .map(({ id }) => async () => {
      for (const turn of (turns.get(id) ?? []).slice(0, FILES_FROM_START))
        if (await askFromStart(folder, turn, id, tell)) return;
      tell(id, turns.has(id) ? 'survived' : 'not reached');
    }),
);
await server?.stop();

const areas = {};
for (const mutant of mutants) {
  const counts = (areas[mutant.area] ??= { drawn: 0, killed: 0 });
  counts.drawn += 1;
  if (isKilled(mutant)) counts.killed += 1;
}
const all = mutants.map(({ id, ...mutant }) => ({ ...mutant, ...outcomes.get(id) }));
await mkdir(RESULTS, { recursive: true });
writeFileSync(
  join(RESULTS, `${options.name}.json`),
  `${JSON.stringify({ seed: Number(options.seed), areas, mutants: all }, null, 1)}\n`,
);
console.table(areas);
