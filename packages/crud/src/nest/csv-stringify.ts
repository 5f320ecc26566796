import type { stringify } from 'csv-stringify/sync';

/** csv-stringify, an optional peer; undefined if it cannot be loaded. Bundlers let it be absent, since that is caught. */
export async function loadCsvStringify(): Promise<typeof stringify | undefined> {
  try {
    return (await import('csv-stringify/sync')).stringify;
  } catch {
    return undefined;
  }
}
