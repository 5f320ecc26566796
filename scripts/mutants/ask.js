/** Asks tests about mutants, in processes of Jest. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';

const SECONDS_UNTIL_GIVEN_UP = 90;
const NO_MUTANT = 'none';
/** Tests that fail without a mutant, too, where others of their group have not run: they hide what the rest would notice. */
const NOT_ALONE = new Set();
/** What became of tests without a mutant, by group and tests: many mutants are asked of the same. */
const WITHOUT = new Map();

export const readLines = (path) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/**
 * Runs Jest on files of the project, which are grouped as by `npm test`.
 *
 * @param isAlive asked each second; false ends the run
 */
export function runJest(folder, env, { paths, isAlive = () => true }) {
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

/**
 * Goes on with those behind one that hung or that left the process unusable. Tests that fail without the mutant, too, need what
 * others of their suites have done before: these are asked as well then.
 */
export async function askAll(folder, files, asked, tell) {
  for (let left = asked; left.length > 0;) {
    const found = await ask(folder, files, left);
    const again = [];
    for (const { mutant, tests, whole } of left) {
      const { outcome, message } = found.get(mutant) ?? {};
      if (outcome === 'failed' && whole?.length > tests.length) again.push({ mutant, tests: whole });
      else if (outcome) tell(mutant, outcome === 'asked' ? 'timed out' : outcome, message);
    }
    left = found.size === 0 ? [] : [...left.filter(({ mutant }) => !found.has(mutant)), ...again];
  }
}

/** In a process of its own, which has it from the start: what is computed once and kept, by whatever test, shows so. */
export async function askFromStart(folder, { files, alone }, mutant, tell) {
  for (;;) {
    const tests = alone.filter((test) => !NOT_ALONE.has(`${files[0]} ${test}`));
    const fromStart = (active) =>
      ask(folder, files, [{ mutant: active, tests }], { __STRYKER_ACTIVE_MUTANT__: active });
    const { outcome, message } = (await fromStart(mutant)).get(mutant) ?? {};
    if (outcome === 'survived') return false;
    const key = `${files[0]} ${tests}`;
    if (!WITHOUT.has(key)) WITHOUT.set(key, fromStart(NO_MUTANT));
    const without = (await WITHOUT.get(key)).get(NO_MUTANT);
    if (without?.outcome === 'survived') {
      tell(mutant, outcome === 'asked' || !outcome ? 'timed out' : 'killed', message);

      return true;
    }
    if (without?.failing === undefined) return false;
    NOT_ALONE.add(`${files[0]} ${without.failing}`);
  }
}
