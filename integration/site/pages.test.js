/** The built site in headless Chromium: nothing is cut on a phone or a desktop, light or dark; the search finds guides first. With PICTURES, a folder, its pictures are taken. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { TESTS_ALL } from '../../scripts/node-tests.js';
import { costsIn } from '../../docs/.vitepress/theme/request-costs.data.js';
import { GUIDES, PAGES, ROOT, serveSite } from './built-site.js';

const { CHROMIUM, PICTURES } = process.env;
const BROWSER = [CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const SCHEMES = ['light', 'dark'];

/** Pages of the API are generated alike: each fortieth of them, unless everything is tested. */
const LAID_OUT = [...PAGES.keys()].filter((path, index) => TESTS_ALL || GUIDES.includes(path) || index % 40 === 0);

/** In the page: what is wider than its place, or whose end nobody can reach. */
function cut() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const wide = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : [];
  const inside = (element) => element.getBoundingClientRect().right <= clientWidth + 1;

  for (const code of document.querySelectorAll('.vp-doc pre')) {
    if (code.offsetParent && (code.scrollWidth > code.clientWidth || !inside(code)))
      wide.push(`code: ${code.innerText.slice(0, 60)}`);
  }
  for (const table of document.querySelectorAll('.vp-doc table')) {
    const scrolls = window.getComputedStyle(table).overflowX === 'auto' || table.scrollWidth <= table.clientWidth;
    if (!scrolls || !inside(table)) wide.push(`table: ${table.innerText.slice(0, 60)}`);
  }
  for (const image of document.querySelectorAll('.vp-doc img'))
    if (!inside(image) || image.naturalWidth === 0) wide.push(`image: ${image.src}`);

  return wide;
}

describe('the site · chromium', { timeout: 900_000 }, () => {
  let site, browser;

  before(async () => {
    site = await serveSite();
    browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] });
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });

  /** Runs in a page of a new window, and closes it. */
  async function visit(path, options, use) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    try {
      await page.goto(site.origin + path);
      return await use(page);
    } finally {
      await context.close();
    }
  }

  test('nothing is cut on a phone or a desktop, on any page', async () => {
    // What is laid out is in the HTML; scripts would only take time.
    await visit('/', { javaScriptEnabled: false }, async (page) => {
      const found = {};
      for (const path of LAID_OUT) {
        await page.goto(site.origin + path, { waitUntil: 'load' });
        for (const viewport of [PHONE, DESKTOP]) {
          await page.setViewportSize(viewport);
          const wide = await page.evaluate(cut);
          if (wide.length > 0) found[`${path} at ${viewport.width} pixels`] = wide;
        }
      }
      assert.deepEqual(found, {});

      await page.setViewportSize(PHONE);
      await page.setContent(
        '<div class="vp-doc"><pre>one long line of code</pre></div><style>pre { width: 20px; margin-left: 385px }</style>',
      );
      assert.notDeepEqual(await page.evaluate(cut), []);
    });
  });

  // At night, and before the site is published.
  if (TESTS_ALL) {
    test('pages are readable, light and dark', async () => {
      for (const path of ['/', '/start', '/performance', '/auth', '/reference/api/']) {
        await visit(path, { viewport: DESKTOP }, async (page) => {
          await page.locator('.VPNav').waitFor();
          await page.addStyleTag({ content: '* { transition: none !important }' });
          await page.addScriptTag({ content: axe.source });

          for (const colorScheme of SCHEMES) {
            await page.emulateMedia({ colorScheme });
            await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor();
            const { violations } = await page.evaluate(() =>
              globalThis.axe.run('.VPContent', {
                runOnly: ['color-contrast', 'image-alt', 'heading-order', 'link-name', 'list', 'empty-heading'],
              }),
            );
            assert.deepEqual(
              violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${path} ${colorScheme} ${id}: ${html}`)),
              [],
            );

            for (const viewport of PICTURES ? [PHONE, DESKTOP] : []) {
              await page.setViewportSize(viewport);
              const name = path.replaceAll('/', '-').replace(/^-|-$/g, '') || 'home';
              await page.screenshot({
                path: join(PICTURES, `${name}-${viewport.width}-${colorScheme}.png`),
                fullPage: true,
              });
            }
          }
        });
      }
    });
  }

  test('the first screen shows the decorator, and below it the cost of a request', async () => {
    await visit('/', { viewport: DESKTOP }, async (page) => {
      const inView = (text) =>
        page
          .locator(text)
          .first()
          .evaluate((element) => element.getBoundingClientRect().bottom <= window.innerHeight);
      assert.match(await page.title(), /^nestwright/);
      assert.equal(await inView('h1'), true);
      assert.equal(await inView('.hero-code >> text=softDelete'), true);

      const { requests } = costsIn(readFileSync(join(ROOT, 'docs/performance.md'), 'utf8'));
      const shown = await page.locator('.costs .cost').allInnerTexts();
      assert.deepEqual(
        shown,
        requests.flatMap(({ costs }) => costs.map((cost) => `${cost.toFixed(2)} ms`)),
      );
      const widths = await page
        .locator('.costs .bar')
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
      const [ours, byHand] = requests[0].costs;
      assert.ok(Math.abs(widths[0] / widths[1] - ours / byHand) < 0.01);
    });
  });

  test('without its table, the page does not build', () => {
    assert.throws(() => costsIn('# Performance'), /no figures/);
  });

  test('the search finds a guide first, and a symbol of the API by its name', async () => {
    await visit('/start', { viewport: DESKTOP }, async (page) => {
      const find = async (words) => {
        await page.locator('#local-search button').click();
        await page.locator('.search-input').fill(words);
        const first = page.locator('.results .result').first();
        await first.waitFor();
        await page.waitForTimeout(300);
        const address = await first.getAttribute('href');
        await page.keyboard.press('Escape');
        return address;
      };

      for (const words of ['pagination', 'default limit', 'tenant', 'filter', 'soft delete', 'migrate']) {
        const address = await find(words);
        assert.ok(GUIDES.includes(address.replace(/#.*/, '')), `${words}: ${address}`);
      }
      assert.match(await find('OperatorDescriptor'), /^\/reference\/api\//);
    });
  });
});
