/** Sends the same requests to an application before and after its move, and prints how the answers differ. */
import { findDifferences, omitProperties } from './differences.js';
import type { Step, Steps } from './steps.js';

export interface Comparison {
  readonly text: string;
  readonly isSame: boolean;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One of the two applications. */
class Application {
  readonly #url: string;
  readonly #saved = new Map<string, unknown>();

  /** @param url Where it answers; a path of it comes before the paths of all steps. */
  constructor(url: string) {
    if (!URL.canParse(url) || !/^https?:\/\//.test(url))
      throw new Error(`${url} must be an address such as http://localhost:3000`);
    this.#url = url.replace(/\/$/, '');
  }

  async ask({ method, path, headers, body, save }: Step, ignored: ReadonlySet<string>): Promise<Answer> {
    const response = await fetch(this.#url + this.#fill(path, encodeURIComponent), {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? null : this.#fill(JSON.stringify(body), escapeText),
      // A redirect may lead to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
    }).catch((error: Error) => {
      const { cause } = error as { cause?: { code?: string } };
      throw new Error(`${method} ${this.#url}${path} has no answer: ${cause?.code ?? error.message}`);
    });
    const answer = readBody(await response.text());
    for (const [name, place] of Object.entries(save)) this.#saved.set(name, readValue(answer, place));

    return { status: response.status, body: this.#nameSaved(omitProperties(answer, ignored)) };
  }

  /** Puts saved values in the place of their names. */
  #fill(text: string, escape: (value: string) => string): string {
    return text.replace(/\{(\w+)\}/g, (all, name: string) =>
      this.#saved.has(name) ? escape(String(this.#saved.get(name))) : all,
    );
  }

  /** Puts names in the place of saved texts, since a generated key is another one in each application. */
  #nameSaved(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#nameSaved(item));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#nameSaved(each)]));
    const [name] = typeof value === 'string' ? ([...this.#saved].find(([, saved]) => saved === value) ?? []) : [];

    return name === undefined ? value : `{${name}}`;
  }
}

/** Steps are sent one after the other, each to both applications. */
export async function compare(urls: readonly [string, string], { steps, ignore }: Steps): Promise<Comparison> {
  const [old, current] = urls.map((url) => new Application(url)) as [Application, Application];
  const ignored = new Set(ignore);
  const lines: string[] = [];
  let count = 0;
  for (const step of steps) {
    const [before, after] = await Promise.all([old.ask(step, ignored), current.ask(step, ignored)]);
    const differences = compareAnswers(before, after);
    if (differences.length === 0) continue;
    count += 1;
    lines.push(`${step.method} ${step.path}`, ...shorten(differences).map((line) => `  ${line}`), '');
  }
  const all = `${steps.length} ${steps.length === 1 ? 'request' : 'requests'}`;
  lines.push(
    count === 0 ? `No differences in the answers to ${all}.` : `Differences in the answers to ${count} of ${all}.`,
  );

  return { text: `${lines.join('\n')}\n`, isSame: count === 0 };
}

/** Errors are compared by their status alone, since their messages are worded anew. */
function compareAnswers(before: Answer, after: Answer): string[] {
  if (before.status !== after.status) return [`status: ${before.status} → ${after.status}`];

  return before.status < 400 ? findDifferences(before.body, after.body) : [];
}

const MOST = 10;

function shorten(lines: readonly string[]): string[] {
  return lines.length > MOST ? [...lines.slice(0, MOST), `… and ${lines.length - MOST} more`] : [...lines];
}

function readBody(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** `data.0.id`. */
function readValue(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
      value,
    );
}

/** Inside a text of JSON. */
function escapeText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
