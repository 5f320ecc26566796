/**
 * Jest's option `filter`: of each group of spec files in one package the largest one runs, and transformer.js has it import the others.
 * The framework is so loaded once for a group, which takes longer than most files' tests. Jest begins with the largest files.
 */
const { readFileSync, statSync } = require('node:fs');
const { relative, resolve, sep } = require('node:path');

const { fits } = require('./in-describe.cjs');

/** Full runs do more in each file, and what files leave behind slows those after them. */
const SIZE = Number(process.env.TEST_GROUPS_SIZE ?? (process.env.TESTS ? 20 : 40));

/** A package, or a folder of `integration`. */
const findHome = (path) => relative(resolve(module.path, '../../..'), path).split(sep).slice(0, 2).join('/');

/** Files that would change the others of a group (they replace modules or variables, or configure all resources), and those that take long by themselves. */
const ALONE = /unstable_mockModule|CrudConfigService\.load\(|CrudModule\.forRoot|^process\.env|describeCorpus\(/m;

/** These quote such calls in texts, and make none. */
const QUOTES = /[\\/]packages[\\/]migrate[\\/]/;

const isAlone = (path) => {
  const source = readFileSync(path, 'utf8');

  return !fits(source) || (ALONE.test(source) && !QUOTES.test(path));
};

module.exports = (paths) => {
  const groups = new Map();
  for (const path of [...paths].sort()) {
    const key = isAlone(path) ? path : findHome(path);
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }

  const files = { ...JSON.parse(process.env.TEST_GROUPS ?? '{}') };
  const filtered = [];
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += SIZE) {
      const [first, ...others] = group.slice(start, start + SIZE).sort((a, b) => statSync(b).size - statSync(a).size);
      files[first] = others;
      filtered.push(first);
    }
  }
  process.env.TEST_GROUPS = JSON.stringify(files);

  return { filtered };
};
