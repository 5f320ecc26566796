/** The page at `/docs` in a real browser: without a complaint of the page, lists tell their fields, and "Try it out" sends the samples as they stand. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { type RunningExample, serveExample } from '../test-support/example.js';

const INSTALLED = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);
const BROWSER = [process.env['CHROMIUM'], ...INSTALLED].find((path) => path && existsSync(path));

(BROWSER === undefined ? describe.skip : describe)('the page at /docs · chromium', () => {
  let example: RunningExample;
  let profile: string;
  let browser: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), 'browser-'));
    [example, browser] = await Promise.all([
      serveExample({ databaseUrl: 'sqljs:', http: 'express' }),
      chromium.launchPersistentContext(profile, {
        executablePath: BROWSER!,
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
        viewport: { width: 1400, height: 1000 },
      }),
    ]);
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

  /** Opens an operation for trying it out, and closes it again when that is done. */
  async function tryOut<T>(method: string, path: string, work: (block: Locator) => Promise<T>): Promise<T> {
    const block = page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });
    await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out__btn').click();
    const result = await work(block);
    await block.locator('.opblock-summary-control').click();
    return result;
  }

  const parameter = (block: Locator, name: string) => block.locator(`tr[data-param-name="${name}"]`);

  /** Sends what is filled in, and gives the address, the status and the body that the page shows. */
  async function execute(block: Locator) {
    await block.locator('.execute').click();
    const shown = block.locator('.live-responses-table .response');
    await shown.waitFor();
    const status = await shown.locator('.response-col_status').first().innerText();
    const text = await shown.locator('.highlight-code code, .highlight-code pre').first().innerText();
    const address = new URL(await block.locator('.request-url pre').innerText());
    return { query: [...address.searchParams], status: parseInt(status, 10), body: JSON.parse(text) as unknown };
  }

  test('tells which fields a list is filtered and sorted by, and sends the examples', async () => {
    await tryOut('get', '/users', async (block) => {
      const [filter, sort] = [parameter(block, 'filter'), parameter(block, 'sort')];
      const fields = /Fields: id, email, age, .*name\.first, name\.last, company\.id, company\.name/;
      expect(await filter.locator('.parameters-col_description').innerText()).toMatch(fields);
      expect(await sort.locator('.parameters-col_description').innerText()).toMatch(fields);
      await filter.locator('select').selectOption('text');
      await sort.locator('select').selectOption('sort');
      await parameter(block, 'limit').locator('input').fill('2');
      const { query, status, body } = await execute(block);
      expect([status, query.join(' ')]).toEqual([200, 'filter,email||$contL||a sort,id,DESC limit,2']);
      const [first, second] = body as { id: number }[];
      expect(first!.id).toBeGreaterThan(second!.id);
    });
    expect(complaints).toEqual([]);
  }, 60_000);

  test('sends the sample bodies of a creation and a change as they stand', async () => {
    const sampleIn = async (block: Locator) =>
      JSON.parse(await block.locator('textarea.body-param__text').inputValue()) as Record<string, unknown>;
    const { sample, answer } = await tryOut('post', '/users', async (block) => ({
      sample: await sampleIn(block),
      answer: await execute(block),
    }));
    expect(sample).toMatchObject({ companyId: 1 });
    expect(answer).toMatchObject({ status: 201, body: { email: sample['email'], companyId: 1 } });
    const { id } = answer.body as { id: number };
    const changed = await tryOut('patch', '/users/{id}', async (block) => {
      await parameter(block, 'id').locator('input').fill(`${id}`);
      return { sample: await sampleIn(block), answer: await execute(block) };
    });
    expect(changed.sample).not.toEqual({});
    expect(changed.answer).toMatchObject({ status: 200, body: { id } });
    const stored = await (await fetch(`${example.origin}/users/${id}`)).json();
    expect(stored).toMatchObject({ email: changed.sample['email'] });
    expect(complaints).toEqual([]);
  }, 60_000);
});
