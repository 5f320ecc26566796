/** TypeORM's schemas of the gallery: exhibits in rooms, their loans, remarks and labels. Columns are named unlike their properties. */
import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaOptions } from 'typeorm';
import type { DatabaseKind } from '../../../test-support/index.js';
import { everyColumn } from './every-column.js';

export class Frame {}
export class Exhibit {}
export class Room {}
export class Loan {}
export class Remark {}
export class Label {}

type Columns = Record<string, EntitySchemaColumnOptions>;
type Relations = NonNullable<EntitySchemaOptions<object>['relations']>;

type Key = 'int' | 'varchar' | 'uuid';
const key = (type: Key, more: object = {}): EntitySchemaColumnOptions => ({ type, primary: true, ...more });
const foreign = (type: Key): EntitySchemaColumnOptions => ({ type, nullable: true });

/** Makes the schemas; classes belong to several data sources at once, schemas to one. */
export function schemasOf(kind: DatabaseKind): EntitySchema[] {
  const every: Columns = Object.fromEntries(
    everyColumn(kind).map(({ path, stored }) => [path, { name: `c_${path}`, ...stored(kind) }]),
  );
  const removed: Columns = {
    removedAt: {
      type: kind === 'postgres' ? 'timestamptz' : 'datetime',
      precision: 3,
      nullable: true,
      deleteDate: true,
    },
  };
  const schema = (
    target: new () => object,
    columns: Columns,
    relations: Relations,
    more: Partial<EntitySchemaOptions<object>> = {},
  ) =>
    new EntitySchema<object>({
      name: target.name,
      tableName: `gallery_${target.name.toLowerCase()}`,
      target,
      columns,
      relations,
      ...more,
    });
  const links = (name: string, near: string, far: string) => ({
    name,
    joinColumn: { name: near },
    inverseJoinColumn: { name: far },
  });
  const frame = new EntitySchema<object>({ name: 'Frame', target: Frame, columns: every });

  return [
    schema(
      Exhibit,
      { id: key('int'), roomId: foreign('uuid'), originalId: foreign('int'), ...every, ...removed },
      {
        room: { type: 'many-to-one', target: 'Room', joinColumn: { name: 'roomId' } },
        original: { type: 'many-to-one', target: 'Exhibit', inverseSide: 'copies', joinColumn: { name: 'originalId' } },
        copies: { type: 'one-to-many', target: 'Exhibit', inverseSide: 'original' },
        loans: { type: 'one-to-many', target: 'Loan', inverseSide: 'exhibit' },
        labels: {
          type: 'many-to-many',
          target: 'Label',
          joinTable: links('gallery_exhibit_labels', 'exhibit', 'label'),
        },
      },
      { embeddeds: { frame: { schema: frame, prefix: 'frame_' } } },
    ),
    schema(
      Room,
      { id: key('uuid'), ...every, ...removed },
      { labels: { type: 'many-to-many', target: 'Label', joinTable: links('gallery_room_labels', 'room', 'label') } },
    ),
    schema(
      Loan,
      { id: key('int'), exhibitId: foreign('int'), roomId: foreign('uuid'), ...every, ...removed },
      {
        exhibit: { type: 'many-to-one', target: 'Exhibit', inverseSide: 'loans', joinColumn: { name: 'exhibitId' } },
        room: { type: 'many-to-one', target: 'Room', joinColumn: { name: 'roomId' } },
        remarks: { type: 'one-to-many', target: 'Remark', inverseSide: 'loan' },
      },
    ),
    schema(
      Remark,
      {
        loanId: key('int'),
        line: key('int'),
        body: { type: 'varchar', length: 80, nullable: true },
        stars: { type: 'int', nullable: true },
      },
      { loan: { type: 'many-to-one', target: 'Loan', inverseSide: 'remarks', joinColumn: { name: 'loanId' } } },
    ),
    schema(
      Label,
      { code: key('varchar', { length: 20 }), title: { type: 'varchar', length: 80, nullable: true }, ...removed },
      {},
    ),
  ];
}
