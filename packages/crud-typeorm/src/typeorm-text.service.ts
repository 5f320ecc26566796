/** A planned request in, its records as JSON text out: the reading verbs once more, for answers that nothing of the application has a part in; leaves it (answers `undefined`) to the verbs themselves wherever something has. */
import {
  CATALOG,
  type CrudRequest,
  jsonList,
  type JsonList,
  JsonText,
  type ReadPlan,
  type ReadingVerb,
  type ReportReason,
  reportOutcome,
  type TextVerb,
  WRITE_JSON,
} from '@nestwright/crud';
import type { ObjectLiteral } from 'typeorm';
import { guarded, planMany, planOne, readOptionsOf, readTarget } from './read-requests.js';
import { NeedsRecords, textReader, type TextReader } from './sql/index.js';
import { soleRecord, TypeOrmReadService } from './typeorm-read.service.js';

/** Methods that see or replace the records of a verb once a service overrides them. */
const SEEING = {
  getMany: ['getMany', 'createBuilder', 'doGetMany', 'createPageInfo'],
  getOne: ['getOne', 'getOneOrFail', 'createBuilder'],
} as const satisfies Record<ReadingVerb, readonly string[]>;

/** The reading half of a service, with answers as text. */
export abstract class TypeOrmTextService<T extends ObjectLiteral> extends TypeOrmReadService<T> {
  /** The verbs' answers as text, where nothing of the application has a part in them: see `JsonTextService`. */
  [WRITE_JSON](
    verb: TextVerb,
    request: CrudRequest,
    model: unknown,
    report: ReportReason,
    _body?: unknown,
  ): Promise<unknown> | undefined {
    if (verb !== 'getMany' && verb !== 'getOne') return undefined;

    const reason = reasonAgainstText(this, SEEING[verb], TypeOrmReadService.prototype, model);

    if (reason !== undefined) {
      report(reason);

      return undefined;
    }

    return verb === 'getMany' ? writeMany(this, request, report) : writeOne(this, request, report);
  }
}

/** Why records of a model must be made: the service's own version of a method that sees them, or another class that shapes them. */
export function reasonAgainstText<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  seeing: readonly string[],
  library: object,
  model: unknown,
): string | undefined {
  const methodOf = (holder: object, name: string) => (holder as Record<string, unknown>)[name];
  const own = seeing.find((name) => methodOf(service, name) !== methodOf(library, name));
  if (own !== undefined) return `the service's own ${own}`;

  return model === service['repo'].metadata.target ? undefined : 'a response class that is not the entity';
}

function writeMany<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  request: CrudRequest,
  report: ReportReason,
): Promise<JsonText | JsonList> | undefined {
  const reader = readerOf(service, () => planMany(service, request), request, report);
  if (!reader) return undefined;

  return guarded(service['repo'], async () => {
    const { plan, most, isPage, read: from } = reader;

    if (isPage) {
      const { records, total } = await from.page();
      const { texts } = records;
      // The page's arithmetic looks at the number of records alone.
      const { data: _, ...rest } = service.createPageInfo(
        texts as unknown as T[],
        total,
        plan.limit ?? 0,
        plan.offset ?? 0,
      );

      return jsonList(texts, '{"data":[', `],${JSON.stringify(rest).slice(1)}`);
    }

    const { texts, cut } = await from.records(most);
    if (cut) reportOutcome(request, { truncated: true });

    return jsonList(texts);
  });
}

function writeOne<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  request: CrudRequest,
  report: ReportReason,
): Promise<JsonText> | undefined {
  const reader = readerOf(service, () => ({ plan: planOne(request, service[CATALOG], false) }), request, report);
  if (!reader) return undefined;

  return guarded(service['repo'], () => reader.read.records()).then(
    ({ texts }) => new JsonText(soleRecord(service, texts)),
  );
}

/** Makes a plan and what reads it as text; a plan that is refused is refused by the plain path, in the same words. */
function readerOf<T extends ObjectLiteral, P extends { readonly plan: ReadPlan }>(
  service: TypeOrmReadService<T>,
  makePlan: () => P,
  request: CrudRequest,
  report: ReportReason,
): (P & { readonly read: TextReader }) | undefined {
  let planned: P;

  try {
    planned = makePlan();
  } catch {
    return undefined;
  }

  const reader = textReader(planned.plan, readTarget(service['repo']), readOptionsOf(request));

  if (reader instanceof NeedsRecords) {
    report(reader.reason);

    return undefined;
  }

  return { ...planned, read: reader };
}
