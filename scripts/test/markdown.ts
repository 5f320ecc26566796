/** The Markdown files of the repository in: their blocks of code, sections, tables and links out, and whether a link leads somewhere. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IN_THE_REPOSITORY = /^https:\/\/github\.com\/nestwright\/nestwright\/(?:blob|tree)\/main\//;

/** Folders without pages; `.vitepress` has the front page of the API, which leads into it. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.vitepress']);

/** Made of the doc comments by `npm run docs:api`. */
const API = join('docs', 'reference', 'api');

const markdownIn = (folder: string, deep = true): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return deep && !LEFT_OUT.has(entry.name) && path !== API ? markdownIn(path) : [];
    return entry.name.endsWith('.md') ? [path] : [];
  });

/** The files in a folder that have a name, by their paths from the root. */
export const filesIn = (folder: string, name = /\.ts$/): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => join(folder, path));

/** Every Markdown file that is the project's own, by its path from the root. */
export const DOCUMENTS = [
  ...markdownIn('.', false),
  ...['docs', 'packages', 'integration', 'benchmarks', '.github'].flatMap((folder) => markdownIn(folder)),
];

export interface Block {
  readonly language: string;
  /** What stands behind the language. */
  readonly info: string;
  readonly code: string;
  /** Lines of the document before the code. */
  readonly before: number;
}

export function blocksOf(document: string): Block[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```(\S*) *([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = '', 2: info = '', 3: code = '', index }) => ({
      language,
      info,
      code,
      before: text.slice(0, index).split('\n').length,
    }),
  );
}

/** Sections of a document by heading, each up to the next heading of whatever depth. */
export function sectionsOf(document: string): Map<string, string> {
  const [, ...sections] = readFileSync(join(ROOT, document), 'utf8').split(/^#+ /m);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section]));
}

/** Names in the first column of a section's table, sorted. */
export function namesIn(section: string): string[] {
  const cells = [...section.matchAll(/^\|([^|]+)\|/gm)].slice(2).map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).sort();
}

const prose = (document: string): string =>
  readFileSync(join(ROOT, document), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');

/** What the links of a document point to, outside of code. */
export function linksOf(document: string): string[] {
  const text = prose(document).replace(/`[^`\n]*`/g, '``');
  return [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(
    ([, inline, reference]) => (inline ?? reference)!,
  );
}

/** Whether a link leads to a file, and to a heading where it names one; other sites are believed. */
export function leads(document: string, link: string): boolean {
  const [target = '', anchor] = link
    .replace(IN_THE_REPOSITORY, `${relative(dirname(join(ROOT, document)), ROOT) || '.'}/`)
    .split('#');
  if (/^[a-z]+:/.test(target)) return true;
  const path = target === '' ? join(ROOT, document) : resolve(ROOT, dirname(document), target);
  if (!existsSync(path)) return false;
  return anchor === undefined || (statSync(path).isFile() && anchorsOf(relative(ROOT, path)).includes(anchor));
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(document: string): string[] {
  const anchors: string[] = [];
  for (const [, heading = ''] of prose(document).matchAll(/^#+ (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const same = anchors.filter((anchor) => anchor.replace(/-\d+$/, '') === slug || anchor === slug).length;
    anchors.push(same === 0 ? slug : `${slug}-${same}`);
  }
  return anchors;
}
