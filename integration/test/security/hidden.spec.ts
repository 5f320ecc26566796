/** Hidden columns: no response of reads and writes holds them, and where unknown names are tolerated, conditions on them are not. */
import { expect, test } from '@jest/globals';
import { type Call, describeStage, read } from './stage.js';

const NORTH = { 'x-tenant': 'north' };
const DEMO = { 'x-demo-user': '1' };
const headersOf = (path: string) => (/^.(my.projects|me\b)/.test(path) ? DEMO : path.startsWith('/my/') ? NORTH : {});

/** Where unknown names are left out, or not read, conditions are refused all the same. */
const TOLERANT: readonly (readonly [path: string, field: string, hidden: string])[] = [
  ['/kinds/plain/notes', 'token', 'token'],
  ['/kinds/plain/notes', 'secret', 'secret'],
  ['/kinds/plain/notes', 'pin', 'pin'],
  ['/my/notes/count', 'token', 'token'],
  ['/my/notes/count', 'meta.level', 'meta'],
  ['/my/notes/count', 'folder.tenant.apiKey', 'apiKey'],
];

/** Names of hidden columns of the vault and of users that an answer has. */
const shownBy = ({ text: answer }: { text: string }) =>
  answer.match(/"(password|token|secret|pin|meta|apiKey)":/g) ?? [];

describeStage('hidden columns', (stage) => {
  test.each(TOLERANT)(
    'conditions of %s on %s are refused as those on a name of nothing',
    async (path, field, hidden) => {
      const answersFor = async (name: string) => {
        const own = field.replace(hidden, name);
        const queries = [`filter=${own}||starts||h`, `filter=id||gt||0&or=${own}||isnull`, `s={"${own}":{"$gt":"a"}}`];
        const calls = queries.map((query): Call => ({ path: `${path}?${encodeURI(query)}`, headers: headersOf(path) }));
        const replies = await stage.sendAll(calls);
        return replies.map(({ status, text: answer }) => [status, answer.replaceAll(name, '?')]);
      };
      stage.forget();
      const answers = await answersFor(hidden);
      expect(answers.map(([status]) => status)).toEqual([400, 400, 400]);
      expect(answers).toEqual(await answersFor('qqqqqqqq'));
      expect(stage.statements()).toEqual([]);
    },
  );

  test.each([
    '/users?join=company&join=profile&join=projects',
    '/companies?join=users&join=users.projects&join=projects',
    '/memberships?join=user&join=company',
    '/me?',
    '/tenants/north/folders?join=tenant&join=notes&join=notes.labels',
    '/my/folders?join=papers&join=tenant',
    '/my/notes?join=folder&join=folder.tenant&join=labels',
    '/kinds/plain/notes?fields=id,token,secret,pin,meta',
  ])('leave through no response of reads: %s', async (path) => {
    const reply = await stage.send({ path, headers: headersOf(path) });
    expect([reply.status, shownBy(reply)]).toEqual([200, []]);
    expect(reply.text).toContain('"id":');
  });

  test('leave through no response of writes, which may set them', async () => {
    const values = { token: 'hidden-1', secret: 'hidden-2', pin: 'hidden-3', meta: { level: 'hidden-4' } };
    const note = { folderId: 1, kind: 'plain', title: 'written', ...values };
    const user = (index: number) => ({ email: `hidden${index}@example.com`, password: 'secret-0', companyId: 1 });
    const send = async (method: Call['method'], path: string, body?: unknown) => {
      const reply = await stage.send({ method, path, body, headers: { ...NORTH, ...DEMO } } as Call);
      expect([method, path, [200, 201].includes(reply.status), shownBy(reply)]).toEqual([method, path, true, []]);

      return reply.text ? [read<{ id: number }>(reply)].flat()[0]!.id : 0;
    };
    // Returned as saved, in bulk, after PATCH and PUT, and as deleted and recovered.
    const shallow = await send('POST', '/my/notes', note);
    const bulk = await send('POST', '/my/notes/bulk', { bulk: [note] });
    const plain = await send('POST', '/kinds/plain/notes', note);
    await send('PATCH', `/my/notes/${shallow}`, { title: 'patched', ...values });
    await send('PUT', `/my/notes/${bulk}`, note);
    await send('PATCH', `/kinds/plain/notes/${plain}`, values);
    await send('DELETE', `/my/notes/${shallow}`);
    await send('PATCH', `/my/notes/${shallow}/recover`);
    await send('PATCH', '/my/folders/1', { notes: [{ title: 'child', kind: 'plain', ...values }] });
    await send('POST', '/users', user(1));
    await send('POST', '/users/bulk', { bulk: [user(2), user(3)] });
    await send('POST', '/companies/1/users', user(4));
    await send('PATCH', '/users/2', { password: 'secret-0' });
    await send('PUT', '/users/2', user(5));
    await send('PATCH', '/me', { password: 'secret-0' });
    const refused = [{ ...user(1) }, { ...user(6), password: 1 }];
    const replies = await stage.sendAll(refused.map((body): Call => ({ method: 'POST', path: '/users', body })));
    expect(replies.map(({ status }) => status)).toEqual([409, 400]);

    const { vault_notes: notes, users } = await stage.tables();
    const isWritten = ({ token, secret, pin }: Record<string, unknown>) =>
      [token, secret, pin].join() === 'hidden-1,hidden-2,hidden-3';
    expect([notes!.filter(isWritten).length, users!.length]).toEqual([4, 104]);
  });
});
