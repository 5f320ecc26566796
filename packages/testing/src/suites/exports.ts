import { deepEqual, equal, match } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';

export const exports = suite('exports', {
  'NDJSON has the records of the list, a line each': async ({ api }) => {
    const query = 'sort=age,DESC&join=badges&join=team';
    const { text, headers } = expectAnswer(await api.get(`/members?format=ndjson&${query}`), 200);
    match(headers.get('content-type') ?? '', /ndjson/);
    const lines = JSON.parse(`[${text.trim().split('\n').join()}]`) as unknown[];
    deepEqual(sorted(lines), sorted(await api.list(`/members?limit=100&${query}`)));
  },
  'CSV has them as a table': async ({ api }) => {
    const query = 'fields=email,age&sort=id,ASC&filter=age||eq||30';
    const { text, headers } = expectAnswer(await api.get(`/members?format=csv&${query}`), 200);
    match(headers.get('content-type') ?? '', /csv/);
    const [head = '', ...rows] = text.trim().split(/\r?\n/);
    equal(head.replaceAll('"', '').split(',').includes('email'), true, head);
    equal(rows.length, 7);
  },
  'conditions narrow an export, and soft-deleted records are left out': async ({ api }) => {
    for (const [path, lines] of Object.entries({ '/members?filter=role||eq||admin&': 5, '/teams?': 3 }))
      equal((await api.get(`${path}format=ndjson`)).text.trim().split('\n').length, lines);
  },
  'an export of nothing is empty': async ({ api }) =>
    equal(expectAnswer(await api.get('/members?format=ndjson&filter=id||lt||0'), 200).text, ''),
});

/** Related records have no order of their own. */
const sorted = (records: readonly any[]): unknown[] =>
  records.map((record) => ({ ...record, badges: [...record.badges].sort((one, other) => one.id - other.id) }));
