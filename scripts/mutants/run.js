/**
 * Changes one place of the sources at a time, and asks the tests of `npm test` that reach it to notice:
 * `npm run test:mutants -- --name after-18`. Paths of tests behind the options narrow them.
 *
 * --name X            writes scripts/mutants/results/X.json: `sources` is the commit that they were drawn from, `open` what was not asked to the end
 * --count, --seed     the draw; 1500 and 20261124 by default
 * --sources REGEX     draws from all sources whose paths match, by package; else from those that have an area
 * --quick             ends after the first round, and lists what it leaves: `open` is also what is computed as modules load
 * --resume FOLDER     goes on with a run that was ended
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../integration/test-support/embedded-postgres.js';
import { findArea, findPackage } from './areas.js';
import { askAll, askFromStart, readLines, runJest } from './ask.js';
import { drawMutants } from './draw.js';
import { planTurns } from './turns.js';

const ROOT = join(import.meta.dirname, '../..');
const RESULTS = join(import.meta.dirname, 'results');
/** Of one process, before another goes on. */
const MUTANTS_OF_PROCESS = 60;
/** In processes that ask about many; what they leave is asked from the start. */
const ROUNDS = 3;

const { values: options, positionals: tests } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    count: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '20261124' },
    sources: { type: 'string' },
    quick: { type: 'boolean', default: false },
    resume: { type: 'string' },
  },
});
if (!options.name) throw new Error('--name says which file the results are written to.');

/** The area or package that mutants of a source are counted for; undefined if none are drawn from it. */
function areaOf(path) {
  if (!options.sources) return findArea(path);

  return new RegExp(options.sources).test(path) ? findPackage(path) : undefined;
}

const listFiles = (...patterns) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');

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
    areaOf,
  });
  writeFileSync(join(folder, 'mutants.json'), JSON.stringify(mutants));
  writeFileSync(join(folder, 'sources'), execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT }));
}

/** What each test reaches, by file: see environment.js. */
async function measureReach(folder) {
  const path = join(folder, 'reach.ndjson');
  if (!existsSync(join(folder, 'reach.done'))) {
    const { code, said } = await runJest(folder, { MUTANTS_REACH: path }, { paths: ['--', ...tests] });
    if (code !== 0 && !options.quick) throw new Error(`The tests fail before anything is changed:\n${said}`);
    writeFileSync(join(folder, 'reach.done'), '');
  }

  return readLines(path);
}

const folder = options.resume ?? (await mkdtemp(join(tmpdir(), 'mutants-')));
if (!existsSync(join(folder, 'mutants.json'))) await prepare(folder);
console.log(`In ${folder}; --resume goes on there.`);
const server = process.env.POSTGRES_URL ? undefined : await startEmbeddedPostgres();
if (server) process.env.POSTGRES_URL = server.url;

const reach = await measureReach(folder);
const mutants = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8'));
const sources = readFileSync(join(folder, 'sources'), 'utf8').trim();
const turns = planTurns(reach, mutants);
const outcomes = new Map(readLines(join(folder, 'outcomes.ndjson')).map(({ id, ...rest }) => [id, rest]));
const isKilled = ({ id }) => ['killed', 'timed out'].includes(outcomes.get(id)?.outcome);

let round = 0;

function tell(id, outcome, message) {
  outcomes.set(id, { outcome, message, round });
  appendFileSync(join(folder, 'outcomes.ndjson'), `${JSON.stringify({ id, outcome, message, round })}\n`);
}

/** As many at a time as there are cores, and one more while others wait for a database. */
async function workThrough(works) {
  const left = [...works];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) await next();
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
}

/** The turns of this round that have not been taken, by group of files. */
function gather() {
  const byGroup = new Map();
  const isOpen = (mutant) => !isKilled(mutant) && !(outcomes.get(mutant.id)?.round >= round);
  for (const { id } of mutants.filter(isOpen)) {
    const turn = turns.get(id)?.[round];
    if (turn && !turn.fromStart) {
      byGroup.set(turn.files, [
        ...(byGroup.get(turn.files) ?? []),
        { mutant: id, tests: turn.tests, whole: turn.whole },
      ]);
    }
  }

  return [...byGroup].flatMap(([files, asked]) =>
    Array.from({ length: Math.ceil(asked.length / MUTANTS_OF_PROCESS) }, (_, part) => ({
      files,
      asked: asked.slice(part * MUTANTS_OF_PROCESS, (part + 1) * MUTANTS_OF_PROCESS),
    })),
  );
}

/** What a mutant's own process of each group of files is to run: it ends with the first test that fails. */
function gatherAlone(taken) {
  const byGroup = new Map();
  for (const { files, alone } of taken) byGroup.set(files, [...new Set([...(byGroup.get(files) ?? []), ...alone])]);

  return byGroup;
}

/** Sorts last those that shared processes have asked about more than once: few of them are noticed alone. */
const wasAsked = ({ id }) => Number(outcomes.get(id)?.outcome === 'survived' && outcomes.get(id).round > 0);

await mkdir(RESULTS, { recursive: true });

/** Also after each round: a run that is ended leaves what it knows. */
function writeResults() {
  const areas = {};
  for (const mutant of mutants) {
    const counts = (areas[mutant.area] ??= { drawn: 0, killed: 0 });
    counts.drawn += 1;
    if (isKilled(mutant)) counts.killed += 1;
  }
  // A line for each mutant.
  const lines = mutants.map(({ id, ...mutant }) => {
    const { outcome, round: last } = outcomes.get(id) ?? {};

    return JSON.stringify({ ...mutant, outcome: isKilled({ id }) || last === ROUNDS ? outcome : 'open' });
  });
  writeFileSync(
    join(RESULTS, `${options.name}.json`),
    `{"seed": ${options.seed},\n"sources": "${sources}",\n"areas": ${JSON.stringify(areas)},\n"mutants": [\n${lines.join(',\n')}\n]}\n`,
  );
  console.table(areas);
}

const rounds = options.quick ? 1 : ROUNDS;
for (; round < rounds; round++) {
  await workThrough(gather().map((part) => () => askAll(folder, part.files, part.asked, tell)));
  writeResults();
  console.log(`Round ${round + 1} of ${rounds}: ${mutants.filter(isKilled).length} of ${mutants.length} killed.`);
}
await workThrough(
  (options.quick ? [] : mutants)
    .filter((mutant) => !isKilled(mutant) && outcomes.get(mutant.id)?.round !== ROUNDS)
    .sort((one, other) => wasAsked(one) - wasAsked(other))
    .map(({ id }) => async () => {
      for (const [files, alone] of gatherAlone(turns.get(id) ?? []))
        if (await askFromStart(folder, { files, alone }, id, tell)) return;
      tell(id, turns.has(id) ? 'survived' : 'not reached');
    }),
);
await server?.stop();

writeResults();
if (options.quick) {
  const left = mutants.filter((mutant) => !isKilled(mutant)).sort((a, b) => a.line - b.line);
  for (const { id, file, line, mutator, replacement } of left)
    console.log(`${outcomes.get(id)?.outcome ?? 'open'} ${file}:${line} ${mutator} ${replacement}`);
}
