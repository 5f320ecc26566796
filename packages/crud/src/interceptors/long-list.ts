import { isEnvelope, type Serializer } from '../serialization/index.js';
import type { JsonText } from '../response/json-text.js';
import { type JsonList, jsonList } from '../response/json-list.js';
import { mapInSlices } from '../time-slices.js';

/** Records from which a list is printed record by record. */
const LONG = 1000;

/** The records of a list, and the text around them. */
export interface LongList {
  readonly records: readonly unknown[];
  readonly before: string;
  readonly after: string;
}

/** What a handler returned, if it is a long list or a page of one as services make it. */
export function longListOf(value: unknown): LongList | undefined {
  if (Array.isArray(value)) return isLong(value) ? { records: value, before: '[', after: ']' } : undefined;
  if (!isEnvelope(value) || !isLong(value.data) || 'toJSON' in value || Object.keys(value)[0] !== 'data')
    return undefined;

  const { data: records, ...rest } = value;
  const others = JSON.stringify(rest).slice(1);

  return { records, before: '{"data":[', after: others === '}' ? ']}' : `],${others}` };
}

/** Prints a list in slices of time, as `JSON.stringify` prints it in one go. */
export async function printed(
  { records, before, after }: LongList,
  shape: Serializer,
  proceed: () => void,
): Promise<JsonText | JsonList> {
  const texts = await mapInSlices(records, (record) => JSON.stringify(shape(record)) ?? 'null', proceed);

  return jsonList(texts, before, after);
}

/** Shapes the records of a list in slices of time. */
export async function shaped(
  value: unknown,
  { records }: LongList,
  shape: Serializer,
  proceed: () => void,
): Promise<unknown> {
  const data = await mapInSlices(records, (record) => shape(record), proceed);

  return Array.isArray(value) ? data : { ...(value as object), data };
}

function isLong(list: readonly unknown[]): boolean {
  return list.length >= LONG && !('toJSON' in list);
}
