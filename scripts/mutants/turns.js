/** Which tests a mutant is asked of, by what a run without mutants noted: those that reach it, first those that are quick and reach few others. */
const SECONDS_OF_TURNS = [2, 5, 12];
const SECONDS = 40;
/** Of the suites of a turn, which a process of its own runs whole. */
const SECONDS_OF_SUITES = 15;

const isWithin = (id, block) => block === 'root' || id.startsWith(`${block}.`);

/** @returns the tests of a group of files that reach each mutant, by its id; `fromStart` if it is reached before tests run */
function findTests({ reached, milliseconds }) {
  const tests = Object.keys(milliseconds.tests);
  const found = new Map();
  for (const [id, mutants] of Object.entries(reached)) {
    const [, loads] = /^load (\d+)$/.exec(id) ?? [];
    const reaching = id in milliseconds.tests ? [id] : tests.filter((test) => isWithin(test, loads ?? id));
    for (const mutant of mutants) {
      const { ids, fromStart } = found.get(mutant) ?? { ids: new Set(), fromStart: true };
      for (const test of reaching) ids.add(test);
      found.set(mutant, { ids, fromStart: fromStart && loads !== undefined });
    }
  }

  return found;
}

/** What modules compute as they load is asked of the tests that reach anything else of the same module. */
function addLoaded({ loaded, milliseconds }, found, alike) {
  for (const mutant of loaded.filter((id) => !found.has(id))) {
    const near = alike(mutant).flatMap((id) => [...(found.get(id)?.ids ?? [])]);
    const ids = new Set(near.length > 0 ? near : Object.keys(milliseconds.tests));
    found.set(mutant, { ids, fromStart: true });
  }
}

/** @returns the milliseconds of a test with the hooks of its blocks that have not run yet */
function costOf(test, { tests, blocks }, begun) {
  const around = Object.keys(blocks).filter((block) => isWithin(test, block) && !begun.has(block));
  for (const block of around) begun.add(block);

  return around.reduce((sum, block) => sum + blocks[block], tests[test]);
}

/** Turns that become longer: most mutants are noticed in the first. */
function* takeTurns({ files, reached, milliseconds }, { ids, fromStart }) {
  const breadth = (test) => (reached[test]?.length ?? 1000) * (100 + milliseconds.tests[test]);
  const left = [...ids].sort((a, b) => breadth(a) - breadth(b));
  for (const seconds of SECONDS_OF_TURNS) {
    const begun = new Set();
    const tests = [];
    let cost = 0;
    while (left.length > 0 && (tests.length === 0 || cost < seconds * 1000)) {
      cost += costOf(left[0], milliseconds, begun);
      tests.push(left.shift());
    }
    if (tests.length === 0) return;
    const suites = new Set(tests.map((test) => test.split('.')[0]));
    const whole = Object.keys(milliseconds.tests).filter((test) => suites.has(test.split('.')[0]));
    const costOfSuites = whole.reduce((sum, test) => sum + milliseconds.tests[test], 0);
    const alone = costOfSuites < SECONDS_OF_SUITES * 1000 ? whole : tests;

    yield { files, tests, whole, alone, fromStart, cost, breadth: breadth(tests[0]) };
  }
}

/**
 * @param reach what environment.js noted of each group
 * @returns for each mutant's id its turns: `{ files, tests, whole, alone, fromStart }`; `whole` are all tests of the same suites, and `alone` what a
 * process of its own is to run
 */
export function planTurns(reach, mutants) {
  const sources = new Map(mutants.map(({ id, file }) => [id, file]));
  const alike = (id) => mutants.filter(({ file }) => file === sources.get(id)).map((mutant) => mutant.id);
  const turns = new Map();
  for (const group of reach) {
    const found = findTests(group);
    addLoaded(group, found, alike);
    for (const [mutant, tests] of found) turns.set(mutant, [...(turns.get(mutant) ?? []), ...takeTurns(group, tests)]);
  }

  for (const [mutant, taken] of turns) {
    let cost = 0;
    const sorted = taken.sort((a, b) => a.breadth - b.breadth);
    turns.set(
      mutant,
      sorted.filter((turn, place) => (cost += turn.cost) < SECONDS * 1000 || place === 0),
    );
  }

  return turns;
}
