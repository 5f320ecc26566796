/** @swc/jest, which compiles the first spec file of a group with imports of the others: see filter.cjs. */
import swcJest from '@swc/jest';

const groups = JSON.parse(process.env.TEST_GROUPS ?? '{}');
const withOthers = (source, path) => [source, ...(groups[path] ?? []).map((other) => `import '${other}';`)].join('\n');

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
