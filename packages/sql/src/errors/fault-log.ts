import { Logger } from '@nestjs/common';
import { getOrInsert } from '@nestwright/crud/adapter';
import type { FaultKind } from './fault-types.js';

/** How long faults of one kind are counted before they are logged again, in milliseconds. */
const INTERVAL = 10_000;

/** An operational fault, as it is logged. */
interface LoggedFault {
  readonly kind: FaultKind;
  /** The database's or the driver's code. */
  readonly code: string | undefined;
  /** What the client reads. */
  readonly summary: string;
  /** What the database has said. */
  readonly message: string;
  /** `error` for an outage, `warn` for what a client's retry may solve. */
  readonly level: 'error' | 'warn';
}

interface Count {
  more: number;
  last: string;
}

const counts = new WeakMap<object, Map<string, Count>>();

/** Logs a fault, or counts it if one of its kind was logged in the last ten seconds. */
export function logFault(source: object, fault: LoggedFault): void {
  const ofSource = getOrInsert(counts, source, () => new Map<string, Count>());
  const key = `${fault.kind} ${fault.code}`;
  const count = ofSource.get(key);

  if (count) {
    count.more += 1;
    count.last = fault.message;

    return;
  }

  log(fault, fault.message);
  ofSource.set(key, { more: 0, last: fault.message });
  watch(ofSource, key, fault);
}

/** Logs after each interval how many have followed, until none has. */
function watch(ofSource: Map<string, Count>, key: string, fault: LoggedFault): void {
  setTimeout(() => {
    const { more, last } = ofSource.get(key)!;

    if (more === 0) {
      ofSource.delete(key);

      return;
    }

    log(fault, `${more} more in the last ${INTERVAL / 1000} s, the last: ${last}`);
    ofSource.set(key, { more: 0, last });
    watch(ofSource, key, fault);
  }, INTERVAL).unref();
}

function log({ level, summary, code }: LoggedFault, text: string): void {
  new Logger('CrudDatabase')[level](`${summary}${code === undefined ? '' : ` (${code})`}: ${text}`);
}
