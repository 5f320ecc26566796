/** Draws mutants by a seed, and writes sources in which each of them can be switched on. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const nothing = () => undefined;
const logger = { debug: nothing, info: nothing, isDebugEnabled: () => false };

/** Other wording, and not another behaviour, is what most changes of literals would be. */
const OPTIONS = {
  plugins: ['decorators-legacy'],
  excludedMutations: ['StringLiteral'],
  ignorers: [{ shouldIgnore: (path) => (isLateType(path) ? 'would lose its name' : undefined) }],
};

/** @nestjs/swagger tells `type: () => Model` from a class by the name of the function. */
function isLateType({ node, parent }) {
  return node.type === 'ArrowFunctionExpression' && parent.type === 'ObjectProperty' && parent.key.name === 'type';
}

/** Numbers in [0, 1) that a seed determines (mulberry32). */
function* randomNumbers(seed) {
  for (let state = seed >>> 0; ;) {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    yield ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }
}

const keyOf = ({ fileName, location: { start, end }, mutatorName, replacement }) =>
  JSON.stringify([fileName, start.line, start.column, end.line, end.column, mutatorName, replacement]);

/**
 * @param root the repository
 * @param paths its sources, relative to it; those without an area are not changed
 * @returns the mutants, in the order of the draw: `{ id, area, fileName, line, mutatorName, replacement }`
 */
export async function drawMutants(root, paths, { seed, count, into, areaOf }) {
  const instrumenter = new Instrumenter(logger);
  const sources = await Promise.all(
    paths
      .filter(areaOf)
      .sort()
      .map(async (name) => ({ name, content: await readFile(join(root, name), 'utf8') })),
  );
  const { mutants: all } = await instrumenter.instrument(
    sources.map((source) => ({ ...source, mutate: true })),
    OPTIONS,
  );
  const random = randomNumbers(seed);
  const drawn = all
    .filter(({ status }) => status !== 'Ignored')
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((mutant) => ({ mutant, place: random.next().value }))
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ mutant }) => mutant);

  const drawnOf = (name) => drawn.filter(({ fileName }) => fileName === name);
  const { files, mutants } = await instrumenter.instrument(
    sources
      .filter(({ name }) => drawnOf(name).length > 0)
      .map((source) => ({ ...source, mutate: drawnOf(source.name).map(({ location }) => location) })),
    OPTIONS,
  );
  await Promise.all(files.map(({ name, content }) => writeFile(join(into, name), content)));
  const ids = new Map(mutants.map((mutant) => [keyOf(mutant), mutant.id]));

  return drawn.map((mutant) => ({
    id: ids.get(keyOf(mutant)),
    area: areaOf(mutant.fileName),
    file: mutant.fileName,
    line: mutant.location.start.line + 1,
    mutator: mutant.mutatorName,
    replacement: mutant.replacement,
  }));
}
