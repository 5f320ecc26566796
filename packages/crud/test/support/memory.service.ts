/** Records in an array behind the eight verbs: a real service, for what needs no database. */
import { type CreateManyDto, type CrudRequest, CrudService, type GetManyDefaultResponse } from '@nestwright/crud';
import { CATALOG, type Catalog, reportOutcome } from '@nestwright/crud/adapter';
import { type ConditionNode, parseSearch } from '@nestwright/crud-request';

export type Stored = { id?: unknown };

type Row = Record<string, unknown>;

/** Keeps copies; the key is `id`, counted, unless the class of records says otherwise. */
export class MemoryService<T extends object = Row> extends CrudService<T> {
  /** What the verbs were called with, newest last. */
  readonly calls: { verb: string; request: CrudRequest; dto?: unknown }[] = [];
  private next = 1;
  readonly rows: Row[] = [];
  constructor(
    rows: readonly Row[] = [],
    private readonly describe?: Catalog,
    private readonly make: (row: Row) => T = (row) => ({ ...row }) as T,
  ) {
    super();
    rows.forEach((row) => this.store(row));
  }

  override get [CATALOG](): Catalog | undefined {
    return this.describe;
  }

  getMany(request: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]> {
    this.calls.push({ verb: 'getMany', request });
    const { parsed, options } = request;
    const [found, take] = [this.find(request), this.getTake(parsed, options.query ?? {})];
    const skip = this.getSkip(parsed, take) ?? 0;
    const page = found.slice(skip, take === null ? undefined : skip + take).map(this.make);
    if (this.decidePagination(parsed, options))
      return Promise.resolve(this.createPageInfo(page, found.length, take ?? 0, skip));
    if (page.length < found.length - skip) reportOutcome(request, { truncated: true });
    return Promise.resolve(page);
  }

  async getOne(request: CrudRequest): Promise<T> {
    return this.make(this.note('getOne', request));
  }

  async createOne(request: CrudRequest, dto: object): Promise<T> {
    this.calls.push({ verb: 'createOne', request, dto });
    return this.make(this.store({ ...dto }));
  }

  async createMany(request: CrudRequest, dto: CreateManyDto): Promise<T[]> {
    this.calls.push({ verb: 'createMany', request, dto });
    return dto.bulk.map((record) => this.make(this.store({ ...(record as Row) })));
  }

  async updateOne(request: CrudRequest, dto: object): Promise<T> {
    return this.make(Object.assign(this.note('updateOne', request, dto), dto));
  }

  async replaceOne(request: CrudRequest, dto: object): Promise<T> {
    this.calls.push({ verb: 'replaceOne', request, dto });
    const [found] = this.find(request);
    if (found) return this.make(Object.assign(found, dto));
    reportOutcome(request, { created: true });
    return this.make(this.store({ ...dto }));
  }

  async deleteOne(request: CrudRequest): Promise<T | void> {
    const found = this.note('deleteOne', request);
    this.rows.splice(this.rows.indexOf(found), 1);
    return request.options.routes?.deleteOneBase?.returnDeleted ? this.make(found) : undefined;
  }

  async recoverOne(request: CrudRequest): Promise<T | void> {
    return this.make(this.note('recoverOne', request));
  }

  get last(): { verb: string; request: CrudRequest; dto?: unknown } {
    const call = this.calls.at(-1);
    if (!call) throw new Error('No verb was called');
    return call;
  }

  /** Notes a call, and finds the record that it is about. */
  private note(verb: string, request: CrudRequest, dto?: object): Row {
    this.calls.push({ verb, request, ...(dto !== undefined && { dto }) });
    const [found] = this.find(request);
    if (!found) throw this.throwNotFoundException('Note');
    return found;
  }

  private store(row: Row): Row {
    const stored = { ...row, id: row['id'] ?? this.next };
    this.next = Math.max(this.next, Number(stored.id) || 0) + 1;
    this.rows.push(stored);
    return stored;
  }

  private find({ parsed }: CrudRequest): Row[] {
    const node = parseSearch(parsed.search ?? {}, { source: 'trusted' });
    return this.rows.filter((row) => holds(node, row));
  }
}

/** A service of some records, each application's own. */
export const memoryOf = <T extends object = Row>(...of: ConstructorParameters<typeof MemoryService<T>>) =>
  class extends MemoryService<T> {
    constructor() {
      super(...of);
    }
  };

const COMPARISONS: Record<string, (value: unknown, expected: unknown) => boolean> = {
  eq: (value, expected) => String(value) === String(expected),
  gt: (value, expected) => Number(value) > Number(expected),
  in: (value, expected) => (expected as unknown[]).map(String).includes(String(value)),
  cont: (value, expected) => String(value).includes(String(expected)),
};

function holds(node: ConditionNode, row: Row): boolean {
  switch (node.kind) {
    case 'always':
    case 'unknown':
      return node.kind === 'always';
    case 'and':
      return node.items.every((item) => holds(item, row));
    case 'or':
      return node.items.some((item) => holds(item, row));
    case 'not':
      return !holds(node.item, row);
    case 'custom':
      throw new Error(`No operator ${node.operator}`);
    default:
      return COMPARISONS[node.operator.name]!(row[node.field], node.value);
  }
}
