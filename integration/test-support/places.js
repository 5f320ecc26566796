/**
 * Which tests of a spec file a run takes: what a suite has for several databases or HTTP platforms, at one of these places alone. Titles
 * decide which, so that each has its share.
 */
import { createHash } from 'node:crypto';

const PLACE = / · (?:sqlite|postgres|mysql|express|fastify)$/;
const PLACES = /\b(?:sqlite|postgres|mysql|express|fastify)\b/g;

/** Suites that tell one database from another. */
const COMPARING = /^(the conformance kit|corpus of the (example|workspace)|differences) ·/;
const ON_DATABASE = / · (sqlite|postgres|mysql)$/;

/** Whether CI runs a block on each database, or on both HTTP platforms: for {@link leaveOnePlace}. */
export const staysInCi = (titles, hasOwnTests) =>
  hasOwnTests || titles.some((title) => COMPARING.test(title)) || !titles.some((title) => ON_DATABASE.test(title));

const isSkipped = ({ mode }) => mode === 'skip' || mode === 'todo';

/** Every block with tests of its own, which may depend on each other, by the titles around them. */
function listBlocks(block, titles = []) {
  if (isSkipped(block)) return [];
  const tests = block.children.filter((child) => child.type === 'test' && !isSkipped(child));
  const inner = block.children.filter((child) => child.type === 'describeBlock');

  return [
    ...(tests.length > 0 ? [{ block, titles, tests }] : []),
    ...inner.flatMap((child) => listBlocks(child, [...titles, child.name])),
  ];
}

/** Chooses by the titles of a suite; a file that runs in a group has one more before them. */
function choose(titles, places) {
  const suite = titles.slice(titles.findIndex((title) => title.includes(' · '))).join();

  return places[createHash('sha256').update(suite.replace(PLACES, '')).digest().readUInt32BE() % places.length];
}

/**
 * Removes the tests of each block from all places but one.
 *
 * @param staysEverywhere whether a block stays at another place, by the titles around it and whether it has tests there that the first has not
 */
export function leaveOnePlace(root, staysEverywhere = () => false) {
  const subjects = new Map();

  for (const { block, titles, tests } of listBlocks(root)) {
    if (!titles.some((title) => PLACE.test(title))) continue;
    const subject = titles.join(' › ').replace(PLACES, '');
    const names = tests.map(({ name }) => name.replace(PLACES, ''));
    subjects.set(subject, [
      ...(subjects.get(subject) ?? []),
      { block, titles, tests, names, place: titles.join(' › ') },
    ]);
  }

  for (const alike of subjects.values()) {
    const chosen = choose(alike[0].titles, [...new Set(alike.map(({ place }) => place))]);
    const left = new Set(alike.filter(({ place }) => place === chosen).flatMap(({ names }) => names));

    for (const { block, titles, tests, names, place } of alike) {
      const hasOwnTests = names.some((name) => !left.has(name));
      if (place !== chosen && !staysEverywhere(titles, hasOwnTests))
        block.children = block.children.filter((child) => !tests.includes(child));
    }
  }
}
