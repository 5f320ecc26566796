/** Tables in memory: what an application says of them, and what follows from it. */
import {
  type Catalog,
  type CatalogColumn,
  type CatalogReference,
  type CatalogRelation,
  type ColumnKind,
  describeColumn,
  type RelationKind,
} from '@nestwright/crud/adapter';
import type { Row } from './values.js';

/** A column. Default: clients fill it, and must. */
export interface ColumnDefinition extends Partial<
  Pick<
    CatalogColumn,
    'nullable' | 'length' | 'range' | 'members' | 'precision' | 'scale' | 'elementKind' | 'selectable'
  >
> {
  /** What it stores. */
  readonly kind: ColumnKind;
  /** Whether it is part of the key. */
  readonly primary?: boolean;
  /** Whether the database counts it: 1, 2, 3 … */
  readonly counter?: boolean;
  /** The value that a new record gets without one, or what makes it. Default: null, if it may be. */
  readonly default?: unknown;
  /** Who fills it. Default: clients. */
  readonly source?: 'createDate' | 'updateDate' | 'deleteDate' | 'version';
  /** Whether no two records may have the same value. */
  readonly unique?: boolean;
  /** The table whose key it holds. */
  readonly references?: string;
  /** What becomes of the record if the one that it refers to is deleted. Default: that cannot be deleted. */
  readonly onDelete?: 'restrict' | 'cascade' | 'set null';
  /** Which values it takes. */
  readonly check?: (value: never) => boolean;
}

/**
 * A relation: to the one record that a column of the table refers to (`by`), to the one or many whose column refers to
 * this table (`of`), or to the many that a third table links to it (`through`).
 */
export type RelationDefinition = (
  | { readonly one: string; readonly by: string }
  | { readonly one: string; readonly of: string }
  | { readonly many: string; readonly of: string }
  | { readonly many: string; readonly through: string }
) & {
  /** What nested bodies may do besides linking. Default: nothing. */
  readonly cascade?: readonly ('insert' | 'update')[];
};

/** A table. */
export interface TableDefinition {
  /** The class of its records, as in `model.type`. */
  readonly model: abstract new () => object;
  /** By property path: `email`, `name.first`. */
  readonly columns: Readonly<Record<string, ColumnDefinition>>;
  /** Columns of which no two records may have the same values together. Default: none. */
  readonly unique?: readonly (readonly string[])[];
  /** By property. Default: none. */
  readonly relations?: Readonly<Record<string, RelationDefinition>>;
}

/** Finds rows of a table. */
export interface Rows {
  of(table: MemoryTable): Iterable<Row>;
}

/** A table, and what its definition means. */
export class MemoryTable {
  readonly columns: ReadonlyMap<string, ColumnDefinition>;
  readonly primary: readonly string[];
  readonly uniques: readonly (readonly string[])[];
  private made: Catalog | undefined;
  private readonly related = new Map<string, MemoryRelation>();

  constructor(
    readonly name: string,
    readonly definition: TableDefinition,
    private readonly find: (name: string) => MemoryTable,
  ) {
    this.columns = new Map(Object.entries(definition.columns));
    this.primary = this.pathsOf(({ primary }) => primary);
    this.uniques = [
      this.primary,
      ...this.pathsOf(({ unique }) => unique).map((path) => [path]),
      ...(definition.unique ?? []),
    ];
  }

  get catalog(): Catalog {
    return (this.made ??= this.makeCatalog());
  }

  /** The column that has a source, if any has. */
  filled(source: ColumnDefinition['source']): string | undefined {
    return this.pathsOf((column) => column.source === source)[0];
  }

  /** The columns that refer to other tables. */
  references(): [path: string, target: MemoryTable, definition: ColumnDefinition][] {
    return [...this.columns].flatMap(([path, column]) =>
      column.references === undefined ? [] : [[path, this.find(column.references), column] as const],
    ) as [string, MemoryTable, ColumnDefinition][];
  }

  relation(path: string): MemoryRelation {
    const known = this.related.get(path);
    if (known) return known;
    const definition = this.definition.relations![path]!;
    const target = this.find('one' in definition ? definition.one : definition.many);
    const through = 'through' in definition ? this.find(definition.through) : undefined;

    const made = new MemoryRelation(path, this, target, definition, through);
    this.related.set(path, made);

    return made;
  }

  private pathsOf(test: (column: ColumnDefinition) => boolean | undefined): string[] {
    return [...this.columns].filter(([, column]) => test(column)).map(([path]) => path);
  }

  private makeCatalog(): Catalog {
    const columns = new Map([...this.columns].map(([path, column]) => [path, makeColumn(path, column)]));
    const [deleteDate, version] = [this.filled('deleteDate'), this.filled('version')];
    const catalog: Catalog = {
      model: this.definition.model.name,
      target: this.definition.model,
      columns,
      relations: new Map(
        Object.entries(this.definition.relations ?? {}).map(([path, definition]) => [
          path,
          this.makeRelation(path, definition, columns),
        ]),
      ),
      primary: this.primary.map((path) => columns.get(path)!),
      ...(deleteDate !== undefined && { deleteDate: columns.get(deleteDate)! }),
      ...(version !== undefined && { version: columns.get(version)! }),
    };
    tables.set(catalog, this);

    return catalog;
  }

  private makeRelation(
    path: string,
    { cascade = [], ...definition }: RelationDefinition,
    columns: ReadonlyMap<string, CatalogColumn>,
  ): CatalogRelation {
    const relation = () => this.relation(path);
    const by = 'by' in definition ? definition.by : undefined;
    const made: CatalogRelation = {
      path,
      kind: this.kindOf(definition),
      toMany: 'many' in definition,
      get target() {
        return relation().target.catalog;
      },
      get references(): CatalogReference[] {
        const { target } = relation();

        return by === undefined ? [] : [{ column: columns.get(by)!, references: target.catalog.primary[0]! }];
      },
      nullable: by === undefined || this.columns.get(by)!.nullable === true,
      cascadeInsert: cascade.includes('insert'),
      cascadeUpdate: cascade.includes('update'),
      get inverse() {
        return relation().inverse() as string;
      },
    };
    relations.set(made, relation());
    relation().planned = made;

    return made;
  }

  private kindOf(definition: RelationDefinition): RelationKind {
    if ('through' in definition) return 'many-to-many';
    if ('many' in definition) return 'one-to-many';
    if (!('by' in definition)) return 'one-to-one-inverse';

    return this.uniques.some(([path, another]) => path === definition.by && another === undefined)
      ? 'one-to-one'
      : 'many-to-one';
  }
}

/** A relation, and which rows it leads to. */
export class MemoryRelation {
  /** As the catalog has it. */
  planned!: CatalogRelation;

  constructor(
    readonly path: string,
    readonly table: MemoryTable,
    readonly target: MemoryTable,
    readonly definition: RelationDefinition,
    /** The table between both sides. */
    readonly through: MemoryTable | undefined,
  ) {}

  /** The columns of the table between both sides that refer to this one, and to the other. */
  get links(): readonly [own: string, other: string] {
    const refer = (to: MemoryTable) => this.through!.references().filter(([, target]) => target === to);
    const own = refer(this.table)[0]![0];

    return [own, refer(this.target).find(([path]) => path !== own)![0]];
  }

  /** The related rows of a row, soft-deleted ones included. */
  follow(row: Row, rows: Rows): Row[] {
    const { definition, table, target } = this;
    const key = row[table.primary[0]!];
    const having = (path: string, value: unknown) => [...rows.of(target)].filter((one) => one[path] === value);
    if ('by' in definition) return having(target.primary[0]!, row[definition.by]);
    if ('of' in definition) return having(definition.of, key);

    const [own, other] = this.links;
    const linked = new Set([...rows.of(this.through!)].filter((link) => link[own] === key).map((link) => link[other]));

    return [...rows.of(target)].filter((one) => linked.has(one[target.primary[0]!]));
  }

  /** The property of the related records that leads back, if there is one. */
  inverse(): string | undefined {
    const { definition, table, target } = this;
    const back = Object.entries(target.definition.relations ?? {}).find(([path, other]) => {
      if (('one' in other ? other.one : other.many) !== table.name || (target === table && path === this.path))
        return false;
      if ('by' in definition) return 'of' in other && other.of === definition.by;
      if ('of' in definition) return 'by' in other && other.by === definition.of;

      return 'through' in other && other.through === definition.through;
    });

    return back?.[0];
  }
}

const tables = new WeakMap<Catalog, MemoryTable>();
const relations = new WeakMap<CatalogRelation, MemoryRelation>();

/** The table that a catalog describes. */
export const tableOf = (catalog: Catalog): MemoryTable => tables.get(catalog)!;

/** The relation that a catalog's stands for. */
export const relationOf = (relation: CatalogRelation): MemoryRelation => relations.get(relation)!;

function makeColumn(path: string, column: ColumnDefinition): CatalogColumn {
  const { kind, primary = false, counter = false, source = 'client', default: value, ...rest } = column;
  const { unique: _, references: __, onDelete: ___, check: ____, ...described } = rest;

  return describeColumn(path, kind, {
    ...described,
    source,
    primary,
    autoIncrement: counter,
    generated: counter || (primary && value !== undefined),
    hasDefault:
      counter || value !== undefined || source === 'createDate' || source === 'updateDate' || source === 'version',
    ...(kind === 'decimal' && { scale: column.scale ?? 0 }),
  });
}
