/** What the tests read of the matrix's tables. */
export const TREES: Record<string, { readonly nest: string; readonly typeorm: string }>;
export const CELLS: Record<string, { readonly tree: string; readonly suites: readonly string[] }>;
export const DIFFERENCES: readonly { readonly cells: RegExp; readonly tests: RegExp; readonly reason: string }[];
