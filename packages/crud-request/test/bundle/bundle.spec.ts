/** The package as a browser gets it: without anything of Node's. Its size is tested with the packed packages. */
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';

const SCRIPT = `
  import { RequestQueryBuilder, RequestQueryParser } from './index.js';
  const text = RequestQueryBuilder.create({ filter: [['a', 'in', ['x,y', '🦉']]], join: ['c', ['d']], limit: 1 }).query();
  const { filter, join, limit } = RequestQueryParser.create().parseQuery(text);
  globalThis.report(JSON.stringify({ filter, join, limit }));
`;

test('needs nothing but the language itself', async () => {
  const stdin = { contents: SCRIPT, resolveDir: fileURLToPath(new URL('../../src/', import.meta.url)) };
  // What only Node has fails the build.
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'iife', platform: 'browser' });
  let reported = '';
  runInContext(outputFiles[0]!.text, createContext({ report: (text: string) => (reported = text) }));
  const filter = '[{"field":"a","operator":"in","value":["x,y","🦉"]}]';
  expect(reported).toBe(`{"filter":${filter},"join":[{"field":"c","select":["d"]}],"limit":1}`);
});
