import { customJsonPrinter } from '../nest/response-observers.js';
import { clientOf, refuseGone } from '../response/request-state.js';
import { jsonList } from '../response/json-list.js';
import { isCursorPage, isEnvelope, makeRecordSerializer, serializeResponse } from '../serialization/index.js';
import { mapInSlices } from '../time-slices.js';
import type { Exchange } from './exchange.js';

/** Records from which a list is shaped and printed record by record. */
const LONG = 1000;

/** The records of a list, and the text around them. */
interface LongList {
  readonly records: readonly unknown[];
  readonly before: string;
  readonly after: string;
}

/**
 * Shapes what a verb or handler returned by the classes of its route. A long list is shaped in slices of time, so that
 * the event loop is not blocked, and also printed in slices, unless somebody needs to see it.
 */
export function shapeRecords({ route, request, adapter, response }: Exchange, value: unknown): unknown {
  const { definition, name, shape, observer } = route;
  const options = request?.parsed.classTransformOptions;
  const long = findLongList(value);
  if (!long || (shape.envelope && !Array.isArray(value) && !isCursorPage(value)))
    return serializeResponse(value, definition, name!, options);

  const serialize = makeRecordSerializer(shape.record, options);
  const client = request && clientOf(request);
  const proceed = (): void => refuseGone(client);
  const isSeen = observer !== undefined || customJsonPrinter(adapter!, response) !== undefined;

  return isSeen ? shapeLong(value, long, serialize, proceed) : printLong(long, serialize, proceed);
}

/** A long list, or a page of one as services make it. */
function findLongList(value: unknown): LongList | undefined {
  if (Array.isArray(value)) return isLong(value) ? { records: value, before: '[', after: ']' } : undefined;
  if (!isEnvelope(value) || !isLong(value.data) || 'toJSON' in value || Object.keys(value)[0] !== 'data')
    return undefined;

  const { data: records, ...rest } = value;
  const others = JSON.stringify(rest).slice(1);

  return { records, before: '{"data":[', after: others === '}' ? ']}' : `],${others}` };
}

type Shape = (record: unknown) => unknown;

async function shapeLong(value: unknown, list: LongList, shape: Shape, proceed: () => void): Promise<unknown> {
  const data = await mapInSlices(list.records, (record) => shape(record), proceed);

  return Array.isArray(value) ? data : { ...(value as object), data };
}

/** Prints a list in slices of time, as `JSON.stringify` prints it in one go. */
async function printLong({ records, before, after }: LongList, shape: Shape, proceed: () => void): Promise<unknown> {
  const texts = await mapInSlices(records, (record) => JSON.stringify(shape(record)) ?? 'null', proceed);

  return jsonList(texts, before, after);
}

function isLong(list: readonly unknown[]): boolean {
  return list.length >= LONG && !('toJSON' in list);
}
