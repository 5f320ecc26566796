/** The screens of the admin in headless Chromium: what a member does is what the database has afterwards. With PICTURES, a folder, its pictures are taken. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { MEMBERS, startAdmin } from './harness.js';

describe('the admin · chromium', { timeout: 240_000 }, () => {
  let admin, page, complaints, requests;
  /** What the first tenant has. */
  let tasks, projects, members;

  before(async () => {
    admin = await startAdmin();
    const [, first, second] = await admin.read('/tasks?sort=id,ASC');
    await admin.change(`/tasks/${first.id}`, { status: 'doing', priority: 9, dueOn: day(1) });
    await admin.change(`/tasks/${second.id}`, { title: `${second.title}, again`, estimate: '3.00' });
    [tasks, projects, members] = await Promise.all(
      ['/tasks?limit=500&sort=id,ASC', '/projects?sort=id,ASC', '/members?sort=id,ASC'].map((path) => admin.read(path)),
    );
    ({ page, complaints, requests } = await admin.newPage());
    await admin.signIn(page);
  });
  afterEach(() => assert.deepEqual(complaints, []));
  after(() => admin?.close());

  /** The day so many days from today. */
  const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const stored = (entity, id) => admin.stored(entity).findOneOrFail({ where: { id }, withDeleted: true });
  const rows = () => page.locator('tbody tr');
  const row = (title) => rows().filter({ has: page.getByText(title, { exact: true }) });
  const column = (name) => page.locator(`tbody td.column-${name.replace('.', '\\.')}`).allInnerTexts();
  const shown = (text) => page.getByText(text, { exact: true }).first().waitFor();
  const button = (name) => page.getByRole('button', { name, exact: true });
  const field = (name) => page.getByRole('textbox', { name, exact: true });
  const nameOf = (records, id) => records.find((record) => record.id === id).name;

  async function open(screen) {
    await page.goto(`${admin.origin}/admin/#/${screen}`);
    requests.length = 0;
  }

  /** Opens a form, and waits for the record itself. */
  async function edit(path) {
    // What a form has saved, it does not read again for some seconds.
    await page.goto('about:blank');
    const read = page.waitForResponse(`${admin.origin}/${path}`);
    await open(path);
    await read;
  }

  async function choose(label, option, within = page) {
    await within.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
  }

  /** A list as it is after a step: the number of its records. */
  const total = (count) => page.getByText(new RegExp(`^1-\\d+ of ${count}$`)).waitFor();

  async function download() {
    const [file] = await Promise.all([page.waitForEvent('download'), button('Export').click()]);
    return parse(await readFile(await file.path()), { columns: true, bom: true });
  }

  test('the dashboard counts what is open, and leads to it', async () => {
    const open = tasks.filter(({ status }) => status !== 'done');
    const tile = (name) => page.getByRole('link', { name });
    assert.equal(await tile(/^To do/).innerText(), `To do\n\n${open.filter(({ status }) => status === 'todo').length}`);
    for (const { id, name } of projects) {
      const count = (status) => tasks.filter((task) => task.projectId === id && task.status === status).length;
      await page
        .getByText(name, { exact: true })
        .locator('..')
        .getByText(`${count('todo')} to do, ${count('doing')} doing`)
        .waitFor();
    }
    assert.match(await tile(/^Due within a week/).innerText(), /\n1$/);
    const changes = page.getByRole('listitem');
    await changes.filter({ hasText: 'Priority: 9' }).getByText(`Task ${tasks[1].id}`).waitFor();
    await changes.filter({ hasText: 'Estimate: 3.00' }).getByText(`Task ${tasks[2].id}`).waitFor();
    await admin.picture(page, 'admin-dashboard');

    const overdue = open.filter(({ dueOn }) => dueOn && dueOn < day(0));
    await tile(/^Overdue/).click();
    await total(overdue.length);
    const titles = await column('title');
    assert.ok(titles.length > 0 && titles.every((title) => overdue.some((task) => task.title === title)));
  });

  test('a list has pages, sorts, and references by name', async () => {
    await open('tasks?filter={}');
    await total(tasks.length);
    assert.equal(await rows().count(), 10);
    await shown(nameOf(projects, tasks.at(-1).projectId));
    await admin.picture(page, 'admin-tasks');

    await button('Go to page 2').click();
    await page.getByText(`11-20 of ${tasks.length}`).waitFor();
    await row(tasks.at(-11).title).first().waitFor();

    const sorted = page.waitForResponse((response) => response.url().includes('sort=project.name%2CASC'));
    await button('Sort by project ascending').click();
    await sorted;
    await total(tasks.length);
    const [first] = projects.map(({ name }) => name).sort((one, other) => (one < other ? -1 : 1));
    await shown(first);
    assert.equal((await column('project.name'))[0], first);
  });

  test('a list is filtered by status, project, assignee, dates and text', async () => {
    const [{ id: project, name }] = projects;
    let expected = tasks.filter(({ status }) => status !== 'done');
    await open('tasks?filter={}&sort=id&order=ASC&page=1&perPage=50');
    await page.getByRole('combobox', { name: 'Status' }).click();
    for (const name of ['To do', 'Doing']) await page.getByRole('option', { name, exact: true }).click();
    await page.keyboard.press('Escape');
    await total(expected.length);

    await choose('Project', name);
    expected = expected.filter(({ projectId }) => projectId === project);
    await total(expected.length);

    const dates = expected.flatMap(({ dueOn }) => dueOn ?? []).sort();
    const [from, until] = [dates[1], dates.at(-2)];
    await page.getByLabel('Due from').fill(from);
    await page.getByLabel('Due until').fill(until);
    expected = expected.filter(({ dueOn }) => dueOn && dueOn >= from && dueOn <= until);
    await total(expected.length);

    const { assigneeId } = expected.find((task) => task.assigneeId);
    await choose('Assignee', nameOf(members, assigneeId));
    expected = expected.filter((task) => task.assigneeId === assigneeId);
    await total(expected.length);

    const [{ title }] = expected;
    await page.getByLabel('Search').fill(title.toUpperCase());
    await page.waitForURL(/%22title%22/);
    await total(expected.filter((task) => task.title.toUpperCase().includes(title.toUpperCase())).length);
    assert.equal((await column('title'))[0], title);
  });

  test('the list as it is filtered and shown is saved as a file', async () => {
    await open('tasks?filter={"status":["done"]}&sort=id&order=ASC&page=1&perPage=10');
    const done = tasks.filter(({ status }) => status === 'done');
    await total(done.length);
    const saved = await download();
    assert.deepEqual(
      saved.map((task) => [task.title, task['project.name'], task['assignee.name'], task.dueOn]),
      done.map(({ title, projectId, assigneeId, dueOn }) => [
        title,
        nameOf(projects, projectId),
        members.find(({ id }) => id === assigneeId)?.name ?? '',
        dueOn ?? '',
      ]),
    );
    const shownFields = ['title', 'status', 'project.name', 'assignee.name', 'priority', 'estimate', 'dueOn'];
    const keys = ['id', 'project.id', 'assignee.id'];
    assert.deepEqual(Object.keys(saved[0]).sort(), [...keys, ...shownFields].sort());

    await button('Columns').click();
    await page.getByRole('switch', { name: 'Estimate' }).uncheck();
    await page.keyboard.press('Escape');
    assert.ok(!('estimate' in (await download())[0]));
  });

  test('a record is created, and what the server refuses stands at its input', async () => {
    const [{ id: projectId, name, key }] = projects;
    await open('tasks/create');
    await field('Title').fill('Water the plants');
    await field('Estimate').fill('much');
    await choose('Project', name);
    await button('Save').click();
    await page.locator('.ra-input-estimate').getByText('must').waitFor();
    assert.equal(await field('Estimate').getAttribute('aria-invalid'), 'true');
    assert.equal(await admin.stored('Task').countBy({ title: 'Water the plants' }), 0);

    await field('Estimate').fill('1.50');
    await button('Save').click();
    await page.waitForURL(/#\/tasks$|#\/tasks\?/);
    const created = await admin.stored('Task').findOneByOrFail({ title: 'Water the plants' });
    assert.deepEqual(
      [created.projectId, created.estimate, created.status, created.tenantId],
      [projectId, '1.50', 'todo', tasks[0].tenantId],
    );

    await edit(`projects/${projects[1].id}`);
    await field('Key').fill(key);
    await button('Save').click();
    await page.locator('.ra-input-key').getByText('already exists').waitFor();
    assert.equal(await field('Key').getAttribute('aria-invalid'), 'true');
    assert.equal((await stored('Project', projects[1].id)).key, projects[1].key);
  });

  test('a record is edited, its references are chosen by name, and its history tells it', async () => {
    const [, , , { id, assigneeId, version }] = tasks;
    const assignee = members.find((member) => member.id !== assigneeId);
    await edit(`tasks/${id}`);
    await shown('Nothing has been changed yet.');
    await field('Title').fill('Draft, again');
    await choose('Assignee', assignee.name);
    await button('Save').click();
    await page.waitForURL(/#\/tasks$|#\/tasks\?/);
    const saved = await stored('Task', id);
    assert.deepEqual([saved.title, saved.assigneeId, saved.version], ['Draft, again', assignee.id, version + 1]);
    assert.ok(requests.includes(`PATCH /tasks/${id}`));

    await edit(`tasks/${id}`);
    const history = page.getByRole('listitem').filter({ hasText: 'Changed' });
    await history.getByText('Title: Draft, again').waitFor();
    await history.getByText(`Assignee: ${assignee.name}`).waitFor();
    await open('audit');
    await row(`Task ${id}`).getByRole('link').click();
    await page.waitForURL(`**/#/tasks/${id}`);
  });

  test('a conflict shows both versions; each field of either may be kept', async () => {
    const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this record' });
    const versions = (name) => dialog.getByRole('row', { name: new RegExp(`^${name}`) });
    /** Changes a project in a form that others have changed since it was opened. */
    const conflict = async ({ id }) => {
      await edit(`projects/${id}`);
      await field('Key').fill(`NEW${id}`);
      await field('Name').fill('Relaunch');
      await admin.stored('Project').update(id, { name: 'Relaunch 2027', budget: '52000.00' });
      const refused = page.waitForResponse((response) => response.status() === 412);
      await button('Save').click();
      await refused;
      assert.match(await versions('Name').innerText(), /Relaunch\s+Relaunch 2027/);
      assert.match(await versions('Budget').innerText(), /52000\.00$/);
    };
    const [one, two, three] = projects;
    const saved = async ({ id }) => {
      const { key, name, budget } = await stored('Project', id);
      return { key, name, budget };
    };

    await conflict(one);
    await admin.picture(page, 'admin-refused');
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await field('Name').inputValue(), 'Relaunch');
    await button('Save').click();
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await page.locator('input[value="Relaunch 2027"]').waitFor();
    assert.deepEqual(await saved(one), { key: one.key, name: 'Relaunch 2027', budget: '52000.00' });

    await conflict(two);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await shown('Element updated');
    assert.deepEqual(await saved(two), { key: `NEW${two.id}`, name: 'Relaunch', budget: two.budget });

    await conflict(three);
    await versions('Name').getByLabel('Relaunch 2027').check();
    await dialog.getByRole('button', { name: 'Save the selection' }).click();
    await page.waitForURL(/#\/projects$|#\/projects\?/);
    assert.deepEqual(await saved(three), { key: `NEW${three.id}`, name: 'Relaunch 2027', budget: '52000.00' });
  });

  test('many records are changed, and deleted, by one request', async () => {
    const [first, , , , second, third] = tasks;
    await open('tasks?filter={}&sort=id&order=ASC&page=1&perPage=10');
    for (const { title } of [first, second]) await row(title).getByRole('checkbox').check();
    await button('Edit').click();
    const dialog = page.getByRole('dialog', { name: 'Edit 2 selected' });
    await choose('Status', 'Done', dialog);
    await choose('Assignee', members[3].name, dialog);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    for (const { id, title } of [first, second]) {
      const { status, assigneeId, title: kept } = await stored('Task', id);
      assert.deepEqual([status, assigneeId, kept], ['done', members[3].id, title]);
    }
    await row(first.title).getByText(members[3].name).waitFor();

    for (const { title } of [second, third]) await row(title).getByRole('checkbox').check();
    await button('Delete').click();
    await button('Confirm').click();
    await row(third.title).waitFor({ state: 'detached' });
    for (const { id } of [second, third]) assert.notEqual((await stored('Task', id)).deletedAt, null);
    assert.deepEqual(
      requests.filter((request) => !request.startsWith('GET ')),
      ['PATCH /tasks/bulk', 'POST /tasks/bulk/delete'],
    );
  });

  test('a list without an end is read by cursors', async () => {
    const comments = await admin.read('/comments?limit=500');
    await open('comments');
    await rows().nth(24).waitFor();
    for (let seen = 25; seen < comments.length;) {
      await rows().last().scrollIntoViewIfNeeded();
      await rows().nth(seen).waitFor();
      seen = await rows().count();
    }
    assert.equal(await rows().count(), comments.length);
    const lists = requests.filter((request) => request.startsWith('GET /comments?'));
    assert.equal(lists.length, Math.ceil(comments.length / 25));
    assert.ok(lists.every((request) => request.includes('cursor=') && !/[?&](page|offset)=/.test(request)));
  });

  test('another tenant sees its own; whom the server does not know signs in again', async () => {
    const [own] = await admin.read('/projects?sort=id,ASC', MEMBERS[1]);
    await open('');
    await page.getByRole('button', { name: new RegExp(`^${members[0].name} · `) }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Workspace' }).waitFor();
    await admin.signIn(page, MEMBERS[1]);
    await open('projects');
    await shown(own.name);
    for (const { name } of projects) assert.equal(await page.getByText(name, { exact: true }).count(), 0);

    await page.evaluate(() => localStorage.setItem('member', '999999'));
    await page.reload();
    await page.getByText('Choose a member to sign in as').waitFor();
  });
});
