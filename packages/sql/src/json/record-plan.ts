/** Which properties of a record are printed as JSON, in order, or why records are needed. Runs once per shape. */
import { jsonRulesOf, NeedsRecords } from '@nestwright/crud/adapter';
import { type Member, membersOf, type RecordMembers } from '../hydrate/members.js';
import type { Cell, RecordShape } from '../hydrate/record-shape.js';
import type { ReadShape } from '../hydrate/read-rows.js';
import { printsNatively } from './text.js';
import type { Column, Relation, Table } from '../database/database.js';

export type JsonMember =
  | { readonly kind: 'cell'; readonly property: string; readonly name: string; readonly column: Column }
  | { readonly kind: 'embedded'; readonly property: string; readonly members: readonly JsonMember[] }
  | {
      readonly kind: 'joined';
      readonly property: string;
      readonly presence: readonly string[];
      readonly members: readonly JsonMember[];
    }
  | {
      readonly kind: 'many';
      readonly property: string;
      readonly index: number;
      readonly parentNames: readonly string[];
    };

export interface RecordPlan {
  readonly members: readonly JsonMember[];
  /** Makes empty records of the classes, and the properties that these have from the start, all undefined. */
  readonly empty: readonly EmptyRecord[];
}

interface EmptyRecord {
  readonly make: () => object;
  readonly properties: readonly string[];
}

/** The plan of a read's records, or why they must be made. */
export function makeRecordPlan(read: ReadShape): RecordPlan | NeedsRecords {
  const empty: EmptyRecord[] = [];

  try {
    return { members: planMembers(membersOf(read), empty), empty };
  } catch (error) {
    if (error instanceof NeedsRecords) return error;
    throw error;
  }
}

/** Why compiled plans must not be used right now. */
export function reasonNow(plans: readonly RecordPlan[]): NeedsRecords | undefined {
  if (!printsNatively()) return new NeedsRecords('a toJSON of the application on a built-in class');

  return plans.every(setsNoValues) ? undefined : new NeedsRecords('initial values or a constructor');
}

/** Whether the constructors of the classes still set no values. */
function setsNoValues({ empty }: RecordPlan): boolean {
  return empty.every(({ make, properties }) => {
    const record = make() as Record<string, unknown>;
    const own = Object.keys(record);

    return (
      own.length === properties.length &&
      own.every((property, index) => property === properties[index] && record[property] === undefined)
    );
  });
}

type Draft = Member | { kind: 'embedded'; drafts: Map<string, Draft | undefined>; column: Column; depth: number };

function planMembers({ shape, members }: RecordMembers, empty: EmptyRecord[]): JsonMember[] {
  const { table } = shape;
  const drafts = emptyRecord(table.name, () => table.createLoaded(), empty);

  refuseClass(shape);
  for (const member of members) {
    if (member.kind === 'cell') placeCell(drafts, member, empty);
    else place(drafts, relationProperty(member.relation), member);
  }

  return printedMembers(table.target, drafts, empty);
}

function refuseClass({ table }: RecordShape): void {
  const { children, parent, relations, name } = table;

  if (children.length > 0 || parent) throw new NeedsRecords(`${name}, which shares its table with other entities`);
  if (relations.some(({ isLazy }) => isLazy)) throw new NeedsRecords(`lazy relations of ${name}`);
}

/** The properties that an empty record has, as places for what is read. */
function emptyRecord(name: string, make: () => object, empty: EmptyRecord[]): Map<string, Draft | undefined> {
  const record = make();
  const properties = Object.keys(record);

  if (Object.values(record).some((value) => value !== undefined))
    throw new NeedsRecords(`initial values or the constructor of ${name}`);
  empty.push({ make, properties });

  return new Map(properties.map((property) => [property, undefined]));
}

function placeCell(drafts: Map<string, Draft | undefined>, cell: Cell & Draft, empty: EmptyRecord[]) {
  const { column } = cell;
  let target = drafts;

  if (column.isVirtual && !column.isDiscriminator && !column.embedded && column.referencedColumn)
    throw new NeedsRecords(`the virtual column ${column.propertyName}`);
  column.embedded?.path.forEach((embedded, depth) => {
    if (embedded.isArray) throw new NeedsRecords(`the list ${embedded.propertyName} of embedded objects`);

    let draft = target.get(embedded.propertyName);
    if (!draft) {
      draft = {
        kind: 'embedded',
        drafts: emptyRecord(embedded.propertyName, () => embedded.create(), empty),
        column,
        depth,
      };
      place(target, embedded.propertyName, draft);
    }
    if (draft.kind !== 'embedded') throw new NeedsRecords(`two meanings of ${embedded.propertyName}`);
    target = draft.drafts;
  });
  place(target, column.propertyName, cell);
}

function place(drafts: Map<string, Draft | undefined>, property: string, draft: Draft): void {
  if (drafts.get(property)) throw new NeedsRecords(`two meanings of ${property}`);
  // Objects list such keys first, wherever they were set.
  if (/^\d+$/.test(property)) throw new NeedsRecords(`the property ${property}`);

  drafts.set(property, draft);
}

function relationProperty({ propertyName, embedded }: Relation): string {
  if (embedded) throw new NeedsRecords(`the relation ${propertyName} of an embedded object`);

  return propertyName;
}

function printedMembers(target: unknown, drafts: Map<string, Draft | undefined>, empty: EmptyRecord[]): JsonMember[] {
  const rules = jsonRulesOf(target, new Set(drafts.keys()));
  if (typeof rules === 'string') throw new NeedsRecords(`${nameClass(target)}: ${rules}`);

  return (rules.order ?? [...drafts.keys()]).flatMap((property): JsonMember[] => {
    const draft = drafts.get(property);
    if (!draft || !rules.leaves(property)) return [];

    const type = rules.typeOf(property);

    switch (draft.kind) {
      case 'cell':
        if (type !== undefined && !(type === Date && isMoment(draft.column)))
          throw new NeedsRecords(`${nameClass(target)}: @Type() of ${property}`);

        return [{ kind: 'cell', property, name: draft.name, column: draft.column }];
      case 'embedded': {
        const embedded = draft.column.embedded!.path[draft.depth]!;
        requireType(type, embedded.target, property);

        return [{ kind: 'embedded', property, members: printedMembers(embedded.target, draft.drafts, empty) }];
      }
      case 'joined': {
        const { shape } = draft.record;
        requireType(type, shape.table.target, property);

        return [{ kind: 'joined', property, presence: shape.presence, members: planMembers(draft.record, empty) }];
      }
      case 'many': {
        const { index, parentNames, shape } = draft;
        requireType(type, shape.table.target, property);

        return [{ kind: 'many', property, index, parentNames }];
      }
    }
  });
}

function requireType(type: unknown, target: Table['target'], property: string): void {
  if (type !== undefined && type !== target) throw new NeedsRecords(`@Type() of ${property}`);
}

const MOMENT = /^(?:datetime|timestamp)/;

function isMoment({ type, isTransformed, isArray }: Column): boolean {
  return MOMENT.test(type) && !isTransformed && !isArray;
}

function nameClass(target: unknown): string {
  return typeof target === 'function' ? target.name : String(target);
}
