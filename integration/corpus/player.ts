/** Plays a scene and writes down its answers, with what differs from run to run replaced by names. */
import type { Scene, Step } from './scene.js';

/** A request and its answer, as they are stored. */
export interface Exchange {
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: Answer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Headers that the library or its routes decide. */
const HEADERS = ['etag', 'link', 'location', 'x-crud-truncated', 'vary', 'content-disposition', 'retry-after'];

const JSON_TYPE = /^application\/json\b/;
const ENTITY_TAG = /"[\w-]{6,}\.[\w-]{6,}"/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z/g;

/** @param seeded uuids that are the same in each run */
export async function play(scene: Scene, origin: string, seeded: ReadonlySet<string>): Promise<Exchange[]> {
  const names = new Names(origin, seeded);
  const exchanges: Exchange[] = [];
  let last: Record<string, string> = {};

  for (const step of scene.steps) {
    const sent = fillIn(step, last);
    const response = await send(origin, sent);
    const text = await response.text();

    last = { ...last, ...readNamed(response, text) };
    exchanges.push(names.replace({ ...writeRequest(step), answer: writeAnswer(response, text, names) }));
  }

  return exchanges;
}

function send(origin: string, { method, path, headers, body }: Step): Promise<Response> {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);

  return fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(text !== undefined && { body: text }),
  });
}

const fillIn = (step: Step, last: Record<string, string>): Step =>
  JSON.parse(
    JSON.stringify(step).replace(/\{(next|previous|tag|id)\}/g, (_, name: string) =>
      JSON.stringify(last[name] ?? `no ${name}`).slice(1, -1),
    ),
  ) as Step;

function readNamed(response: Response, text: string): Record<string, string> {
  const tag = response.headers.get('etag');
  const { next, previous, id } = (readJson(text) ?? {}) as Record<string, unknown>;

  return {
    ...(tag !== null && { tag }),
    ...(typeof next === 'string' && { next }),
    ...(typeof previous === 'string' && { previous }),
    ...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }),
  };
}

const writeRequest = ({ method, path, headers = {}, body }: Step) => ({
  request: `${method} ${path}`,
  ...(Object.keys(headers).length > 0 && { headers }),
  ...(body !== undefined && { body }),
});

function writeAnswer({ status, headers }: Response, text: string, names: Names): Answer {
  const type = headers.get('content-type');
  // Express makes weak tags of its own, of whole answers.
  const shown = HEADERS.filter(
    (name) => headers.has(name) && !(name === 'etag' && headers.get(name)!.startsWith('W/')),
  );
  const kept = Object.fromEntries(shown.map((name) => [name, headers.get(name)!]));
  const body = readJson(text);

  names.learn(body);
  if (type !== null && !JSON_TYPE.test(type)) kept['content-type'] = type;

  return {
    status,
    ...(Object.keys(kept).length > 0 && { headers: kept }),
    ...(text !== '' && { body: body === undefined ? text : body }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names for what no two runs have in common. The same value has the same name throughout a scene. */
class Names {
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  private readonly start = Date.now() - 5_000;

  constructor(
    private readonly origin: string,
    private readonly seeded: ReadonlySet<string>,
  ) {}

  /** Takes note of cursors, which nothing but their place tells. */
  learn(body: unknown): void {
    const { next, previous } = (body ?? {}) as Record<string, unknown>;

    for (const cursor of [previous, next]) if (typeof cursor === 'string') this.name('cursor', cursor);
  }

  replace(exchange: Exchange): Exchange {
    let text = JSON.stringify(exchange).replaceAll(this.origin, '');

    for (const [value, name] of this.names) text = text.replaceAll(JSON.stringify(value).slice(1, -1), name);

    return JSON.parse(text, (key, value: unknown) =>
      typeof value === 'string' ? this.rename(key, value) : value,
    ) as Exchange;
  }

  private rename(key: string, text: string): string {
    if (key === 'link') text = text.replace(/(?<=cursor=)[\w.~%-]+/g, '<cursor>');

    return text
      .replace(ENTITY_TAG, (tag) => `"${this.name('tag', tag)}"`)
      .replace(UUID, (uuid) => (this.seeded.has(uuid) ? uuid : this.name('uuid', uuid)))
      .replace(MOMENT, (moment) => (Date.parse(moment) >= this.start ? '<now>' : moment));
  }

  private name(kind: string, value: string): string {
    const known = this.names.get(value);
    if (known !== undefined) return known;

    const count = (this.counts.get(kind) ?? 0) + 1;
    const name = `<${kind} ${count}>`;

    this.counts.set(kind, count);
    // Tags and uuids are found by their form each time; cursors only by their text.
    this.names.set(value, name);

    return name;
  }
}
