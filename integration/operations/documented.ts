/** Code of docs/operations.md and docs/monitoring.md, run as it stands there. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ts from 'typescript';

const PAGES = ['operations', 'monitoring'].map((page) =>
  readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8'),
);

/**
 * Runs the example that has some text.
 *
 * @returns What it exports, and the values of the names.
 */
export function documented<T>(text: string, ...names: readonly string[]): T {
  const code = [...PAGES.join('\n').matchAll(/^```ts\n(.*?)^```/gms)].find(([, example]) =>
    example!.includes(text),
  )![1]!;
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  const run = new Function('require', 'exports', `${outputText}; return { ...exports, ${names.join()} };`) as (
    ...scope: unknown[]
  ) => T;

  return run(createRequire(import.meta.url), {});
}
