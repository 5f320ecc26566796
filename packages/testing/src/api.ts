/** A client of the application under test. */
import { equal } from 'node:assert/strict';

/** What routes answer. */
// Cases assert its shape.
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text read as JSON, where it is some. */
  readonly body: Json;
}

type Sent = Readonly<Record<string, string>>;
export class Api {
  /** Whether anything but GET was sent since it was last set. */
  hasWritten = false;
  constructor(
    private readonly origin: string,
    private readonly headers: Sent = {},
    private readonly whole?: Api,
  ) {}

  /** A client of what is below a path. */
  under(path: string, headers?: Sent): Api {
    return new Api(this.origin + path, headers, this);
  }

  readonly get = (path: string, headers?: Sent) => this.send('GET', path, undefined, headers);
  readonly post = (path: string, body: unknown, headers?: Sent) => this.send('POST', path, body, headers);
  readonly put = (path: string, body: unknown, headers?: Sent) => this.send('PUT', path, body, headers);
  readonly patch = (path: string, body: unknown, headers?: Sent) => this.send('PATCH', path, body, headers);
  readonly delete = (path: string, body?: unknown, headers?: Sent) => this.send('DELETE', path, body, headers);

  /** The records of a list, whatever its envelope. */
  async list(path: string, headers?: Sent): Promise<Json[]> {
    const { status, body, text } = await this.get(path, headers);
    equal(status, 200, `GET ${path}: ${text}`);
    return Array.isArray(body) ? body : body.data;
  }

  /** How many records a list has, of at most a hundred. */
  async size(path: string): Promise<number> {
    return (await this.list(`${path}${path.includes('?') ? '&' : '?'}limit=100`)).length;
  }

  /** What is read, which must be there. */
  async body(path: string): Promise<Json> {
    return expectAnswer(await this.get(path), 200).body;
  }

  private async send(method: string, path: string, body: unknown, headers: Sent = {}): Promise<Answer> {
    (this.whole ?? this).hasWritten ||= method !== 'GET';
    const response = await fetch(this.origin + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...this.headers, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Asserts the status and, of an error, its code and field. */
export function expectAnswer(answer: Answer, status: number, code?: string, field?: string): Answer {
  equal(answer.status, status, `${status} expected: ${answer.status} ${answer.text.slice(0, 300)}`);
  if (code !== undefined) equal(answer.body.code, code, answer.text);
  if (field !== undefined) equal(answer.body.field, field, answer.text);
  return answer;
}
