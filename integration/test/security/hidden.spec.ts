/** Hidden columns, each hidden in one of the ways there are: no response holds them, and every name position answers for them byte for byte as it does for a name that does not exist, before the database is asked. */
import { expect, test } from '@jest/globals';
import { type Call, describeStage } from './stage.js';

const UNKNOWN = 'qqqqqqqq';
const HEADERS = { 'x-tenant': 'north', 'x-demo-user': '1' };

/** Hidden columns as clients of a resource would have to name them; the segment that is hidden, by what. An unknown one takes its place. */
const COLUMNS: readonly [path: string, field: string, hidden: string, by: string][] = [
  ['/users', 'password', 'password', 'query.exclude'],
  ['/users', 'company.description', 'description', 'exclude of a join'],
  ['/projects', 'users.password', 'password', 'exclude of a many-to-many join'],
  ['/my/notes', 'meta.level', 'meta', 'query.exclude of a JSON column'],
  ['/my/notes', 'pin', 'pin', '@Exclude'],
  ['/my/notes', 'folder.tenant.apiKey', 'apiKey', 'select: false, two joins away'],
  ['/tenants/north/folders', 'notes.pin', 'pin', '@Exclude of a join'],
  ['/tenants/north/folders', 'notes.meta.level', 'meta', 'exclude of a JSON column of a join'],
  ['/my/folders', 'papers.token', 'token', 'exclude of a join, by its alias'],
  ['/my/folders', 'notes.secret', 'secret', 'select: false of an aliased join'],
  ['/kinds/plain/notes', 'token', 'token', 'query.exclude, unknown names ignored'],
  ['/kinds/plain/notes', 'secret', 'secret', 'select: false, unknown names ignored'],
  // Relations that the resource does not open, and what lies behind them.
  ['/my/projects', 'company.name', 'company', 'a relation that is not configured'],
  ['/users', 'company.users.password', 'users', 'the way back through a relation'],
];

const json = (value: unknown): string => `s=${encodeURIComponent(JSON.stringify(value))}`;
const FORGED = Buffer.from('["1","Note","next",["token,ASC"],["a"]]').toString('base64url');

/** Ways to ask about a column, by its name and by a comparison that would tell a letter of its value. */
const WAYS: readonly ((field: string, relation: string, column: string) => string)[] = [
  ...['starts||s', 'isnull', 'nosuch||1'].map((rest) => (field: string) => `filter=${field}%7C%7C${rest}`),
  (field) => `filter=id%7C%7Cgt%7C%7C0&or=${field}%7C%7Cstarts%7C%7Cs`,
  (field) => json({ $or: [{ id: 0 }, { [field]: { $starts: 's' } }] }),
  (field) => json({ $not: { $and: [{ $not: [{ [field]: { $or: { $isnull: true, $lt: 'b' } } }] }] } }),
  (field) => `sort=id&sort[]=${field},DESC`,
  ...['', FORGED].map((cursor) => (field: string) => `cursor=${cursor}&total=1&sort=${field},ASC`),
  (field) => `filter=${field}.length%7C%7Cgt%7C%7C1`,
  (field, relation) => `join=${relation}%7C%7Con[0]=${field}%7C%7Cstarts%7C%7Cs`,
  (_, relation, column) => `join=${relation}%7C%7Cid,${column}`,
  (field) => `join=${field}`,
  (field) => `fields=${field}`,
  (field) => `select=${field}.length`,
];

/** Names of hidden columns of the vault and of users that an answer has. */
const shownBy = ({ text }: { text: string }) => text.match(/"(password|token|secret|pin|meta|apiKey)":/g) ?? [];

describeStage('hidden columns', (stage) => {
  test.each(COLUMNS)('%s %s: %s is hidden by %s, and as unknown as a name of nothing', async (path, field, hidden) => {
    const unknown = field.replace(hidden, UNKNOWN);
    stage.forget();
    for (const way of WAYS) {
      const [known, stranger] = await stage.sendAll(
        [field, unknown].map((name) => {
          // A column of the root is asked for behind a relation that does not matter.
          const [, relation = 'company', column = name] = /^(.+)\.([^.]+)$/.exec(name) ?? [];
          return { path: `${path}?${way(name, relation, column)}`, headers: HEADERS };
        }),
      );
      const masked = (text: string) => text.replaceAll(new RegExp(`\\b(${hidden}|${UNKNOWN})\\b`, 'g'), '?');
      expect([known!.status, masked(known!.text)]).toEqual([stranger!.status, masked(stranger!.text)]);
      const isIgnored = path.startsWith('/kinds/') && /^(fields|select|join)=(?!.*on\[)/.test(way(field, '', ''));
      expect([known!.status, shownBy(known!)]).toEqual([isIgnored ? 200 : 400, []]);
    }
    // A column that its class hides is read with the record, but no condition and no order is formed with it.
    const compared = (sql: string) => new RegExp(`\\bFROM\\b.*\\.["\`]?${hidden}\\b`, 's').test(sql);
    expect(stage.statements().filter(compared)).toEqual([]);
  });

  test.each([
    ...['/users?join=company&join=profile&join=projects', '/users/1?', '/me?'],
    ...['/companies?join=users&join=users.projects&join=projects', '/memberships?join=user&join=company'],
    ...['/tenants/north/folders?join=tenant&join=notes&join=notes.labels', '/my/folders?join=papers&join=tenant'],
    ...['/my/notes?join=folder&join=folder.tenant&join=labels', '/kinds/plain/notes?fields=id,token,secret,pin,meta'],
  ])('leave through no response of reads: %s', async (path) => {
    const reply = await stage.send({ path, headers: HEADERS });
    expect([reply.status, shownBy(reply)]).toEqual([200, []]);
    expect(reply.text).toContain('"id":');
  });

  test('leave through no response of writes, which may set them', async () => {
    const values = { token: 'hidden-1', secret: 'hidden-2', pin: 'hidden-3', meta: { level: 'hidden-4' } };
    const note = { folderId: 1, kind: 'plain', title: 'written', ...values };
    const user = (index: number) => ({ email: `hidden${index}@example.com`, password: 'secret-0', companyId: 1 });
    // Returned as saved, in bulk, after PATCH and PUT, and as deleted and recovered.
    for (const [method, path, body] of [
      ['POST', '/my/notes', note],
      ['POST', '/my/notes/bulk', { bulk: [note] }],
      ['POST', '/kinds/plain/notes', note],
      ['PATCH', '/my/notes/1', { title: 'patched', ...values }],
      ['PUT', '/my/notes/2', note],
      ['PATCH', '/kinds/plain/notes/3', values],
      ['DELETE', '/my/notes/1'],
      ['PATCH', '/my/notes/1/recover'],
      ['PATCH', '/my/folders/1', { notes: [{ title: 'child', kind: 'plain', ...values }] }],
      ['POST', '/users/bulk', { bulk: [user(2), user(3)] }],
      ['POST', '/companies/1/users', user(4)],
      ['PUT', '/users/2', user(5)],
      ['PATCH', '/me', { password: 'secret-0' }],
    ] as [Call['method'], string, object?][]) {
      const reply = await stage.send({ method, path, body, headers: HEADERS } as Call);
      expect([method, path, reply.status < 300, shownBy(reply)]).toEqual([method, path, true, []]);
    }
    const refused = [user(2), { ...user(6), password: 1 }];
    const replies = await stage.sendAll(refused.map((body): Call => ({ method: 'POST', path: '/users', body })));
    expect(replies.map(({ status }) => status)).toEqual([409, 400]);
    const written = (await stage.tables())['vault_notes']!.filter(({ token }) => token === values.token);
    expect(written.map(({ secret, pin }) => [secret, pin])).toEqual(Array(7).fill([values.secret, values.pin]));
  });
});
