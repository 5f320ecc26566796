/** The `Link` header of a list (RFC 8288): where its other pages are. */
import type { RequestQueryBuilderOptions } from '@nestwright/crud-request';

/** The other pages of a list: the parameter that asks for each. */
export interface PageLinks {
  /** The parameter that selects the page. */
  readonly parameter: 'page' | 'cursor';
  /** The parameter's value by the page's relation to this one; a page that is not there is left out. */
  readonly pages: { readonly [relation in Relation]?: string };
}

type Relation = 'first' | 'prev' | 'next' | 'last';

/** Which page was answered. */
export interface AnsweredPage {
  /** Its number, from 1. */
  readonly page: number;
  /** Page size; undefined if everything is on one page. */
  readonly limit: number | undefined;
  /** Records on all pages. */
  readonly total: number;
}

/** The other pages of a list that is read by numbers. */
export function numberedLinks({ page, limit, total }: AnsweredPage): PageLinks {
  const last = limit ? Math.max(Math.ceil(total / limit), 1) : 1;
  const pages = {
    first: '1',
    ...(page > 1 && { prev: String(Math.min(page - 1, last)) }),
    ...(page < last && { next: String(page + 1) }),
    last: String(last),
  };

  return { parameter: 'page', pages };
}

/** The other pages of a list that is read by cursors. */
export function cursorLinks({ next, previous }: { next: string | null; previous: string | null }): PageLinks {
  const pages = { first: '', ...(previous !== null && { prev: previous }), ...(next !== null && { next }) };

  return { parameter: 'cursor', pages };
}

/** The parameters that say where a page begins, the one that is sent first. */
const REPLACED = { page: ['page', 'offset'], cursor: ['cursor'] } as const;

/** Characters that would end an address or are not allowed in a header. */
const UNSAFE = /[<>"]|[^\x21-\x7e]/gu;

/**
 * The text of the header: the request's own address, with the parameter changed.
 *
 * @param url Path and query string of the request.
 * @param names How the resource names the parameters of its queries.
 */
export function linkHeader(
  { parameter, pages }: PageLinks,
  url: string,
  names?: RequestQueryBuilderOptions['paramNamesMap'],
): string {
  const [path = '', search = ''] = url.replace(UNSAFE, encodeURIComponent).split('?', 2);
  const replaced = REPLACED[parameter].flatMap((key) => names?.[key] ?? key);
  const others = search.split('&').filter((pair) => pair !== '' && !replaced.includes(readParameterKey(pair)));

  return Object.entries(pages)
    .map(([relation, value]) => `<${path}?${[...others, `${replaced[0]}=${value}`].join('&')}>; rel="${relation}"`)
    .join(', ');
}

/** The decoded key of a part of a query string, without the brackets of a list. */
function readParameterKey(pair: string): string {
  const [key = ''] = pair.split('=', 1);

  try {
    return decodeURIComponent(key).replace(/\[\d*\]$/, '');
  } catch {
    return key;
  }
}
