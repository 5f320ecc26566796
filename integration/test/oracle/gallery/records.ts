/** The gallery's records, as the evaluator holds them and as TypeORM inserts them. */
import { times } from '../../../example/src/database/seeding.js';
import type { DatabaseKind } from '../../../test-support/index.js';
import { type Column, type Entry, entryOf, type Relation, type Table } from '../evaluator/tables.js';
import { everyColumn, everyValue } from './every-column.js';

type Record_ = Record<string, unknown>;

type Name = 'exhibits' | 'rooms' | 'loans' | 'remarks' | 'labels';
export interface GalleryRecords extends Readonly<Record<Name, readonly Record_[]>> {
  /** Pairs of keys. */
  readonly exhibitLabels: readonly (readonly [number, string])[];
  readonly roomLabels: readonly (readonly [string, string])[];
}

const roomId = (index: number): string => `0000000${index}-1111-4222-8333-44444444444${index}`;
const removedAt = (removed: boolean): number | null => (removed ? Date.parse('2024-06-01T12:00:00.000Z') : null);
const CODES = ['new', 'fresh', 'old', 'lent', 'a_b', 'gone', 'rare'];

export function galleryRecords(kind: DatabaseKind): GalleryRecords {
  const every = (index: number, stride: number): Record_ => everyValue(kind, index, stride);
  return {
    rooms: times(9, (index) => ({ id: roomId(index), ...every(index, 1), removedAt: removedAt(index % 5 === 3) })),
    exhibits: times(47, (index) => ({
      id: index + 1,
      roomId: index % 7 === 6 ? null : roomId((index * 4) % 9),
      originalId: index % 3 === 2 ? Math.floor(index / 4) + 1 : null,
      ...every(index, 1),
      frame: every(index + 3, 2),
      removedAt: removedAt(index % 11 === 10),
    })),
    loans: times(71, (index) => ({
      id: index + 1,
      exhibitId: index % 17 === 16 ? null : ((index * 5) % 31) + 1,
      roomId: index % 4 === 3 ? null : roomId((index * 2) % 9),
      ...every(index, 1),
      removedAt: removedAt(index % 9 === 8),
    })),
    remarks: times(80, (index) => ({
      loanId: ((index * 7) % 40) + 1,
      line: Math.floor(index / 40) + 1,
      body: ['fine', 'Fine', null, 'too long', 'as_is', '100%', 'über'][index % 7] ?? null,
      stars: [5, 1, 3, null, 4][index % 5] ?? null,
    })),
    labels: CODES.map((code, index) => ({
      code,
      title: ['New', null, 'OLD', 'lent out', 'a_b', 'Gone', 'Rare'][index] ?? null,
      removedAt: removedAt(code === 'gone'),
    })),
    exhibitLabels: times(47, (index) =>
      times(index % 4, (nth) => [index + 1, CODES[(index + nth * 2) % CODES.length]!] as const),
    ).flat(),
    roomLabels: times(9, (index) =>
      times(index % 3, (nth) => [roomId(index), CODES[(index * 2 + nth) % CODES.length]!] as const),
    ).flat(),
  };
}

/** The evaluator's tables over the records. */
export function galleryTables(kind: DatabaseKind, records: GalleryRecords): { exhibit: Table; room: Table } {
  const every: Column[] = everyColumn(kind).map(({ path, type, members, raw }) => ({
    path,
    type,
    ...(members && { members }),
    ...(raw && { raw }),
  }));
  /** Columns of a list such as `code:text line:integer`. */
  const plain = (list: string): Column[] =>
    list.split(' ').map((column) => {
      const [path = '', type] = column.split(':');
      return { path, type: type as Column['type'] };
    });
  const REMOVED = plain('removedAt:datetime');
  type Rows = readonly Record_[];
  const table = (name: string, columns: Column[], rows: Rows, relations: Relation[] = [], key = ['id']): Table => ({
    name,
    columns,
    key,
    relations,
    entries: rows.map((record) => entryOf(columns, record)),
    ...(columns.includes(REMOVED[0]!) && { deleteDate: 'removedAt' }),
  });
  const toOne = (name: string, target: () => Table, by: string): Relation => ({
    name,
    target,
    many: false,
    of: (entry) => target().entries.filter((other) => entry.get(by) !== null && other.get('id') === entry.get(by)),
  });
  const toMany = (name: string, target: () => Table, by: string): Relation => ({
    name,
    target,
    many: true,
    of: (entry) => target().entries.filter((other) => other.get(by) === entry.get('id')),
  });
  const linked = (name: string, links: readonly (readonly [unknown, string])[]): Relation => ({
    name,
    target: () => label,
    many: true,
    of: (entry: Entry) => {
      const far = links.filter(([near]) => near === entry.get('id')).map(([, code]) => code);
      return label.entries.filter((other) => far.includes(other.get('code') as string));
    },
  });

  const label = table('Label', [...plain('code:text title:text'), ...REMOVED], records.labels, [], ['code']);
  const ofRoom = [linked('labels', records.roomLabels)];
  const room = table('Room', [...plain('id:uuid'), ...every, ...REMOVED], records.rooms, ofRoom);
  const ofRemark = plain('loanId:integer line:integer body:text stars:integer');
  const remark = table('Remark', ofRemark, records.remarks, [], ['loanId', 'line']);
  const ofLoan = [...plain('id:integer exhibitId:integer roomId:uuid'), ...every, ...REMOVED];
  const toRoom = toOne('room', () => room, 'roomId');
  const loan = table('Loan', ofLoan, records.loans, [toRoom, toMany('remarks', () => remark, 'loanId')]);
  const framed = every.map((column) => ({ ...column, path: `frame.${column.path}` }));
  const ofExhibit = [...plain('id:integer roomId:uuid originalId:integer'), ...every, ...framed, ...REMOVED];
  const exhibit: Table = table('Exhibit', ofExhibit, records.exhibits, [
    toRoom,
    toOne('original', () => exhibit, 'originalId'),
    toMany('copies', () => exhibit, 'originalId'),
    toMany('loans', () => loan, 'exhibitId'),
    linked('labels', records.exhibitLabels),
  ]);
  return { exhibit, room };
}
