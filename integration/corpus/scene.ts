/** Scenes of the corpus: requests that are played in order against freshly seeded records. */
import { uuid } from '@nestwright/example';

export type AppName = 'example' | 'workspace';

/** A request. It may name what an earlier one was answered: `{next}`, `{previous}`, `{tag}`, `{id}`. */
export interface Step {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it stands. */
  readonly body?: unknown;
}

export interface Scene {
  readonly name: string;
  readonly app: AppName;
  readonly steps: readonly Step[];
}

type Headers = Readonly<Record<string, string>>;

/** The ways to write a step down, all with the same headers. */
export function speakAs(headers: Headers = {}) {
  const withBody =
    (method: Step['method']) =>
    (path: string, body?: unknown, more: Headers = {}): Step => ({
      method,
      path,
      headers: { ...headers, ...more },
      ...(body !== undefined && { body }),
    });
  const without =
    (method: Step['method']) =>
    (path: string, more: Headers = {}): Step => ({ method, path, headers: { ...headers, ...more } });

  return {
    get: without('GET'),
    head: without('HEAD'),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    remove: withBody('DELETE'),
    /** A GET of each of these queries. */
    queries: (path: string, ...queries: readonly string[]): Step[] =>
      queries.map((query) => without('GET')(`${path}?${query}`)),
  };
}

/** Encodes what a URL may not hold, and leaves the rest readable. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:7C|2C|24|3A)/g, decodeURIComponent);

/** `filter=field||operator||value` */
export const filter = (field: string, operator: string, value?: string): string =>
  `filter=${[field, operator, ...(value === undefined ? [] : [encode(value)])].join('||')}`;

/** `s=…` */
export const search = (condition: unknown): string => `s=${encode(JSON.stringify(condition))}`;

/** The key of the nth device, from 1. */
export const deviceId = (nth: number): string => uuid(`device ${nth}`);

/** What clients send by mistake or on purpose in the place of a value. */
export const ODD_VALUES: readonly unknown[] = [
  null,
  '',
  ' ',
  'abc',
  '12',
  0,
  -1,
  1.5,
  2147483648,
  true,
  [],
  [1],
  {},
  { id: 1 },
  'x'.repeat(300),
  'nul\u0000',
  '2024-02-29',
  '2026-02-31',
];
