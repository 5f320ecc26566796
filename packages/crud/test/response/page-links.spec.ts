import { describe, expect, test } from '@jest/globals';
import { cursorLinks, linkHeader, numberedLinks } from '../../src/response/page-links.js';

test.each([
  ['in the middle', [2, 10, 25], { first: '1', prev: '1', next: '3', last: '3' }],
  ['at the start', [1, 10, 25], { first: '1', next: '2', last: '3' }],
  ['at the end', [3, 10, 25], { first: '1', prev: '2', last: '3' }],
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

describe('the header', () => {
  const second = numberedLinks({ page: 1, limit: 2, total: 4 });
  const of = (url: string, names?: Parameters<typeof linkHeader>[2]) => linkHeader(second, url, names).split(', ')[1];

  test('keeps the address but for the page', () => {
    expect(of('/users?page=1&filter=name||$cont||a%20b&sort=id,ASC')).toBe(
      '</users?filter=name||$cont||a%20b&sort=id,ASC&page=2>; rel="next"',
    );
    expect(of('/users')).toBe('</users?page=2>; rel="next"');
    expect(of('/api/users?')).toBe('</api/users?page=2>; rel="next"');
  });

  test('takes the place of an offset, which names the same page', () =>
    expect(of('/users?offset=0&limit=2&page=1')).toBe('</users?limit=2&page=2>; rel="next"'));

  test('knows the parameter by all names that the resource reads, and prints the first', () => {
    expect(of('/users?p=1&seite=1&page=3', { page: ['seite', 'p'] })).toBe('</users?page=3&seite=2>; rel="next"');
    expect(of('/users?%70age=1&page[]=1&page%5B0%5D=1')).toBe('</users?page=2>; rel="next"');
    expect(of('/users?page[a]=1&a.page[0]=1&%zz=1')).toBe('</users?page[a]=1&a.page[0]=1&%zz=1&page=2>; rel="next"');
  });

  test('an address cannot end early, nor break the header, whatever was sent', () =>
    expect(of('/users?s=%zz&x=>;rel="last"&y=é\u{1f989}\n')).toBe(
      '</users?s=%zz&x=%3E;rel=%22last%22&y=%C3%A9%F0%9F%A6%89%0A&page=2>; rel="next"',
    ));
});
