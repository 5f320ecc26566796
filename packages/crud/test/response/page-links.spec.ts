import { expect, test } from '@jest/globals';
import { cursorLinks, linkHeader, numberedLinks } from '../../src/response/page-links.js';

test.each([
  ['in the middle', [2, 10, 25], { first: '1', prev: '1', next: '3', last: '3' }],
  ['at the end of whole pages', [3, 10, 30], { first: '1', prev: '2', last: '3' }],
  ['beyond the end', [9, 10, 25], { first: '1', prev: '3', last: '3' }],
  ['of an empty list', [1, 10, 0], { first: '1', last: '1' }],
  ['without a size', [1, undefined, 500], { first: '1', last: '1' }],
] as const)('the links of a page %s', (_, [page, limit, total], pages) =>
  expect(numberedLinks({ page, limit, total }).pages).toEqual(pages),
);

test('pages by cursor have no last one', () => {
  expect(cursorLinks({ next: 'n', previous: 'p' }).pages).toEqual({ first: '', prev: 'p', next: 'n' });
  expect(cursorLinks({ next: null, previous: null }).pages).toEqual({ first: '' });
});

const second = numberedLinks({ page: 1, limit: 2, total: 4 });

test.each<[url: string, next: string, names?: Parameters<typeof linkHeader>[2]]>([
  ['/users?page=1&filter=name||$cont||a%20b&sort=id,ASC', '/users?filter=name||$cont||a%20b&sort=id,ASC&page=2'],
  ['/api/users?', '/api/users?page=2'],
  // An offset names the same page.
  ['/users?offset=0&limit=2&page=1', '/users?limit=2&page=2'],
  ['/users?p=1&seite=1&page=3', '/users?page=3&seite=2', { page: ['seite', 'p'] }],
  ['/users?%70age=1&page[]=1&page%5B0%5D=1', '/users?page=2'],
  ['/users?page[a]=1&a.page[0]=1&pa[0]ge=1&%zz=1', '/users?page[a]=1&a.page[0]=1&pa[0]ge=1&%zz=1&page=2'],
  // Whatever was sent, it cannot end early, nor break the header.
  ['/users?s=%zz&x=>;rel="last"&y=é\u{1f989}\n', '/users?s=%zz&x=%3E;rel=%22last%22&y=%C3%A9%F0%9F%A6%89%0A&page=2'],
])('in the header, the address %s is kept but for the page', (url, ...[next, names]) =>
  expect(linkHeader(second, url, names).split(', ')[1]).toBe(`<${next}>; rel="next"`),
);
