/** The id in a header: undefined where the header is missing or is not an integer above 0. */

const LARGEST_ID = 2 ** 31 - 1;

/** What is read of a request, whatever the platform. */
export interface WithHeaders {
  readonly headers: Record<string, string | string[] | undefined>;
}

export function idInHeader({ headers }: WithHeaders, name: string): number | undefined {
  const header = String(headers[name]);
  const id = /^\d{1,10}$/.test(header) ? Number(header) : 0;

  return id > 0 && id <= LARGEST_ID ? id : undefined;
}
