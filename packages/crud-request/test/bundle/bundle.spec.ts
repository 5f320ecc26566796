/** The package as a browser gets it: without anything of Node's. Its size is tested with the packed packages. */
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';

const SCRIPT = `
  import { RequestQueryBuilder, RequestQueryParser } from './index.js';
  const query = { fields: ['id'], filter: [['a', 'in', ['x,y', '🦉']]], or: ['b', 'isnull'], join: ['c', ['d']], sort: ['e', 'ASC'], limit: 1 };
  const { filter, join, limit } = RequestQueryParser.create().parseQuery(RequestQueryBuilder.create(query).query());
  globalThis.report(JSON.stringify({ filter, join, limit }));
`;

test('needs nothing but the language itself', async () => {
  // What only Node has fails the build.
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: fileURLToPath(new URL('../../src/', import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  });
  let reported = '';
  runInContext(outputFiles[0]!.text, createContext({ report: (text: string) => (reported = text) }));
  expect(JSON.parse(reported)).toEqual({
    filter: [{ field: 'a', operator: 'in', value: ['x,y', '🦉'] }],
    join: [{ field: 'c', select: ['d'] }],
    limit: 1,
  });
});
