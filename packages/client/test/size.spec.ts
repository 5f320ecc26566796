/** What a front end loads for the client and the builder together. */
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test('client and builder are less than 5 KB, minified and by gzip', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { crudClient, CrudError } from './index.js'", resolveDir: fileOf('../src') },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    alias: { '@nestwright/crud-request': fileOf('../../crud-request/src/index.ts') },
  });
  const { length } = gzipSync(outputFiles[0]!.contents, { level: 9 });

  expect(length).toBeGreaterThan(2 * 1024);
  expect(length).toBeLessThan(5 * 1000);
});
