/** Exports of lists that a handler or a service of the application's own has read. */
import type { CrudRequest } from '../crud-request.js';
import { crudError } from '../errors.js';
import { ListExport } from '../response/result.js';
import { isEnvelope } from '../serialization/serialize.js';

/** Records of a part. */
const PART = 500;

/** The export of a list or a page; undefined for what is neither. */
export function exportRecords(result: unknown, request: CrudRequest): ListExport | undefined {
  const records: readonly unknown[] | undefined = Array.isArray(result)
    ? result
    : isEnvelope(result)
      ? result.data
      : undefined;
  if (!records) return undefined;

  refuseLong(records.length, request);

  return new ListExport(async ({ take }) => {
    for (let start = 0; start === 0 || start < records.length; start += PART) {
      const part = records.slice(start, start + PART);
      await take({ records: () => part });
    }
  });
}

/**
 * For adapters: refuses a list that is longer than `maxRows`.
 *
 * @throws HttpException 400 `CRUD_LIMIT_EXCEEDED`.
 */
export function refuseLong(length: number, request: CrudRequest): void {
  const { maxRows = Infinity } = request.options?.query?.export ?? {};
  if (length <= maxRows) return;

  throw crudError('CRUD_LIMIT_EXCEEDED', {
    message: `The list is too long to be exported. At most ${maxRows} records expected`,
  });
}
