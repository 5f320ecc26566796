/** TypeORM's schemas of the gallery: exhibits in rooms, their loans, remarks and labels. Columns are named unlike their properties. */
import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaRelationOptions } from 'typeorm';
import type { DatabaseKind } from '../../../test-support/index.js';
import { everyColumn } from './every-column.js';

export class Frame {}
export class Exhibit {}
export class Room {}
export class Loan {}
export class Remark {}
export class Label {}

type Columns = Record<string, EntitySchemaColumnOptions>;
type Relation = EntitySchemaRelationOptions;
type Key = 'int' | 'varchar' | 'uuid';
const key = (type: Key, more: object = {}): EntitySchemaColumnOptions => ({ type, primary: true, ...more });
const foreign = (type: Key): EntitySchemaColumnOptions => ({ type, nullable: true });
const TEXT = { type: 'varchar', length: 80, nullable: true } as const;

const toOne = (target: string, name: string, inverse: object = {}): Relation => ({
  type: 'many-to-one',
  target,
  joinColumn: { name },
  ...inverse,
});

const toMany = (target: string, inverseSide: string): Relation => ({ type: 'one-to-many', target, inverseSide });
const toLabels = (name: string, near: string): Relation => ({
  type: 'many-to-many',
  target: 'Label',
  joinTable: { name, joinColumn: { name: near }, inverseJoinColumn: { name: 'label' } },
});

/** Makes the schemas; classes belong to several data sources at once, schemas to one. */
export function schemasOf(kind: DatabaseKind): EntitySchema[] {
  const every: Columns = Object.fromEntries(
    everyColumn(kind).map(({ path, stored }) => [path, { name: `c_${path}`, ...stored(kind) }]),
  );
  const type = kind === 'postgres' ? 'timestamptz' : 'datetime';
  const removed: Columns = { removedAt: { type, precision: 3, nullable: true, deleteDate: true } };
  const schema = (target: new () => object, columns: Columns, relations: Record<string, Relation> = {}, more = {}) =>
    new EntitySchema<object>({
      name: target.name,
      tableName: `gallery_${target.name.toLowerCase()}`,
      target,
      columns,
      relations,
      ...more,
    });
  const frame = new EntitySchema<object>({ name: 'Frame', target: Frame, columns: every });
  return [
    schema(
      Exhibit,
      { id: key('int'), roomId: foreign('uuid'), originalId: foreign('int'), ...every, ...removed },
      {
        room: toOne('Room', 'roomId'),
        original: toOne('Exhibit', 'originalId', { inverseSide: 'copies' }),
        copies: toMany('Exhibit', 'original'),
        loans: toMany('Loan', 'exhibit'),
        labels: toLabels('gallery_exhibit_labels', 'exhibit'),
      },
      { embeddeds: { frame: { schema: frame, prefix: 'frame_' } } },
    ),
    schema(Room, { id: key('uuid'), ...every, ...removed }, { labels: toLabels('gallery_room_labels', 'room') }),
    schema(
      Loan,
      { id: key('int'), exhibitId: foreign('int'), roomId: foreign('uuid'), ...every, ...removed },
      {
        exhibit: toOne('Exhibit', 'exhibitId', { inverseSide: 'loans' }),
        room: toOne('Room', 'roomId'),
        remarks: toMany('Remark', 'loan'),
      },
    ),
    schema(
      Remark,
      { loanId: key('int'), line: key('int'), body: TEXT, stars: foreign('int') },
      {
        loan: toOne('Loan', 'loanId', { inverseSide: 'remarks' }),
      },
    ),
    schema(Label, { code: key('varchar', { length: 20 }), title: TEXT, ...removed }),
  ];
}
