/** What tests read of the `http` blocks of a document. */
export interface HttpExample {
  /** What stands behind `http`: the application that the request is sent to. */
  readonly application: string;
  /** Method and path. */
  readonly line: string;
  readonly status: number;
}
export function httpExamples(markdown: string): HttpExample[];
export function sendExample(origin: string, example: HttpExample): Promise<{ came: unknown; page: unknown }>;
