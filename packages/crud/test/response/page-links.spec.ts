import { describe, expect, test } from '@jest/globals';
import { cursorLinks, linkHeader, numberedLinks } from '../../src/response/page-links.js';

describe('pages by number', () => {
  const pages = (page: number, limit: number | undefined, total: number) => numberedLinks({ page, limit, total }).pages;

  test('a page in the middle has all four', () => {
    expect(pages(2, 10, 25)).toEqual({ first: '1', prev: '1', next: '3', last: '3' });
  });

  test('the first has none before it, the last none after it', () => {
    expect(pages(1, 10, 25)).toEqual({ first: '1', next: '2', last: '3' });
    expect(pages(3, 10, 25)).toEqual({ first: '1', prev: '2', last: '3' });
    expect(pages(3, 10, 30)).toEqual({ first: '1', prev: '2', last: '3' });
  });

  test('before a page beyond the end lies the last one', () => {
    expect(pages(9, 10, 25)).toEqual({ first: '1', prev: '3', last: '3' });
  });

  test('an empty list, and one without a page size, is one page', () => {
    expect(pages(1, 10, 0)).toEqual({ first: '1', last: '1' });
    expect(pages(1, undefined, 500)).toEqual({ first: '1', last: '1' });
  });
});

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

  test('takes the place of an offset, which names the same page', () => {
    expect(of('/users?offset=0&limit=2&page=1')).toBe('</users?limit=2&page=2>; rel="next"');
  });

  test('knows the parameter by all names that the resource reads, and prints the first', () => {
    expect(of('/users?p=1&seite=1&page=3', { page: ['seite', 'p'] })).toBe('</users?page=3&seite=2>; rel="next"');
    expect(of('/users?%70age=1&page[]=1&page%5B0%5D=1')).toBe('</users?page=2>; rel="next"');
  });

  test('an address cannot end early, nor break the header, whatever was sent', () => {
    expect(of('/users?s=%zz&x=>;rel="last"&y=é\u{1f989}\n')).toBe(
      '</users?s=%zz&x=%3E;rel=%22last%22&y=%C3%A9%F0%9F%A6%89%0A&page=2>; rel="next"',
    );
  });
});
