/** The gallery: seeded tables behind five resources on Fastify. The evaluator's description repeats each of their options but joins. */
import { type ExecutionContext, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { type Application, looseResource, serve } from '../../../../packages/crud-typeorm/test/support/resources.js';
import type { TestDatabase } from '../../../test-support/index.js';
import { everyColumn } from './every-column.js';
import type { GalleryRecords } from './records.js';
import { JOINS } from './resources.js';
import { Exhibit, Label, Loan, Remark, Room, schemasOf } from './schemas.js';

const asVisitor: NestInterceptor = {
  intercept: (context: ExecutionContext, next) => {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; visitor?: object }>();
    request.visitor = { limit: Number(request.headers['x-limit']) };
    return next.handle();
  },
};

type Visitor = { readonly limit: number };

const [BY_GRADE, BY_MONEY] = [{ field: 'grade', order: 'ASC' } as const, { field: 'money', order: 'DESC' } as const];
const visits = looseResource(Exhibit, 'visits', {
  query: { sort: [BY_GRADE, BY_MONEY], join: JOINS.visits },
  auth: {
    property: 'visitor',
    filter: (visitor: Visitor) => ({ id: { $lte: visitor.limit } }),
    or: () => ({ $or: [{ id: { $in: [1, 2, 3] } }, { whole: { $isnull: true } }] }),
  },
});

const guidedVisits = looseResource(Exhibit, 'guided-visits', {
  query: { join: JOINS.guided },
  auth: {
    property: 'visitor',
    filter: () => ({ $or: [{ 'original.id': { $isnull: true } }, { 'original.flag': { $ne: false } }] }),
    or: () => ({ 'loans.id': { $in: [5, 9, 30] } }),
    relations: {
      room: (visitor: Visitor) => ({ whole: { $lt: visitor.limit } }),
      'room.labels': async () => Promise.resolve({ code: { $ne: 'old' } }),
      loans: (visitor: Visitor) => ({ id: { $lte: visitor.limit } }),
      'copies.loans.room': () => ({ flag: true }),
      'loans.remarks': () => ({ stars: { $gte: 3 } }),
      labels: () => ({ $or: [{ code: { $in: ['new', 'lent'] } }, { title: null }] }),
      'copies.original': (visitor: Visitor) => visitor.limit <= 40 && { flag: false },
      copies: () => ({ 'room.id': { $notnull: true }, $or: [{ 'room.flag': false }, { 'room.flag': null }] }),
    },
  },
});

for (const { controller } of [visits, guidedVisits]) UseInterceptors(asVisitor)(controller);

const RESOURCES = [
  visits,
  guidedVisits,
  looseResource(Exhibit, 'exhibits', { query: { softDelete: true, join: JOINS.exhibits } }),
  looseResource(Exhibit, 'rooms/:roomId/exhibits', {
    params: { roomId: { field: 'roomId', type: 'uuid' }, id: { field: 'id', type: 'number', primary: true } },
    query: {
      exclude: ['frame.text', 'roomId'],
      persist: ['flag'],
      filter: { id: { $gt: 4 } },
      limit: 5,
      maxLimit: 8,
      alwaysPaginate: true,
      sort: [{ field: 'text', order: 'DESC' }],
      join: JOINS.ofRoom,
    },
  }),
];

/** Opens the gallery on a database. */
export async function openGallery(db: TestDatabase, records: GalleryRecords): Promise<Application> {
  const served = await serve(db, schemasOf(db.kind), RESOURCES, {
    platform: 'fastify',
    // As text, so that the time zone of this process shifts no day.
    source: db.kind === 'mysql' ? { dateStrings: ['DATE'] } : {},
  });
  await seed(served.source, db, records);
  return served;
}

async function seed(source: DataSource, { kind }: TestDatabase, records: GalleryRecords): Promise<void> {
  const moments = ['removedAt', ...everyColumn(kind).flatMap(({ path, type }) => (type === 'datetime' ? [path] : []))];
  const bigs = everyColumn(kind).flatMap(({ path, type }) => (type === 'bigint' ? [path] : []));
  const stored = (record: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => {
        if (value === null || value === undefined) return [name, value];
        if (name === 'frame') return [name, stored(value as Record<string, unknown>)];
        if (moments.includes(name)) return [name, new Date(value as number)];
        return [name, bigs.includes(name) ? String(value) : value];
      }),
    );
  const insert = (target: string | (new () => object), rows: readonly Record<string, unknown>[]) =>
    source.createQueryBuilder().insert().into(target).values(rows.map(stored)).updateEntity(false).execute();
  const { labels, rooms, exhibits, loans, remarks, exhibitLabels, roomLabels } = records;
  await insert(Label, labels);
  await insert(Room, rooms);
  await insert(Exhibit, exhibits.map((record) => ({ ...record, originalId: null }))); // prettier-ignore
  for (const { id, originalId } of exhibits)
    await source.manager.update(Exhibit, { id } as object, { originalId } as object);
  await insert(Loan, loans);
  await insert(Remark, remarks);
  await insert('gallery_exhibit_labels', exhibitLabels.map(([exhibit, label]) => ({ exhibit, label }))); // prettier-ignore
  await insert('gallery_room_labels', roomLabels.map(([room, label]) => ({ room, label }))); // prettier-ignore
}
