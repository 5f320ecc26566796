/** The page at `/docs` in a real browser: every operation opens without a complaint of the page, and "Try it out" sends what it should. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { type RunningExample, serveExample } from '../test-support/example.js';

const BROWSER = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && path !== '' && existsSync(path));

(BROWSER === undefined ? describe.skip : describe)('the page at /docs · chromium', () => {
  let example: RunningExample;
  let profile: string;
  let browser: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    example = await serveExample({ databaseUrl: 'sqljs:', http: 'express' });
    profile = await mkdtemp(join(tmpdir(), 'browser-'));
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: BROWSER!,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
      viewport: { width: 1400, height: 1000 },
    });
    page = await browser.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${example.origin}/docs`);
    await page.waitForSelector('.opblock');
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await example?.close();
    await rm(profile, { recursive: true, force: true });
  });

  test('opens every operation', async () => {
    const { paths } = (await (await fetch(`${example.origin}/docs-json`)).json()) as { paths: Record<string, object> };
    const operations = Object.values(paths).flatMap((methods) =>
      Object.values(methods).filter(({ responses }) => responses),
    );
    const blocks = page.locator('.opblock');
    expect(await blocks.count()).toBe(operations.length);

    for (const block of await blocks.all()) {
      // Not a click of the mouse, which waits until nothing moves any more.
      await block.locator('.opblock-summary-control').dispatchEvent('click');
      await block.locator('.responses-wrapper').waitFor();
      // What could not be resolved is shown as text.
      expect(await block.textContent()).not.toMatch(/could not resolve|undefined/i);
      await block.locator('.opblock-summary-control').dispatchEvent('click');
    }
    expect(complaints).toEqual([]);
  }, 240_000);

  /** Opens an operation, fills it in, and gives the status and the body that the page shows. */
  async function tryOut(method: string, path: string, fields: Record<string, string>, body?: object) {
    const block = page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });
    await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out__btn').click();
    for (const [name, value] of Object.entries(fields)) {
      await block.locator(`tr[data-param-name="${name}"] input`).first().fill(value);
    }
    if (body) await block.locator('textarea.body-param__text').fill(JSON.stringify(body));
    await block.locator('.execute').click();
    const shown = block.locator('.live-responses-table .response');
    await shown.waitFor();
    const status = await shown.locator('.response-col_status').first().innerText();
    const text = await shown.locator('.highlight-code code, .highlight-code pre').first().innerText();
    await block.locator('.opblock-summary-control').click();

    return { status: parseInt(status, 10), body: JSON.parse(text) as unknown };
  }

  test('tries out a list, a creation and a change', async () => {
    expect(await tryOut('get', '/categories', { limit: '2' })).toMatchObject({
      status: 200,
      body: [{ id: 1 }, { id: 2 }],
    });
    const created = await tryOut('post', '/categories', {}, { name: 'From the page' });
    expect(created).toMatchObject({ status: 201, body: { name: 'From the page' } });
    const { id } = created.body as { id: number };
    expect(await tryOut('patch', '/categories/{id}', { id: `${id}` }, { name: 'Changed' })).toMatchObject({
      status: 200,
      body: { id, name: 'Changed' },
    });
    const stored = await (await fetch(`${example.origin}/categories/${id}`)).json();
    expect(stored).toMatchObject({ name: 'Changed' });
    expect(complaints).toEqual([]);
  }, 120_000);
});
