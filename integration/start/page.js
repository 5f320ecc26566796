/** docs/start.md in: what a reader does, in the order of the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpExamples } from '../../scripts/http-examples.js';

export const root = join(import.meta.dirname, '../..');

const [first, last] = readFileSync(join(root, 'docs/start.md'), 'utf8').split('\n## PostgreSQL\n');

const blocksOf = (text) =>
  [...text.matchAll(/^```(\w+) *(\S*)\n([\s\S]*?)^```$/gm)].map(([, language, info, code]) => ({
    language,
    info,
    code,
  }));

const commandsOf = (text, nest) =>
  blocksOf(text)
    .filter(({ language, info }) => language === 'sh' && (info === '' || info === nest))
    .flatMap(({ code }) => code.trim().split('\n'));

const codeOf = (text) =>
  blocksOf(text)
    .filter(({ language }) => language === 'ts')
    .map(({ code }) => code);

/** Commands for a line of Nest (`nest11`, `nest12`), those that PostgreSQL needs among them where it is asked for. */
export function commands(nest, { postgres }) {
  const before = commandsOf(first, nest);

  return postgres ? before.toSpliced(-1, 0, ...commandsOf(last, nest)) : before;
}

/** Files by their paths, with the endings of imports that a line of Nest needs; with PostgreSQL the module has what the page says in place of its `forRoot()`. */
export function files(nest, { postgres }) {
  const all = new Map(
    codeOf(first).map((code) => [
      /^\/\/ (\S+)\n/.exec(code)?.[1] ?? 'without a path',
      nest === 'nest12' ? code.replace(/(?<=from '\.[^']+)(?=')/g, '.js') : code,
    ]),
  );
  if (!postgres) return all;

  const [instead] = /TypeOrmModule\.forRoot\([\s\S]*?\)(?=;)/.exec(codeOf(last).join('\n')) ?? ['missing'];
  const module = 'src/app.module.ts';

  return all.set(
    module,
    all.get(module).replace(/TypeOrmModule\.forRoot\([\s\S]*?\)(?=,\n)/, () => instead),
  );
}

export const examples = httpExamples(first);
