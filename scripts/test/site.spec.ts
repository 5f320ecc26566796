/** The site that is built of docs/: every page is in the sidebar, every link and anchor leads somewhere. */
import { beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { DOCUMENTS, ROOT } from './markdown.js';

const SITE = join(ROOT, 'docs/.vitepress/dist');
const HOME = '/index.html';

let pages: Map<string, string>;

beforeAll(() => {
  rmSync(SITE, { recursive: true, force: true });
  execFileSync('npx', ['vitepress', 'build', 'docs'], {
    cwd: ROOT,
    stdio: 'pipe',
    env: { ...process.env, DOCS_API: 'off' },
  });
  pages = new Map(
    readdirSync(SITE, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.html') && path !== '404.html')
      .map((path) => [`/${path}`, readFileSync(join(SITE, path), 'utf8')]),
  );
}, 180_000);

/** The file of an address within the site. */
const fileOf = (path: string): string => (path.endsWith('/') ? `${path}index.html` : `${path}.html`);

const hrefsOf = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

test('every document is a page, and the sidebar of every page leads to it', () => {
  const documents = DOCUMENTS.filter((path) => path.startsWith('docs/')).map((path) =>
    path
      .replace(/^docs/, '')
      .replace(/README\.md$/, 'index.md')
      .replace(/\.md$/, '.html'),
  );
  expect([...pages.keys()].sort()).toEqual(documents.sort());

  const inSidebar = new Set(hrefsOf(pages.get('/services.html')!).map(fileOf));
  const chapters = documents.filter((path) => path !== HOME && !path.startsWith('/decisions/0'));
  expect(chapters.filter((path) => !inSidebar.has(path))).toEqual([]);
});

test('every link leads to a page, or a heading, that is there', () => {
  const lost: string[] = [];

  for (const [page, html] of pages) {
    for (const href of hrefsOf(html)) {
      if (/^[a-z]+:/.test(href)) continue;

      const [path = '', anchor] = href.split('#');
      const file =
        path === '' ? page : fileOf(posix.resolve(posix.dirname(page), path) + (path.endsWith('/') ? '/' : ''));
      const target = file === '//index.html' ? HOME : file;
      const isThere =
        pages.has(target) && (!anchor || pages.get(target)!.includes(`id="${decodeURIComponent(anchor)}"`));
      if (!isThere && !existsSync(join(SITE, path))) lost.push(`${page}: ${href}`);
    }
  }

  expect(lost).toEqual([]);
});

test('there is a search over all pages', () => {
  const scripts = readdirSync(join(SITE, 'assets/chunks'));

  expect(scripts.some((name) => name.includes('localSearchIndex'))).toBe(true);
});
