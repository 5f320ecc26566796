/** In: the address of a served application. Out: clients that orval and hey-api make of its document, in a folder of its name; they compile under strict. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const home = import.meta.dirname;
// While they run, the application of this process goes on answering and closing its connections.
const execute = promisify(execFile);
const run = (name, ...parameters) => execute(join(home, 'node_modules/.bin', name), parameters, { cwd: home });

/** Generates and compiles both clients, and gives the folders of what the compiler made of them. */
export async function generate(name, origin) {
  const folder = join(home, 'generated', name);
  const document = join(folder, 'document.json');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(document, await (await fetch(`${origin}/docs-json`)).text());

  await run(
    'openapi-ts',
    ...['--input', document, '--output', join(folder, 'hey')],
    ...['--client', '@hey-api/client-fetch', '--no-log-file'],
  );
  await run('orval', '--input', document, '--output', join(folder, 'orval/client.ts'), '--client', 'fetch');

  await run(
    'tsc',
    // Generated imports name no file endings, which CommonJS finds.
    ...['--strict', '--noUncheckedIndexedAccess', '--target', 'es2022', '--module', 'commonjs'],
    ...['--moduleResolution', 'node10', '--skipLibCheck', '--lib', 'es2023,dom,dom.iterable'],
    ...['--rootDir', folder, '--outDir', join(folder, 'compiled')],
    join(folder, 'hey/index.ts'),
    join(folder, 'orval/client.ts'),
  );

  const compiled = join(folder, 'compiled');
  writeFileSync(join(compiled, 'package.json'), '{"type":"commonjs"}');

  return compiled;
}
