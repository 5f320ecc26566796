/** The admin over the workspace on SQLite, and a browser to use it. */
import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { DataSource } from 'typeorm';
import { createAdmin } from './application.js';

const { CHROMIUM, PICTURES } = process.env;
const BROWSER = [CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
/** A member of each tenant. */
export const MEMBERS = ['1', '6', '11'];

export async function startAdmin() {
  const app = await createAdmin({ databaseUrl: 'sqljs:', logger: ['error', 'fatal'] });
  await app.listen(0, '127.0.0.1');
  const origin = await app.getUrl();
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });

  /** What the API answers to a member. */
  async function read(path, member = MEMBERS[0], { headers, ...request } = {}) {
    const answer = await fetch(origin + path, { ...request, headers: { ...headers, 'x-demo-member': member } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  }

  return {
    origin,
    read,
    change: (path, body) =>
      read(path, MEMBERS[0], {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    stored: (entity) => app.get(DataSource).getRepository(entity),
    /** A page in a profile of its own. What it complains of and what it asks for are lists that grow. */
    async newPage(options) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 860 },
        acceptDownloads: true,
        locale: 'en-GB',
        ...options,
      });
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      const complaints = [];
      const requests = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (request.resourceType() === 'fetch') requests.push(`${request.method()} ${pathname}${search}`);
      });
      return { page, complaints, requests };
    },
    /** Signs in as a member, by the buttons below the name of the tenant. */
    async signIn(page, member = MEMBERS[0]) {
      const [tenant, { name }] = [await read('/tenant', member), await read(`/members/${member}`, member)];
      await page.goto(`${origin}/admin/`);
      await page.getByRole('region', { name: tenant.name }).getByRole('button', { name }).click();
      await page.getByRole('heading', { name: 'Open tasks by project' }).waitFor();
    },
    async picture(page, name, height = 860) {
      if (!PICTURES) return;
      await page.mouse.move(4, 600);
      await page.waitForLoadState('networkidle');
      const clip = { x: 0, y: 0, width: 1280, height };
      await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled', clip });
    },
    async close() {
      await browser.close();
      await app.close();
    },
  };
}
