/** Values that a client sent in `filter` and `or`, as handlers and verbs read and change them, and as the database compares them all the same, over HTTP. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Controller, Get, Inject, UseInterceptors } from '@nestjs/common';
import {
  Crud,
  type CrudController,
  type CrudRequest,
  CrudRequestInterceptor,
  Override,
  ParsedRequest,
} from '@nestwright/crud';
import type { QueryFilter, SCondition } from '@nestwright/crud-request';
import request from 'supertest';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity()
class Parcel {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 100 }) zip!: string;
  @Column({ type: 'bigint' }) weight!: string;
  @Column({ type: Date }) sentAt!: Date;
  @Column({ type: 'boolean' }) isOpen!: boolean;
}

const PARCELS = [
  { id: 1, zip: '00123', weight: '9007199254740993', sentAt: new Date('2024-01-31T00:00:00Z'), isOpen: true },
  { id: 2, zip: '123', weight: '9007199254740992', sentAt: new Date('2024-02-29T12:00:00Z'), isOpen: false },
  { id: 3, zip: '1e3', weight: '5', sentAt: new Date('2024-03-01T00:00:00Z'), isOpen: true },
  { id: 4, zip: '2024-01-31', weight: '6', sentAt: new Date('2025-01-01T00:00:00Z'), isOpen: true },
  { id: 5, zip: 'null', weight: '7', sentAt: new Date('2025-01-01T00:00:00Z'), isOpen: true },
  { id: 6, zip: '"5"', weight: '8', sentAt: new Date('2025-01-01T00:00:00Z'), isOpen: true },
];

/** What handlers read, and what they do with it. */
let seen: unknown[] = [];
let change: (request: CrudRequest) => void = () => undefined;

function look(request: CrudRequest): void {
  seen = [...request.parsed.filter, ...request.parsed.or].map(({ value }) => value as unknown);
  change(request);
}

class LookingParcels extends TypeOrmCrudService<Parcel> {
  override getMany(req: CrudRequest) {
    look(req);

    return super.getMany(req);
  }
}

const parcels = resource(Parcel, 'parcels');
const looking = resource(Parcel, 'looking', { service: LookingParcels });

@Crud({ model: { type: Parcel } })
@Controller('overridden')
class OverriddenController implements CrudController<Parcel> {
  constructor(@Inject(parcels.provider) readonly service: TypeOrmCrudService<Parcel>) {}

  get base(): CrudController<Parcel> {
    return this;
  }

  @Override()
  getMany(@ParsedRequest() req: CrudRequest) {
    look(req);

    return this.base.getManyBase!(req);
  }

  @Get('own/route')
  @UseInterceptors(CrudRequestInterceptor)
  own(@ParsedRequest() req: CrudRequest) {
    look(req);

    return this.service.getMany(req);
  }
}

const PLACES = ['overridden', 'looking', 'overridden/own/route'];

describeDatabases('typed values', (db) => {
  const app = serving(db, [Parcel], [parcels, looking, { controller: OverriddenController }]);

  beforeAll(async () => void (await app.source.manager.insert(Parcel, PARCELS)));
  beforeEach(() => {
    seen = [];
    change = () => undefined;
  });

  const ids = async (path: string, query: string[]): Promise<number[]> => {
    const { body } = await request(app.url).get(`/${path}`).query(query.map(encodeURI).join('&')).expect(200);

    return (body as Parcel[]).map(({ id }) => id);
  };

  test.each<[string[], unknown[], number[]]>([
    [['filter=id||eq||2'], [2], [2]],
    [['filter=id||in||1,3'], [[1, 3]], [1, 3]],
    [['filter=isOpen||eq||false'], [false], [2]],
    [['filter=zip||eq||00123'], ['00123'], [1]],
    [['filter=zip||eq||123'], [123], [2]],
    [['filter=zip||eq||2024-01-31'], [new Date('2024-01-31')], [4]],
    [['filter=zip||in||null,123'], [[null, 123]], [2, 5]],
    [['filter=zip||eq||"5"'], ['5'], [6]],
    [['filter=weight||eq||9007199254740993'], ['9007199254740993'], [1]],
    [
      ['filter=sentAt||gt||2024-02-29T11:59:59', 'filter=id||lt||4'],
      [new Date('2024-02-29T11:59:59Z'), 4],
      [2, 3],
    ],
    [
      ['filter=id||eq||1', 'or=zip||eq||123'],
      [1, 123],
      [1, 2],
    ],
  ])('%j is read as %j and found as sent', async (query, values, found) => {
    expect(await ids('parcels', query)).toEqual(found);
    expect(seen).toEqual([]);
    for (const place of PLACES) {
      expect(await ids(place, query)).toEqual(found);
      expect(seen).toEqual(values);
    }
  });

  test('an impossible date stays a 400 where a handler has read it', async () => {
    for (const place of ['parcels', ...PLACES])
      await request(app.url).get(`/${place}`).query('filter=sentAt||gt||2024-02-30').expect(400);
  });

  test('what a handler makes of them is compared', async () => {
    change = ({ parsed }) => {
      const byId = parsed.filter.find(({ field }: QueryFilter) => field === 'id');
      if (byId?.value === 1) parsed.search = { $and: [parsed.search, { zip: '00123' }] };
      if (byId?.value === 2) (parsed.search.$and![0] as { id: { $eq: number } }).id.$eq = 3;
      if (byId?.value === 4) parsed.search = { zip: { $in: [123, new Date('2024-01-31').toISOString().slice(0, 10)] } };
      if (byId?.value === 5) parsed.search = JSON.parse(JSON.stringify(parsed.search)) as SCondition;
    };
    for (const place of PLACES) {
      expect(await ids(place, ['filter=id||$eq||1'])).toEqual([1]);
      expect(await ids(place, ['filter=id||$eq||2'])).toEqual([3]);
      expect(await ids(place, ['filter=id||$eq||4'])).toEqual([2, 4]);
      expect(await ids(place, ['filter=id||$eq||5', 'filter=sentAt||gte||2025-01-01'])).toEqual([5]);
    }
  });
});
