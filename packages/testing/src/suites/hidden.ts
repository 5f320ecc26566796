import { equal } from 'node:assert/strict';
import { expectAnswer } from '../api.js';
import { suite } from '../case.js';

export const hidden = suite('hidden fields', {
  'no answer has a hidden field': async ({ api, ids }) => {
    const id = ids.members['m01@example.com'];
    const teamId = ids.teams['red'];
    const answers = [
      await api.get('/members?limit=100'),
      await api.get('/members?fields=id,secret'),
      await api.get('/members?cursor=&limit=100'),
      await api.get('/members?page=1'),
      await api.get(`/members/${id}`),
      await api.get('/members?join=team&join=team.members'),
      await api.get('/teams?join=members'),
      await api.get('/members?format=ndjson'),
      await api.get('/members?format=csv'),
      await api.post('/members', { email: 'h@example.com', teamId, secret: 'hidden-new' }),
      await api.post('/members/bulk', { bulk: [{ email: 'i@example.com', teamId, secret: 'hidden-new' }] }),
      await api.post('/upserts', { email: 'm02@example.com', age: 3, teamId }),
      await api.patch(`/members/${id}`, { age: 31 }),
      await api.put(`/members/${id}`, { email: 'm01@example.com', teamId, secret: 'hidden-put' }),
      await api.patch('/members/bulk', { bulk: [{ id, age: 32 }] }),
      await api.delete(`/members/${id}`),
    ];
    for (const { text, status } of answers) {
      if (status >= 400 && status < 500) continue;
      equal(status < 500, true, text);
      equal(/hidden-|"secret"|secret,/.test(text.replaceAll('"label":"secret"', '')), false, text.slice(0, 400));
    }
  },
  'no condition and no sort tells of a hidden field': async ({ api }) => {
    for (const query of [
      'filter=secret||eq||hidden-1',
      'or=secret||starts||h',
      's=%7B%22secret%22%3A%22hidden-1%22%7D',
      'sort=secret,ASC',
      'filter=team.members.secret||eq||hidden-1&join=team&join=team.members',
      'cursor=&sort=secret,ASC',
    ])
      expectAnswer(await api.get(`/members?${query}`), 400);
    expectAnswer(await api.get('/members/aggregate?groupBy=secret&aggregate=count||*'), 400);
    expectAnswer(await api.get('/members/aggregate?aggregate=min||secret'), 400);
  },
});
