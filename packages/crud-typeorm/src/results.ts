import type { CrudRequest, CrudService, GetManyCursorResponse, GetManyDefaultResponse } from '@nestwright/crud';
import {
  type AnsweredPage,
  CATALOG,
  catalogFor,
  crudError,
  type Cursor,
  cursorLinks,
  type CursorPlan,
  type CrudResult,
  invalidCursor,
  jsonList,
  JsonText,
  NeedsRecords,
  numberedLinks,
  planFrom,
  type ReadPlan,
  reportOutcome,
  type ResultText,
} from '@nestwright/crud/adapter';
import type { DataSource, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import type { Written } from './statements/write-context.js';
import {
  hasCursor,
  makeReadOptions,
  type Paging,
  planByCursor,
  planMany,
  planOne,
  readTarget,
  refusingFaults,
  runRead,
  withoutReturnedJoins,
} from './read-requests.js';
import { hasTag, noteRequestedTag } from './scope/row-tag.js';
import { count, holdsAny, readPage, readRows, type RowsResult, withRunner } from './sql/index.js';

type RefusingService = Pick<Paging, typeof CATALOG> & Pick<CrudService<unknown>, 'throwNotFoundException'>;
type ReadingService<T> = Paging & RefusingService & Pick<CrudService<T>, 'createPageInfo'>;

/** Reads the list that a request asks for, with a total if the answer is enveloped. */
export function readMany<T extends ObjectLiteral>(
  service: ReadingService<T>,
  repo: Repository<T>,
  request: CrudRequest,
): Promise<CrudResult<GetManyDefaultResponse<T> | T[]>> {
  // The verb's type is older than cursors.
  if (hasCursor(request))
    return readByCursor(service, repo, request) as Promise<CrudResult> as Promise<CrudResult<T[]>>;

  return runRead(repo, async () => {
    const { plan, most, isPage } = planMany(service, request);
    const options = makeReadOptions(request);

    if (!isPage) {
      const rows = await readRows<T>(plan, readTarget(repo), options, most);
      if (rows.cut) reportOutcome(request, { truncated: true });

      return {
        records: () => rows.records(),
        text: (model) => printResult(rows, repo, model, jsonList),
      };
    }

    const { rows, total } = await readPage<T>(plan, readTarget(repo), options);
    reportLinks(request, { limit: plan.limit, total });
    const envelope = (records: T[]) => service.createPageInfo(records, total, plan.limit ?? 0, plan.offset ?? 0);

    return {
      records: async () => envelope(await rows.records()),
      text: (model) =>
        printResult(rows, repo, model, (texts) => {
          // `createPageInfo` only uses the number of records.
          const { data: _, ...rest } = envelope(texts as unknown as T[]);

          return jsonList(texts, '{"data":[', `],${JSON.stringify(rest).slice(1)}`);
        }),
    };
  });
}

/** Notes the links to the other numbered pages of a list, if `query.links` is on. */
export function reportLinks(request: CrudRequest, { limit, total }: Omit<AnsweredPage, 'page'>): void {
  const { page = 1, offset } = request.parsed;
  if (!request.options?.query?.links || (offset !== undefined && request.parsed.page === undefined)) return;

  reportOutcome(request, { links: numberedLinks({ page, limit, total }) });
}

/** Reads the page that a cursor names, with a total if it is asked for. */
function readByCursor<T extends ObjectLiteral>(
  service: ReadingService<T>,
  repo: Repository<T>,
  request: CrudRequest,
): Promise<CrudResult<GetManyCursorResponse<T>>> {
  return runRead(repo, () =>
    // Values of conditions are checked before, so the database only refuses those of a forged cursor.
    refusingFaults(['outOfRange', 'invalidText'], invalidCursor, async () => {
      const page = planByCursor(service, request);
      const options = makeReadOptions(request);
      const target = readTarget(repo);
      const rows = await readRows<T>(page.plan, target, options, page.most);
      const isBackwards = page.cursor?.direction === 'previous';
      const isFollowed = isBackwards ? await holdsAny(planFollowing(page), target, options) : rows.cut;
      const total = request.parsed.total === 1 ? await count(page.plan, target, options) : undefined;
      const around = {
        count: rows.length,
        ...(total !== undefined && { total }),
        ...cursorsAround(page, rows, isFollowed),
      };
      if (request.options.query?.links) reportOutcome(request, { links: cursorLinks(around) });
      const inOrder = <R>(list: R[]): R[] => (isBackwards ? list.reverse() : list);

      return {
        records: async () => ({ data: inOrder(await rows.records()), ...around }),
        text: (model) =>
          printResult(rows, repo, model, (texts) =>
            jsonList(inOrder(texts), '{"data":[', `],${JSON.stringify(around).slice(1)}`),
          ),
      };
    }),
  );
}

/** The plan that checks whether anything follows a page that was read backwards. */
function planFollowing({ plan, cursor }: CursorPlan): ReadPlan {
  const { direction: _, including, values } = cursor!;
  const { slice: __, ...list } = withoutReturnedJoins(plan);
  const sort = plan.sort.map(({ column, order }) => ({ column, order: order === 'ASC' ? 'DESC' : 'ASC' }) as const);

  return { ...planFrom({ ...list, sort }, { direction: 'next', including: !including, values }), limit: 1 };
}

/** The cursors of a page: an empty one has its own position, in the other direction. */
function cursorsAround(
  { cursor, print }: CursorPlan,
  { edges, cut }: Pick<RowsResult<ObjectLiteral>, 'edges' | 'cut'>,
  isFollowed: boolean,
): Pick<GetManyCursorResponse<unknown>, 'next' | 'previous'> {
  const isBackwards = cursor?.direction === 'previous';
  const isPreceded = isBackwards ? cut : cursor !== undefined;
  const [first, last] = isBackwards ? [edges?.last, edges?.first] : [edges?.first, edges?.last];
  const makeCursor = (direction: Cursor['direction'], values: Cursor['values'] | undefined) =>
    values
      ? print({ direction, including: false, values })
      : cursor && print({ direction, including: !cursor.including, values: cursor.values });

  return {
    next: (isFollowed && makeCursor('next', last)) || null,
    previous: (isPreceded && makeCursor('previous', first)) || null,
  };
}

interface ReadOneOptions {
  /** Whether joined relations are left out. Default: `false`. */
  readonly shallow?: boolean;
  /** Whether a soft-deleted record is found. Default: as the request says. */
  readonly withDeleted?: boolean;
  /** Whether the tag of the record is noted for the answer, if the resource has tags. Default: `false`. */
  readonly tagged?: boolean;
}

/** Reads the one record that a request's condition describes. */
export async function readOne<T extends ObjectLiteral>(
  service: ReadingService<T>,
  repo: Repository<T>,
  request: CrudRequest,
  { shallow = false, withDeleted = false, tagged = false }: ReadOneOptions = {},
): Promise<CrudResult<T>> {
  const rows = await runRead(repo, () => {
    const plan = planOne(request, catalogFor(service, request), withDeleted);

    const options = makeReadOptions(request);
    const readPageRows = (target: QueryRunner | DataSource): Promise<RowsResult<T>> =>
      readRows<T>(shallow ? withoutReturnedJoins(plan) : plan, target, options);

    if (!tagged || !hasTag({ request })) return readPageRows(readTarget(repo));

    // On one connection, since replicas may differ.
    return withRunner(
      readTarget(repo),
      async (runner) => {
        await noteRequestedTag({ catalog: catalogFor(service, request), request }, runner, plan.withDeleted);

        return readPageRows(runner);
      },
      options.client,
    );
  });

  requireSole(service, rows);

  return {
    records: async () => (await rows.records())[0]!,
    text: (model) => printResult(rows, repo, model, ([text]) => new JsonText(text!)),
  };
}

/**
 * Notes the tag of the record that the service's read hooks will show. With replicas nothing is noted, since they may
 * differ: then the tag covers the body only.
 */
export async function noteTagForReadHooks<T extends ObjectLiteral>(
  service: ReadingService<T>,
  repo: Repository<T>,
  request: CrudRequest,
): Promise<void> {
  if (!hasTag({ request }) || (!repo.manager.queryRunner && repo.manager.connection.driver.isReplicated)) return;

  const { withDeleted } = planOne(request, catalogFor(service, request), false);
  await runRead(repo, () =>
    withRunner(readTarget(repo), (runner) =>
      noteRequestedTag({ catalog: catalogFor(service, request), request }, runner, withDeleted),
    ),
  );
}

function printResult<T extends ObjectLiteral>(
  rows: RowsResult<T>,
  repo: Repository<T>,
  model: unknown,
  print: (texts: string[]) => ResultText,
): ResultText | Promise<ResultText> {
  const texts = findClassObstacle(model, repo) ?? rows.texts();
  if (texts instanceof NeedsRecords) return texts;

  return texts instanceof Promise ? texts.then(print) : print(texts);
}

/** Records are instances of the entity's class; for another class, class-transformer must convert them. */
function findClassObstacle<T extends ObjectLiteral>(
  model: unknown,
  { metadata }: Repository<T>,
): NeedsRecords | undefined {
  return model === metadata.target ? undefined : new NeedsRecords('a response class that is not the entity');
}

type Stored = Pick<Written, 'record' | 'json'>;

export function writtenOne<T extends ObjectLiteral>(stored: Stored, repo: Repository<T>): CrudResult {
  return {
    records: () => stored.record,
    text: (model) => {
      const text = findClassObstacle(model, repo) ?? readStoredJson(stored);

      return text instanceof NeedsRecords ? text : new JsonText(text);
    },
  };
}

export function writtenMany<T extends ObjectLiteral>(stored: readonly Stored[], repo: Repository<T>): CrudResult {
  return {
    records: () => stored.map(({ record }) => record),
    text: (model) => {
      const reason = findClassObstacle(model, repo);
      if (reason) return reason;

      const texts: string[] = [];

      for (const one of stored) {
        const text = readStoredJson(one);
        if (text instanceof NeedsRecords) return text;
        texts.push(text);
      }

      return jsonList(texts);
    },
  };
}

function readStoredJson({ json }: Stored): string | NeedsRecords {
  return json ?? new NeedsRecords('a write that could not be one statement');
}

/** Refuses none as unknown (404), several as a conflict (409). */
export function requireSole(service: RefusingService, found: { readonly length: number }): void {
  if (found.length > 1)
    throw crudError('CRUD_CONFLICT', { message: `Several records of ${service[CATALOG].model} match` });

  if (found.length === 0) refuseUnknown(service);
}

/** Refuses a request whose record does not exist (404). */
export function refuseUnknown(service: RefusingService): never {
  throw service.throwNotFoundException(service[CATALOG].model);
}
