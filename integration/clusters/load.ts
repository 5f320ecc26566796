/** A few clients that write and read all the time, and what they were told. */
import { setTimeout as sleep } from 'node:timers/promises';

const WRITERS = 4;
const READERS = 2;
/** Pause of a client after a refusal, in milliseconds. */
const PAUSE = 200;

/** What the last write of a record may have left: one name if it was acknowledged, two if its outcome is unknown. */
export type Expected = Map<number, readonly string[]>;

export class Load {
  readonly expected: Expected = new Map();
  /** How many answers of each kind came: `201`, `503 CRUD_UNAVAILABLE`. */
  readonly answers = new Map<string, number>();
  /** Answers that are none of 2xx, 409 and 503 with `Retry-After`. */
  readonly wrong: string[] = [];
  /** Longest time without an acknowledged write, in milliseconds. */
  longestGap = 0;
  private isRunning = true;
  private lastWrite = Date.now();
  private readonly clients: Promise<void>[];

  constructor(private readonly url: string) {
    this.clients = [
      ...Array.from({ length: WRITERS }, (_, index) => this.repeat((turn) => this.write(`w${index} ${turn}`))),
      ...Array.from({ length: READERS }, () => this.repeat(() => this.send('GET', '/items?limit=1&sort=id,DESC'))),
    ];
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.clients);
  }

  /** Waits until a write is acknowledged again. */
  async untilWritten(limit = 90_000): Promise<void> {
    const since = Date.now();
    while (this.lastWrite <= since) {
      if (Date.now() - since > limit) throw new Error(`No write was acknowledged for ${limit} ms`);
      await sleep(50);
    }
  }

  private async repeat(work: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; this.isRunning; turn += 1) {
      await work(turn);
      await sleep(20);
    }
  }

  private async write(name: string): Promise<void> {
    const created = await this.send('POST', '/items', { name });
    if (!created) return;
    this.expected.set(created.id, [name]);
    const changed = `${name} changed`;
    this.expected.set(created.id, [name, changed]);
    if (await this.send('PATCH', `/items/${created.id}`, { name: changed })) this.expected.set(created.id, [changed]);
  }

  /** The body of an acknowledged request. */
  private async send(method: string, path: string, body?: object): Promise<{ readonly id: number } | undefined> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { status } = answer;
    const told = (await answer.json()) as { readonly id: number; readonly code?: string };
    const kind = `${method} ${status}${told.code ? ` ${told.code}` : ''}`;
    this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
    const isRetryLater = status === 503 && answer.headers.has('retry-after');
    if (!answer.ok && status !== 409 && !isRetryLater) this.wrong.push(`${kind}: ${JSON.stringify(told)}`);
    if (!answer.ok) {
      await sleep(PAUSE);
    } else if (method !== 'GET') {
      this.longestGap = Math.max(this.longestGap, Date.now() - this.lastWrite);
      this.lastWrite = Date.now();
    }

    return answer.ok ? told : undefined;
  }
}

/** Acknowledged writes that are not among the rows. */
export function lostWrites(
  expected: Expected,
  rows: readonly { readonly id: number; readonly name: string }[],
): string[] {
  const stored = new Map(rows.map(({ id, name }) => [Number(id), name]));

  return [...expected].filter(([id, names]) => !names.includes(stored.get(id)!)).map(([id, names]) => `${id} ${names}`);
}

/** Prints what was seen. */
export function report(title: string, load: Load): void {
  const answers = [...load.answers].sort().map(([kind, count]) => `  ${kind}: ${count}`);
  const lines = [
    title,
    ...answers,
    `  records written: ${load.expected.size}, longest time without a write: ${load.longestGap} ms, wrong answers: ${load.wrong.length}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
