/** The application around the resources: its start on both platforms, its OpenAPI pages, its demo user. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningExample, serveExample } from '../../test-support/example.js';
import { describePlatforms } from '../../test-support/index.js';

type Document = { readonly info: object; readonly paths: Record<string, Record<string, { security?: object[] }>> };

describePlatforms('example application', (http) => {
  let example: RunningExample;
  beforeAll(async () => {
    example = await serveExample({ http });
  }, 60_000);
  afterAll(() => example?.close());
  const get = (path: string, headers: Record<string, string> = {}) => fetch(example.origin + path, { headers });

  test('shows its OpenAPI page, and declares bearer authentication where the demo user is asked for alone', async () => {
    expect(await (await get('/docs')).text()).toContain('swagger-ui');
    const { info, paths } = (await (await get('/docs-json')).json()) as Document;
    expect(info).toMatchObject({ title: 'nestwright example', version: '0.1.0' });
    for (const [path, operations] of Object.entries(paths)) {
      const guarded = /^\/(me|my\/projects)(\/|$)/.test(path);
      for (const { security } of Object.values(operations))
        expect([path, security]).toEqual([path, guarded ? [{ bearer: [] }] : undefined]);
    }
  });

  test.each(['', 'x', '1x', '-1', '0', '101', '99999999999', '1, 2'])('the demo user %p is nobody', async (id) => {
    for (const path of ['/me', '/my/projects'])
      expect([path, (await get(path, { 'x-demo-user': id })).status]).toEqual([path, 401]);
  });
});

test('an unreachable database stops the start at once', async () => {
  const started = serveExample({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', logger: false });
  await expect(started).rejects.toThrow(/ECONNREFUSED/);
});
