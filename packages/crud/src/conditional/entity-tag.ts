/** Entity tags: `"<row>.<body>"` if the state of one record is known, else a weak tag of the representation. */
import { createHash, createHmac } from 'node:crypto';
import type { CrudRequest } from '../crud-request.js';
import { etagSecret } from '../definition/global-config.js';
import { crudError } from '../errors.js';

/** Characters of a part: 132 bits. */
const LENGTH = 22;

/**
 * For adapters: the part of a tag that identifies the state of a record. It is keyed by a secret, so that it does not
 * reveal what is stored.
 *
 * @param stored What identifies the record and all that is stored of it, as texts.
 * @example
 * rowTagOf(['users', '1', 'ada@example.com', null]); // '7Qm0…'
 */
export function rowTagOf(stored: readonly (string | null)[]): string {
  return createHmac('sha256', etagSecret()).update(JSON.stringify(stored)).digest('base64url').slice(0, LENGTH);
}

/** The tag of an answer, as its header has it. */
export function entityTag(body: string, row: string | undefined): string {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, LENGTH);

  return row === undefined ? `W/"${hash}"` : `"${row}.${hash}"`;
}

/** The tags of a header: any (`*`), or a list, without quotes and `W/`. */
export type NamedTags = '*' | readonly string[];

// Sticky: each match begins where the last one ended. Empty items of a list are allowed.
const ITEM = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(,|$)/y;

/** The tags in a header; none if it is malformed. */
export function namedTags(header: string): NamedTags {
  if (header.trim() === '*') return '*';

  const tags: string[] = [];
  ITEM.lastIndex = 0;

  for (;;) {
    const item = ITEM.exec(header);
    if (!item) return [];
    if (item[1] !== undefined) tags.push(item[1]);
    if (item[2] === '') return tags;
  }
}

/** Whether a header of a read names what would be sent. */
export function namesTag(header: string, tag: string): boolean {
  const named = namedTags(header);

  return named === '*' || named.includes(tag.replace(/^W\//, '').slice(1, -1));
}

/**
 * For adapters: whether a write has preconditions, so that the record must be locked and passed to {@link
 * requirePreconditions}.
 */
export function isConditional({ preconditions }: CrudRequest): boolean {
  return preconditions !== undefined;
}

/**
 * For adapters: refuses a write whose stored record does not match the client's preconditions. Call it with the record
 * locked.
 *
 * @param row The tag of the stored record, or what finds it; undefined if there is none.
 * @throws HttpException 412 `CRUD_PRECONDITION_FAILED`.
 */
export async function requirePreconditions(
  { preconditions: { ifMatch, ifNoneMatch } = {} }: CrudRequest,
  row: (() => Promise<string | undefined>) | undefined,
): Promise<void> {
  const refuse = (field: string): never => {
    throw crudError('CRUD_PRECONDITION_FAILED', { field });
  };

  if (row && ifNoneMatch !== undefined) refuse('If-None-Match');
  if (ifMatch === undefined) return;

  const named = namedTags(ifMatch);
  if (row && named === '*') return;

  const stored = named.length > 0 ? await row?.() : undefined;
  if (stored === undefined || !(named as readonly string[]).some((tag) => tag.split('.', 1)[0] === stored))
    refuse('If-Match');
}
