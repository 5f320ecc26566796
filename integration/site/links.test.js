/** The built site: every document is a page that the sidebar leads to; every link leads to a page, and a heading, that is there. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, test } from 'node:test';
import { GUIDES, PAGES, ROOT, SITE } from './built-site.js';

const addressesOf = (html, attribute) =>
  [...html.matchAll(new RegExp(`<(?:a|img) [^>]*?${attribute}="([^"]*)"`, 'g'))].map(([, to]) =>
    to.replaceAll('&amp;', '&'),
  );

describe('the links of the site', () => {
  test('every document is a page, and the sidebar of every page leads to it', () => {
    const documents = readdirSync(join(ROOT, 'docs'), { recursive: true })
      .filter((path) => path.endsWith('.md') && !/^(\.vitepress|reference\/api)\//.test(path))
      .map((path) => `/${path.replace(/(README|index)?\.md$/, '')}`);
    assert.deepEqual(GUIDES.toSorted(), documents.toSorted());

    const inSidebar = new Set(addressesOf(PAGES.get('/services'), 'href'));
    const chapters = documents.filter((path) => path !== '/' && !path.startsWith('/decisions/0'));
    assert.deepEqual(
      chapters.filter((path) => !inSidebar.has(path)),
      [],
    );
  });

  test('every link leads to a page, or a heading, that is there', () => {
    const anchors = new Map(
      [...PAGES].map(([path, html]) => [path, new Set(Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id))]),
    );
    const isThere = (page, href) => {
      const [path, anchor] = href.split('#');
      const target = path === '' ? page : posix.resolve(page.replace(/[^/]*$/, ''), decodeURIComponent(path));
      const found = [target, `${target}/`].find((each) => PAGES.has(each));

      return found
        ? !anchor || anchors.get(found).has(decodeURIComponent(anchor))
        : path !== '' && existsSync(join(SITE, target));
    };
    const lost = [...PAGES].flatMap(([page, html]) =>
      [...addressesOf(html, 'href'), ...addressesOf(html, 'src')]
        .filter((href) => !/^(\w+:|\/\/)/.test(href) && !isThere(page, href))
        .map((href) => `${page}: ${href}`),
    );

    assert.deepEqual(lost, []);
    assert.equal(isThere('/services', './auth#roles'), true);
    assert.equal(isThere('/services', './auth#no-such'), false);
    assert.equal(isThere('/services', './no-such'), false);
  });
});
