/** The types of `attack.js`, for suites. */
export type Answers = Readonly<
  Record<
    'invalid' | 'created' | 'list' | 'filtered' | 'sorted' | 'changed' | 'one',
    { readonly status: number; readonly body: unknown }
  >
>;

export const GUARDED: Answers;

export function attack(
  file: string,
  options?: { readonly node?: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Answers>;
