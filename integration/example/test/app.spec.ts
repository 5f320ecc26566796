/** The application around the resources: its start on both platforms, its OpenAPI pages, its demo user. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningExample, serveExample } from '../../test-support/example.js';
import { describePlatforms } from '../../test-support/index.js';

describePlatforms('example application', (http) => {
  let example: RunningExample;

  beforeAll(async () => {
    example = await serveExample({ http });
  }, 60_000);
  afterAll(() => example?.close());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(example.origin + path, { headers });

  test('shows its OpenAPI page and document', async () => {
    const page = await get('/docs');
    const document = (await (await get('/docs-json')).json()) as Record<string, never>;

    expect(page.status).toBe(200);
    expect(await page.text()).toContain('swagger-ui');
    expect(document).toMatchObject({
      info: { title: 'nestwright example', version: '0.1.0' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
  });

  test('declares bearer authentication where the demo user is asked for, and nowhere else', async () => {
    const { paths } = (await (await get('/docs-json')).json()) as {
      paths: Record<string, Record<string, { security?: object[] }>>;
    };

    expect(Object.keys(paths).length).toBeGreaterThan(0);
    for (const [path, operations] of Object.entries(paths)) {
      const guarded = /^\/(me|my\/projects)(\/|$)/.test(path);

      for (const { security } of Object.values(operations))
        expect([path, security]).toEqual([path, guarded ? [{ bearer: [] }] : undefined]);
    }
  });

  test.each([undefined, '', 'x', '1x', '-1', '0', '101', '2147483648', '99999999999', '1, 2', '1.0', '0x1'])(
    'the demo user %p is nobody',
    async (id) => {
      for (const path of ['/me', '/my/projects'])
        expect((await get(path, id === undefined ? {} : { 'x-demo-user': id })).status).toBe(401);
    },
  );

  test('the demo user sees themselves and the projects of their company', async () => {
    const headers = { 'x-demo-user': '11' };
    const me = (await (await get('/me', headers)).json()) as Record<string, unknown>;
    const projects = (await (await get('/my/projects', headers)).json()) as Record<string, unknown>[];

    expect(me).toMatchObject({ id: 11, companyId: 2 });
    expect(me).not.toHaveProperty('password');
    expect(projects.map(({ companyId }) => companyId)).toEqual([2, 2, 2, 2, 2]);
  });
});

test('an unreachable database stops the start at once', async () => {
  await expect(serveExample({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', logger: false })).rejects.toThrow(
    /ECONNREFUSED/,
  );
});
