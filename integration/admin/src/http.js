/** Requests of the signed-in member: with the tag of the record that was read last, so that nobody overwrites what others have changed since. */
import { fetchUtils, HttpError } from 'react-admin';

export const API = window.location.origin;

const MEMBER = 'member';
const CHANGES = ['PATCH', 'PUT', 'DELETE'];

/** Stands in for real authentication, as the example's guard does. */
export const session = {
  member: () => localStorage.getItem(MEMBER),
  begin: (member) => localStorage.setItem(MEMBER, member),
  end: () => localStorage.removeItem(MEMBER),
};

export const headersOf = (headers) => {
  const all = new Headers(headers);
  all.set('x-demo-member', session.member() ?? '');
  return all;
};

/** Tags by the address of their record. */
const tags = new Map();

/** As react-admin's `fetchJson`, with the member, and with tags. */
export async function http(url, options = {}) {
  const headers = headersOf(options.headers);
  const tag = tags.get(url);
  if (tag && CHANGES.includes(options.method)) headers.set('If-Match', tag);

  try {
    const answer = await fetchUtils.fetchJson(url, { ...options, headers });
    const etag = answer.headers.get('etag');
    if (etag?.startsWith('"')) tags.set(url, etag);
    return answer;
  } catch (error) {
    throw told(error);
  }
}

/** The API names the fields that are to blame (`title must be a string`); forms show such texts beside them. */
function told(error) {
  if (!Array.isArray(error.body?.message)) return error;
  const texts = error.body.message;
  const errors = Object.fromEntries(
    texts.map((text) => {
      const [field, ...words] = text.split(' ');
      return [field, words.join(' ')];
    }),
  );

  return new HttpError(texts.join('; '), error.status, { ...error.body, errors });
}
