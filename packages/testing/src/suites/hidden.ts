import { equal } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';

const READS = [
  ...['limit=100', 'fields=id,secret', 'cursor=&limit=100', 'page=1', 'join=team&join=team.members'],
  ...['format=ndjson', 'format=csv'],
];

const CONDITIONS = [
  ...['filter=secret||eq||hidden-1', 'or=secret||starts||h', 's=%7B%22secret%22%3A%22hidden-1%22%7D'],
  ...['filter=team.members.secret||eq||hidden-1&join=team&join=team.members'],
  ...['sort=secret,ASC', 'cursor=&sort=secret,ASC'],
];

export const hidden = suite('hidden fields', {
  'no answer has a hidden field': async ({ api, idOf, newMember, pathOf }) => {
    const [path, secret] = [pathOf('m01'), 'hidden-new'];
    const answers = [await api.get(path), await api.get('/teams?join=members')];
    for (const query of READS) answers.push(await api.get(`/members?${query}`));
    answers.push(
      await api.post('/members', newMember('h', { secret })),
      await api.post('/members/bulk', { bulk: [newMember('i', { secret })] }),
      await api.post('/upserts', newMember('m02', { age: 3 })),
      await api.patch(path, { age: 31 }),
      await api.put(path, newMember('m01', { secret })),
      await api.patch('/members/bulk', { bulk: [{ id: idOf('m01'), age: 32 }] }),
      await api.delete(path),
    );
    for (const { text, status } of answers) {
      if (status >= 400 && status < 500) continue;
      equal(status < 500, true, text);
      equal(/hidden-|"secret"|secret,/.test(text.replaceAll('"label":"secret"', '')), false, text.slice(0, 400));
    }
  },
  'no condition and no sort tells of a hidden field': async ({ api }) => {
    for (const query of CONDITIONS) expectAnswer(await api.get(`/members?${query}`), 400);
    for (const query of ['groupBy=secret&aggregate=count||*', 'aggregate=min||secret'])
      expectAnswer(await api.get(`/members/aggregate?${query}`), 400);
  },
});
