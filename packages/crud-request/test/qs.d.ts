/** The part of qs that the tests use; it comes with Express, its types do not. */
declare module 'qs' {
  export function parse(query: string): Record<string, unknown>;
  export function stringify(entries: object, options: { encode: boolean }): string;
}
