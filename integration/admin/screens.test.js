/** The screens of the admin in headless Chromium, over the workspace on SQLite: what a member does is what the database has afterwards. With PICTURES, a folder, its pictures are taken. */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { chromium } from 'playwright-core';
import { DataSource } from 'typeorm';
import { createAdmin } from './application.js';

const { CHROMIUM, PICTURES } = process.env;
const BROWSER = [CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
const TASKS = 60;

describe('the admin · chromium', { timeout: 240_000 }, () => {
  let app, browser, page, profile, source, origin;
  const complaints = [];
  let requests = [];

  before(async () => {
    profile = await mkdtemp(join(tmpdir(), 'admin-'));
    app = await createAdmin({ databaseUrl: 'sqljs:', logger: ['error', 'fatal'] });
    await app.listen(0, '127.0.0.1');
    origin = await app.getUrl();
    source = app.get(DataSource);
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: BROWSER,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      viewport: { width: 1280, height: 860 },
      acceptDownloads: true,
      locale: 'en-GB',
    });
    browser.setDefaultTimeout(60_000);
    page = await browser.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (request.resourceType() === 'fetch') requests.push(`${request.method()} ${pathname}${search}`);
    });
    await page.goto(`${origin}/admin/`);
    await page.getByRole('button', { name: 'Northlight Studio' }).click();
    await page.getByText('Ada Lindqvist', { exact: true }).first().waitFor();
  });
  afterEach(() => assert.deepEqual(complaints, []));
  after(async () => {
    await browser?.close();
    await app?.close();
    await rm(profile, { recursive: true, force: true });
  });

  const tasks = () => source.getRepository('Task');
  const rows = () => page.locator('tbody tr');
  const row = (text) => rows().filter({ has: page.getByText(text, { exact: true }) });
  const column = (name) => page.locator(`tbody td.column-${name.replace('.', '\\.')}`).allInnerTexts();
  const shown = (text) => page.getByText(text, { exact: true }).first().waitFor();

  async function open(screen) {
    await page.goto(`${origin}/admin/#/${screen}`);
    requests = [];
  }

  /** Opens a form, and waits for the record itself: a list may have brought one before. */
  async function edit(path) {
    const read = page.waitForResponse(`${origin}/${path}`);
    await open(path);
    await read;
  }

  async function choose(label, option) {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }

  async function picture(name, height = 860) {
    if (!PICTURES) return;
    const clip = { x: 0, y: 0, width: 1280, height };
    await page.mouse.move(100, 400);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled', clip });
  }

  test('charts show what the aggregates answer', async () => {
    await open('');
    await page.locator('.recharts-bar-rectangle').first().waitFor();
    const headers = { 'x-demo-member': '1' };
    const query = 'groupBy=assignee.name,status&aggregate=count||*';
    const groups = await (await fetch(`${origin}/tasks/aggregate?${query}`, { headers })).json();
    assert.equal(
      await page.locator('.recharts-wrapper').first().locator('.recharts-bar-rectangle path').count(),
      groups.length,
    );
    assert.equal(
      groups.reduce((sum, { count }) => sum + count, 0),
      TASKS,
    );
    await picture('admin-dashboard', 500);
  });

  test('a list has pages, sorts, filters and references', async () => {
    await open('tasks');
    await shown(`1-10 of ${TASKS}`);
    assert.equal(await rows().count(), 10);
    await shown('Studio website');
    await picture('admin-tasks', 540);

    await page.getByRole('button', { name: 'Go to page 6' }).click();
    await shown(`51-60 of ${TASKS}`);
    await shown('Audit accessibility');

    const sorted = page.waitForResponse((response) => response.url().includes('sort=project.name%2CASC'));
    await page.getByRole('button', { name: 'Sort by Project ascending' }).click();
    await sorted;
    await shown(`1-10 of ${TASKS}`);
    await shown('Studio app');

    await choose('Status', 'done');
    await shown('1-10 of 15');
    assert.deepEqual(new Set(await column('status')), new Set(['done']));
    await page.getByPlaceholder('Search').fill('THE');
    await shown('1-8 of 8');
    assert.ok((await column('title')).every((title) => title.includes('the')));
  });

  test('the list as it is filtered is saved as a file', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const saved = parse(await readFile(await download.path()), { columns: true, bom: true });
    assert.deepEqual(
      saved.map(({ title, status }) => ({ title, status })),
      (await column('title')).map((title) => ({ title, status: 'done' })),
    );
    await page.getByRole('button', { name: 'Clear value' }).first().click();
    await shown('1-10 of 15');
  });

  test('a record is created, and what the server refuses stands beside its field', async () => {
    await open('tasks/create');
    await page.getByLabel('Title').fill('Water the plants');
    await page.getByLabel('Estimate').fill('much');
    await choose('Project', 'Studio website');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.ra-input-estimate').getByText('must').waitFor();
    assert.equal(await tasks().countBy({ title: 'Water the plants' }), 0);
    await picture('admin-refused');

    await page.getByLabel('Estimate').fill('1.50');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/#\/tasks$|#\/tasks\?/);
    const { projectId, estimate, status, tenantId } = await tasks().findOneByOrFail({ title: 'Water the plants' });
    const { tenantId: own } = await tasks().findOneByOrFail({ id: 1 });
    assert.deepEqual(
      { projectId, estimate, status, tenantId },
      { projectId: 1, estimate: '1.50', status: 'todo', tenantId: own },
    );
  });

  test('a record is edited, and its references are chosen by name', async () => {
    await edit('tasks/2');
    await page.getByLabel('Title').fill('Draft, again');
    await choose('Assignee', 'Åsa Nyström');
    await page.getByRole('button', { name: 'Save' }).click();
    await shown('Element updated');
    const { title, assigneeId, version } = await tasks().findOneByOrFail({ id: 2 });
    assert.deepEqual({ title, assigneeId, version }, { title: 'Draft, again', assigneeId: 4, version: 2 });
    assert.ok(requests.includes('PATCH /tasks/2'));
  });

  test('what others have changed since is not overwritten', async () => {
    await edit('projects/2');
    await page.getByLabel('Name').fill('Mine');
    await source.getRepository('Project').update(2, { name: 'Theirs' });
    const refused = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    const answer = await refused;
    assert.equal(answer.status(), 412);
    await shown((await answer.json()).message);
    assert.equal((await source.getRepository('Project').findOneByOrFail({ id: 2 })).name, 'Theirs');

    await edit('projects/3');
    await page.getByLabel('Name').fill('Mine alone');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/#\/projects$|#\/projects\?/);
    assert.equal((await source.getRepository('Project').findOneByOrFail({ id: 3 })).name, 'Mine alone');
  });

  test('many records are changed, and deleted, by one request', async () => {
    await open('tasks?filter={}&sort=id&order=ASC&page=1&perPage=10');
    for (const title of ['Plan the new home page', "Don't panic: write the incident handbook"])
      await row(title).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Confirm' }).waitFor({ state: 'detached' });
    assert.deepEqual(
      (await tasks().findBy([{ id: 1 }, { id: 4 }])).map(({ status }) => status),
      ['done', 'done'],
    );

    await row('検索のプロトタイプ').getByRole('checkbox').check();
    await row('Publish the incident handbook').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await row('検索のプロトタイプ').waitFor({ state: 'detached' });
    assert.deepEqual(
      (await tasks().find({ where: [{ id: 5 }, { id: 8 }], withDeleted: true })).map(
        ({ deletedAt }) => deletedAt !== null,
      ),
      [true, true],
    );
    assert.deepEqual(
      requests.filter((request) => !request.startsWith('GET ')),
      ['PATCH /tasks/bulk', 'POST /tasks/bulk/delete'],
    );
  });

  test('a list without an end is read by cursors', async () => {
    await open('comments');
    await rows().nth(24).waitFor();
    for (let seen = 25; seen < 120;) {
      await rows().last().scrollIntoViewIfNeeded();
      await rows().nth(seen).waitFor();
      seen = await rows().count();
    }
    assert.equal(await rows().count(), 120);
    const lists = requests.filter((request) => request.startsWith('GET /comments?'));
    assert.equal(lists.length, 5);
    assert.ok(lists.every((request) => request.includes('cursor=') && !/[?&](page|offset)=/.test(request)));
  });

  test('another tenant sees its own', async () => {
    await open('');
    await page.getByRole('button', { name: 'Profile' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('button', { name: 'Harbor Foods' }).click();
    await page.getByText('Marta Kowalska', { exact: true }).first().waitFor();
    await open('projects');
    await shown('Harbor shop');
    assert.deepEqual(await page.getByText(/Studio|Mine alone/).count(), 0);
  });
});
