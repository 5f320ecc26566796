/** Hidden columns, each hidden in one of the ways there are: no response holds them, and every name position answers for them byte for byte as it does for a name that does not exist, before the database is asked. */
import { expect, test } from '@jest/globals';
import { type Call, describeStage, read } from './stage.js';

const UNKNOWN = 'qqqqqqqq';
const NORTH = { 'x-tenant': 'north' };
const DEMO = { 'x-demo-user': '1' };
const headersOf = (path: string) => (/^.(my.projects|me\b)/.test(path) ? DEMO : path.startsWith('/my/') ? NORTH : {});

/** Hidden columns as clients of a resource would have to name them; the segment that is hidden, by what. An unknown one takes its place. */
const COLUMNS: readonly [path: string, field: string, hidden: string, by: string][] = [
  ['/users', 'password', 'password', 'query.exclude'],
  ['/me', 'password', 'password', 'query.exclude, without a key'],
  ['/users/1', 'password', 'password', 'query.exclude, of one record'],
  ['/users', 'company.description', 'description', 'exclude of a join'],
  ['/companies', 'users.password', 'password', 'exclude of a to-many join'],
  ['/projects', 'users.password', 'password', 'exclude of a many-to-many join'],
  ['/memberships', 'user.password', 'password', 'exclude of a join of a composite key'],
  ['/my/notes', 'meta.level', 'meta', 'query.exclude of a JSON column'],
  ['/my/notes', 'secret', 'secret', 'select: false'],
  ['/my/notes', 'pin', 'pin', '@Exclude'],
  ['/my/notes', 'folder.tenant.apiKey', 'apiKey', 'select: false, two joins away'],
  ['/tenants/north/folders', 'notes.secret', 'secret', 'select: false of a join'],
  ['/tenants/north/folders', 'notes.pin', 'pin', '@Exclude of a join'],
  ['/tenants/north/folders', 'notes.meta.level', 'meta', 'exclude of a JSON column of a join'],
  ['/my/folders', 'papers.token', 'token', 'exclude of a join, by its alias'],
  ['/my/folders', 'notes.secret', 'secret', 'select: false of an aliased join'],
  ['/kinds/plain/notes', 'token', 'token', 'query.exclude, unknown names ignored'],
  ['/kinds/plain/notes', 'secret', 'secret', 'select: false, unknown names ignored'],
  ['/kinds/plain/notes', 'pin', 'pin', '@Exclude, unknown names ignored'],
  // Relations that the resource does not open, and what lies behind them.
  ['/my/projects', 'company.name', 'company', 'a relation that is not configured'],
  ['/my/notes/count', 'token', 'token', 'query.exclude, of a count'],
  ['/my/notes/count', 'pin', 'pin', '@Exclude, of a count'],
  ['/my/notes/count', 'folder.tenant.apiKey', 'apiKey', 'select: false, of a count'],
  ['/users', 'profile.user.password', 'user', 'the way back through a relation'],
  ['/users', 'company.users.password', 'users', 'the way back through a to-many relation'],
];

const text = encodeURIComponent;
const json = (value: unknown): string => `s=${text(JSON.stringify(value))}`;

const FORGED = Buffer.from('["1","Note","next",["token,ASC"],["a"]]').toString('base64url');

/** Ways to ask about a column: the name position, and a comparison that would tell a letter of the value. */
const WAYS: readonly (readonly [title: string, query: (field: string) => string])[] = [
  ...['eq||secret-1', 'contL||HIDDEN', 'in||a,b', 'between||a,z', 'isnull', 'nosuch||1'].map(
    (rest) => [`filter ${rest}`, (field: string) => `filter=${text(`${field}||${rest}`)}`] as const,
  ),
  ['filter[0]', (field) => `filter[0]=${text(`${field}||ne||a`)}`],
  ['or', (field) => `or=${text(`${field}||starts||s`)}`],
  ['filter and or', (field) => `filter=id||gt||0&or=${text(`${field}||starts||s`)}`],
  ['s: operator', (field) => json({ [field]: { $starts: 's' } })],
  ['s: null', (field) => json({ [field]: null })],
  ['s: within $or', (field) => json({ $or: [{ id: 0 }, { [field]: { $starts: 's' } }] })],
  ['s: within $not', (field) => json({ $not: { $and: [{ $not: [{ [field]: { $lt: 'b' } }] }] } })],
  ['s: $or of operators', (field) => json({ [field]: { $or: { $isnull: true, $starts: 's' } } })],
  ['sort', (field) => `sort=${text(`${field},ASC`)}`],
  ['sort, second', (field) => `sort=id&sort[]=${text(`${field},DESC`)}`],
  ['sort, by a cursor', (field) => `cursor=&total=1&sort=${text(`${field},ASC`)}`],
  ['sort, by a cursor of another sort', (field) => `cursor=${FORGED}&sort=${text(`${field},ASC`)}`],
  ['fields', (field) => `fields=${text(field)}`],
  ['select', (field) => `select=${text(field)}`],
  ['join: fields', (field) => `join=${text(splitOf(field).join('||'))}`],
  ['join: fields, among others', (field) => `join=${text(splitOf(field).join('||id,'))}`],
  ['join: condition', (field) => `join=${text(`${splitOf(field)[0]}||on[0]=${field}||starts||s`)}`],
  ['join: the field itself', (field) => `join=${text(field)}`],
  ['fields behind it', (field) => `fields=${text(`${field}.length`)}`],
  ['filter behind it', (field) => `filter=${text(`${field}.length||gt||1`)}`],
];

/** The relation and the column of it; a root's column behind a relation that does not matter. */
function splitOf(field: string): [relation: string, column: string] {
  const end = field.lastIndexOf('.');
  return end < 0 ? ['company', field] : [field.slice(0, end), field.slice(end + 1)];
}

/** Parameters that a single record, and a count, do not read. */
const UNREAD = /^(sort|cursor|filter|or|s)\b/;
const UNREAD_BY_COUNTS = /^(sort|cursor|fields|select|join|filter=[^&]*&sort)\b/;

/** Names of hidden columns of the vault and of users that an answer has. */
const shownBy = ({ text: answer }: { text: string }) =>
  answer.match(/"(password|token|secret|pin|meta|apiKey)":/g) ?? [];

describeStage('hidden columns', (stage) => {
  test.each(COLUMNS)('%s %s: %s is hidden by %s, and as unknown as a name of nothing', async (path, field, hidden) => {
    const callTo = (query: string): Call => ({ path: `${path}?${query}`, headers: headersOf(path) });
    const unknown = field.split('.').map((part) => (part === hidden ? UNKNOWN : part)).join('.'); // prettier-ignore
    const plain = (answer: string) => answer.replaceAll(new RegExp(`\\b(${hidden}|${UNKNOWN})\\b`, 'g'), '?');
    // Where the query is not read at all, or the options leave out what is unknown.
    const isSingle = path === '/me' || path === '/users/1';
    const isCount = path.endsWith('/count');
    const unread = isCount ? UNREAD_BY_COUNTS : isSingle ? UNREAD : /^(fields|select|join)\b/;
    const tolerates = path.startsWith('/kinds/') || isCount || isSingle;
    stage.forget();
    for (const [way, query] of WAYS) {
      const [known, stranger] = await stage.sendAll([callTo(query(field)), callTo(query(unknown))]);
      expect([way, known!.status, plain(known!.text)]).toEqual([way, stranger!.status, plain(stranger!.text)]);
      if (known!.status === 400) continue;
      expect([way, tolerates && unread.test(query(field)), shownBy(known!)]).toEqual([way, true, []]);
    }
    // A column that its class hides is read with the record, but no condition and no order is formed with it.
    const compared = (sql: string) => new RegExp(`\\bFROM\\b.*\\.["\`]?${hidden}\\b`, 's').test(sql);
    expect(stage.statements().filter(compared)).toEqual([]);
  });

  test.each([
    '/users?join=company&join=profile&join=projects',
    '/companies?join=users&join=users.projects&join=projects',
    '/projects?join=users&join=company',
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
