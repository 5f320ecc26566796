/** What the tests read of the tripwires. */
export const TRIPWIRES: readonly { readonly asks: string; readonly file: string; readonly function: string }[];
export const TAKEN: string;
