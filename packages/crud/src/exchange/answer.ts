/** What a request is answered with. */
export interface Answer {
  /** Default: the platform's, which is the route's or the application's own. */
  readonly status?: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** A value that the platform prints, a `JsonText`, a `JsonList` or a stream; undefined: none. */
  readonly body: unknown;
}
