/** The examples of `docs/auth.md` over real HTTP, and that the document shows exactly them. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from '@jest/globals';
import { GLOBAL_STATE_KEY } from '../../src/constants.js';
import { type Api, describePlatforms, start } from '../support/application.js';
import { MeController } from './me.controller.js';
import { MyProjectsController } from './my-projects.controller.js';
import { ProjectsController, RolesGuard } from './projects.controller.js';
import { ProjectsService, UsersService } from './projects.js';

const [GUEST, MEMBER, ADMIN] = [{ 'x-user': '1' }, { 'x-user': '2' }, { 'x-user': '4' }];
const names = (body: { name: string }[]): string[] => body.map(({ name }) => name);

beforeEach(() => {
  delete (globalThis as { [GLOBAL_STATE_KEY]?: unknown })[GLOBAL_STATE_KEY];
});

describePlatforms('docs/auth.md', (platform) => {
  let api: Api;

  beforeEach(async () => {
    const controllers = [MeController, MyProjectsController, ProjectsController];
    api = await start({ platform, controllers, providers: [ProjectsService, UsersService, RolesGuard] });
  });

  test('records of one company', async () => {
    await api.get('/my/projects').expect(401);
    expect(names((await api.get('/my/projects', MEMBER).expect(200)).body)).toEqual(['Bridge', 'Tunnel']);
    await api.get('/my/projects/3', MEMBER).expect(404);
    await api.patch('/my/projects/3', { name: 'Mine' }).set(MEMBER).expect(404);
    const { body } = await api.post('/my/projects', { name: 'Dam', companyId: 2 }).set(MEMBER).expect(201);
    expect(body).toMatchObject({ name: 'Dam', companyId: 1 });
  });

  test('one record without a key', async () => {
    expect((await api.get('/me', MEMBER).expect(200)).body).toEqual({ id: 2, companyId: 1, role: 'member' });
    await api.patch('/me', { companyId: 2 }).set(GUEST).expect(200);
    expect(api.resolve(UsersService).rows.map(({ companyId }) => companyId)).toEqual([2, 1, 2, 2]);
    await api.delete('/me').set(MEMBER).expect(404);
  });

  test('a guest reads, a member writes within the company, an admin does everything everywhere', async () => {
    const name = 'Dam';
    expect(names((await api.get('/projects', GUEST).expect(200)).body)).toEqual(['Bridge', 'Tunnel']);
    for (const path of ['/projects', '/projects/archive']) await api.post(path, { name }).set(GUEST).expect(403);
    const { body } = await api.post('/projects', { name, companyId: 2 }).set(MEMBER).expect(201);
    expect(body).toMatchObject({ name, companyId: 1 });
    await api.post('/projects/archive').set(MEMBER).expect(201, { archived: true });
    await api.patch('/projects/3', { name }).set(MEMBER).expect(404);
    const bulk = api.post('/projects/bulk', { bulk: [{ name }] });
    for (const request of [api.put('/projects/1', { name }), api.delete('/projects/1'), bulk])
      await request.set(MEMBER).expect(403);
    expect(names((await api.get('/projects', ADMIN).expect(200)).body)).toHaveLength(4);
    await api.delete('/projects/1').set(ADMIN).expect(200);
  });
});

test('the document shows these files', () => {
  const text = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const examples = ['my-projects', 'projects', 'me'].map((name) => text(`./${name}.controller.ts`));
  const blocks = [...text('../../../../docs/auth.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  expect(blocks).toEqual(examples.map((example) => example.replace(/^.*\n/, '')));
});
