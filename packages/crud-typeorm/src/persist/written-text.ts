/** What a write has stored in, its answer as JSON text out; where a record does not tell its text, the records themselves, with the reason told. */
import { jsonList, type JsonList, JsonText, type ReportReason } from '@nestwright/crud';
import type { ObjectLiteral } from 'typeorm';
import type { Written } from './write-context.js';

type Stored = Pick<Written, 'record' | 'json'>;

/** The answer of a write of one record. */
export function textOrRecord(written: Stored, report: ReportReason): JsonText | ObjectLiteral {
  const text = textOf(written, report);

  return text === undefined ? written.record : new JsonText(text);
}

/** The answer of a write of several. */
export function textOrRecords(written: readonly Stored[], report: ReportReason): JsonText | JsonList | ObjectLiteral[] {
  const texts: string[] = [];

  for (const one of written) {
    const text = textOf(one, report);

    if (text === undefined) {
      return written.map(({ record }) => record);
    }

    texts.push(text);
  }

  return jsonList(texts);
}

function textOf({ json }: Stored, report: ReportReason): string | undefined {
  if (typeof json === 'string') {
    return json;
  }

  report(json?.reason ?? 'a write that could not be one statement');

  return undefined;
}
