/** Exports as CSV in an application that lacks what writes them: the start is refused. */
import 'reflect-metadata';
import { expect, jest, test } from '@jest/globals';

jest.unstable_mockModule('../../src/export/csv.js', () => ({ loadCsvStringify: async () => undefined }));

const { loadsWhatExportsNeed } = await import('../../src/startup/peer-checks.js');
const { bareDefinition } = await import('../../src/definition/resource-definition.js');

test('CSV is refused without the library that writes it', async () => {
  const mistakes = async (formats: readonly string[]) =>
    loadsWhatExportsNeed({
      definition: { ...bareDefinition(), options: { query: { export: { formats } } } },
    } as never);

  await expect(mistakes(['ndjson', 'csv'])).resolves.toEqual([
    'query.export.formats has csv, but csv-stringify, which writes it, could not be loaded: install it where @nestwright/crud is installed, or bundle both (docs/bundling.md)',
  ]);
  await expect(mistakes(['ndjson'])).resolves.toEqual([]);
});
