/** The board in headless Chromium, over the workspace on SQLite: what a member does is what the database has afterwards. With PICTURES, a folder, its pictures are taken. */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { after, afterEach, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { chromium } from 'playwright-core';
import { DataSource } from 'typeorm';
import { createBoard } from './application.js';

const { CHROMIUM, PICTURES } = process.env;
const BROWSER = [CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);

describe('the board · chromium', { timeout: 180_000 }, () => {
  let app, browser, page, profile, source, origin;
  let requests = [];
  /** Requests under way, and their window. */
  const pending = new Map();
  const complaints = [];

  before(async () => {
    profile = await mkdtemp(join(tmpdir(), 'board-'));
    app = await createBoard({ databaseUrl: 'sqljs:', logger: ['error', 'fatal'] });
    await app.listen(0, '127.0.0.1');
    origin = await app.getUrl();
    source = app.get(DataSource);
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: BROWSER,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      viewport: { width: 1280, height: 720 },
      acceptDownloads: true,
      locale: 'en-GB',
    });
    browser.setDefaultTimeout(20_000);
    page = await open();
    await page.getByRole('button', { name: 'Northlight Studio' }).click();
    await column('To do').getByRole('article').first().waitFor();
  });
  afterEach(() => assert.deepEqual(complaints, []));
  after(async () => {
    await browser?.close();
    await app?.close();
    await rm(profile, { recursive: true, force: true });
  });

  async function open() {
    const opened = await browser.newPage();
    opened.on('pageerror', (error) => complaints.push(String(error)));
    opened.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (request.resourceType() !== 'fetch') return;
      requests.push(`${request.method()} ${pathname}${search}`);
      pending.set(request, opened);
    });
    for (const event of ['requestfinished', 'requestfailed']) opened.on(event, (request) => pending.delete(request));
    await opened.goto(`${origin}/board/`);
    return opened;
  }

  const tasks = () => source.getRepository('Task');
  const column = (name, of = page) => of.getByRole('region', { name });
  const card = (name, of = page) => of.getByRole('article', { name, exact: true });
  const statusOf = async (title) => (await tasks().findOneByOrFail({ title })).status;

  /** Waits until a value is what is expected, which it is once the page has been answered. */
  async function eventually(read, expected) {
    for (let tries = 0; tries < 100; tries += 1) {
      if (isDeepStrictEqual(await read(), expected)) return;
      await sleep(100);
    }
    assert.deepEqual(await read(), expected);
  }

  /** Waits until no request is under way, and none follows. */
  async function settled() {
    for (let quiet = 0; quiet < 3; quiet = [...pending.values()].includes(page) ? 0 : quiet + 1) await sleep(100);
  }

  async function picture(name) {
    if (!PICTURES) return;
    await page.mouse.move(2, 2);
    await settled();
    await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
  }

  test('a column is read by cursor, page by page, until its end', async () => {
    const todo = column('To do');
    await picture('board');
    const own = (await tasks().find()).filter(({ tenantId }, _, [first]) => tenantId === first.tenantId);
    const expected = own.filter(({ status }) => status === 'todo').length;
    assert.ok(expected > 10);
    for (let seen = 0; seen < expected;) {
      await todo.locator('.end').scrollIntoViewIfNeeded();
      await todo.getByRole('article').nth(seen).waitFor();
      seen = await todo.getByRole('article').count();
    }
    assert.equal(await todo.getByRole('article').count(), expected);
    const lists = requests.filter((request) => request.startsWith('GET /tasks?') && /todo/.test(request));
    assert.ok(lists.length >= Math.ceil(expected / 10));
    assert.ok(lists.every((request) => request.includes('cursor=')));
  });

  test('a card is moved at once, although the server is slow', async () => {
    await page.route('**/tasks/*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    });
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await card('Plan the new home page').getByRole('button', { name: 'Move to Doing' }).click();
    await card('Plan the new home page', column('Doing')).waitFor();
    assert.equal(await statusOf('Plan the new home page'), 'todo');
    await answered;
    assert.equal(await statusOf('Plan the new home page'), 'doing');
    await page.unroute('**/tasks/*');
    await settled();
  });

  test('a card is dragged', async () => {
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await card("Don't panic: write the incident handbook").dragTo(column('Done').getByRole('heading'));
    await answered;
    assert.equal(await statusOf("Don't panic: write the incident handbook"), 'done');
  });

  test('without a network nothing is moved, and that is told', async () => {
    await settled();
    await browser.setOffline(true);
    await card('Draft the sign-up screens').getByRole('button', { name: 'Move to Done' }).click();
    await page.getByRole('alert').filter({ hasText: '“Draft the sign-up screens” was not moved' }).waitFor();
    await card('Draft the sign-up screens', column('Doing')).waitFor();
    await browser.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await eventually(() => page.getByRole('alert').count(), 0);
    assert.equal(await statusOf('Draft the sign-up screens'), 'doing');
  });

  test('what another window has moved is shown as a conflict; either version may be kept', async () => {
    const other = await open();
    for (const { title, choice, status } of [
      { title: 'Publish the incident handbook', choice: 'Keep theirs', status: 'todo' },
      { title: 'Try A || B tests on the newsletter', choice: 'Save mine', status: 'done' },
    ]) {
      await page.reload();
      await card(title, column('Doing')).waitFor();
      const moved = other.waitForResponse((response) => response.request().method() === 'PATCH');
      await card(title, column('Doing', other)).getByRole('button', { name: 'Move to To do' }).click();
      assert.equal((await moved).status(), 200);

      const refused = page.waitForResponse((response) => response.status() === 409);
      await card(title).getByRole('button', { name: 'Move to Done' }).click();
      await refused;
      const dialog = page.getByRole('dialog', { name: 'Conflict' });
      assert.match(await dialog.getByRole('row', { name: /^status/ }).innerText(), /done\s+todo/);
      if (choice === 'Save mine') await picture('board-conflict');
      await dialog.getByRole('button', { name: choice }).click();
      await dialog.waitFor({ state: 'detached' });
      await eventually(() => statusOf(title), status);
      await settled();
    }
    await other.close();
  });

  test('a form does not overwrite what others have changed since it was opened', async () => {
    await card('Draft the sign-up screens').getByRole('button', { name: 'Draft the sign-up screens' }).click();
    const form = page.getByRole('dialog', { name: 'Task' });
    await form.getByLabel('Title').fill('Mine');
    await tasks().save({ ...(await tasks().findOneByOrFail({ title: 'Draft the sign-up screens' })), title: 'Theirs' });
    await form.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'Conflict' });
    assert.match(await conflict.getByRole('row', { name: /^title/ }).innerText(), /Mine\s+Theirs/);
    assert.equal(await tasks().countBy({ title: 'Mine' }), 0);
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await card('Mine').waitFor();
    assert.equal(await tasks().countBy({ title: 'Theirs' }), 0);
  });

  test('what a form must not hold is told in it', async () => {
    await card('Mine').getByRole('button', { name: 'Mine' }).click();
    const form = page.getByRole('dialog', { name: 'Task' });
    await form.getByLabel('Title').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').filter({ hasText: 'title must be longer' }).waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
  });

  test('a project and a search limit the board, and what is exported', async () => {
    await page.getByLabel('Project').selectOption({ label: 'Studio website' });
    await page.getByLabel('Search').fill('PAGE');
    await settled();
    const expected = (await tasks().find({ where: { projectId: 1 }, order: { id: 'ASC' } })).filter(({ title }) =>
      title.includes('page'),
    );
    await eventually(
      async () => (await page.getByRole('article').locator('.title').allInnerTexts()).sort(),
      expected.map(({ title }) => title).sort(),
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const saved = parse(await readFile(await download.path()), { columns: true, bom: true });
    assert.deepEqual(
      saved.map(({ title, status }) => ({ title, status })),
      expected.map(({ title, status }) => ({ title, status })),
    );
  });

  test('on a phone, columns are beside each other', async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    await column('Done').scrollIntoViewIfNeeded();
    await picture('board-phone');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('another tenant sees its own', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Harbor Foods' }).click();
    await page.getByRole('option', { name: 'Harbor shop' }).waitFor({ state: 'attached' });
    await column('To do').getByRole('article').first().waitFor();
    await settled();
    assert.equal(await page.getByText(/Studio|Mine/).count(), 0);
  });
});
