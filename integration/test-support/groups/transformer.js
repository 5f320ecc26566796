/** @swc/jest, which compiles the first spec file of a group with imports of the others: see filter.cjs. */
import { basename } from 'node:path';
import swcJest from '@swc/jest';
import wrapping from './in-describe.cjs';

const groups = JSON.parse(process.env.TEST_GROUPS ?? '{}');
const grouped = new Set(
  Object.entries(groups).flatMap(([first, others]) => (others.length > 0 ? [first, ...others] : [])),
);

function withOthers(source, path) {
  const own = grouped.has(path) ? wrapping.inDescribe(source, basename(path, '.spec.ts')) : source;

  return [own, ...(groups[path] ?? []).map((other) => `import '${other}';`)].join('\n');
}

export default {
  createTransformer(options) {
    const swc = swcJest.createTransformer(options);

    return {
      ...swc,
      process: (source, path, context) => swc.process(withOthers(source, path), path, context),
      processAsync: async (source, path, context) => swc.processAsync(withOthers(source, path), path, context),
      getCacheKey: (source, path, context) => swc.getCacheKey(withOthers(source, path), path, context),
    };
  },
};
