/**
 * Jest's option `filter`: of each group of spec files in one folder the first one runs, and transformer.js has it import the others.
 * The framework is so loaded once for a group, which takes longer than most files' tests.
 */
const { readFileSync } = require('node:fs');
const { dirname } = require('node:path');

const SIZE = Number(process.env.TEST_GROUPS_SIZE ?? 8);

/** What would change the other files of a group: modules replaced, a configuration for all, hooks outside of any `describe`. */
const ALONE =
  /unstable_mockModule|CrudConfigService\.load\(|CrudModule\.forRoot|^(before|after)(All|Each)\((?!stopValidator)/m;

module.exports = (paths) => {
  const groups = new Map(paths.map((path) => [ALONE.test(readFileSync(path, 'utf8')) ? path : dirname(path), []]));
  for (const path of paths) (groups.get(path) ?? groups.get(dirname(path))).push(path);

  const files = { ...JSON.parse(process.env.TEST_GROUPS ?? '{}') };
  const filtered = [];
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += SIZE) {
      const [first, ...others] = group.slice(start, start + SIZE);
      files[first] = others;
      filtered.push(first);
    }
  }
  process.env.TEST_GROUPS = JSON.stringify(files);

  return { filtered };
};
