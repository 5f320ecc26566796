/** What a cursor may hold: values that answers show to whoever asks, as they are stored. The key that decides between equal ones is among them. */
import { expect, test } from '@jest/globals';
import { type ExecutionContext, type NestInterceptor, type Type, UseInterceptors } from '@nestjs/common';
import { Exclude, Expose, Transform } from 'class-transformer';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

/** An entity whose key is decorated. */
function keyed(table: string, decorate: PropertyDecorator = () => undefined): Type<object> {
  @Entity(table)
  class Keyed {
    @decorate @PrimaryColumn({ type: 'int' }) id!: number;
    @Column({ type: 'varchar', length: 20 }) name!: string;
  }
  // Nest tells repositories apart by the names of their classes.
  return Object.defineProperty(Keyed, 'name', { value: table });
}

@Exclude()
class NameAlone {
  @Expose() name!: string;
}

const masked = Transform(({ value }) => `#${Number(value) * 7919}`, { toPlainOnly: true });
const MODELS = {
  hidden: keyed('shown_hidden_keys', Exclude()),
  masked: keyed('shown_masked_keys', masked),
  grouped: keyed('shown_grouped_keys', Expose({ groups: ['staff'] })),
  plain: keyed('shown_plain_keys'),
};

const asVisitor: NestInterceptor = {
  intercept: (context: ExecutionContext, next) => {
    const http = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    http.user = { groups: http.headers['x-groups']?.split(',') ?? [] };
    return next.handle();
  },
};

const resources = Object.entries(MODELS).map(([path, type]) => {
  const made = looseResource(type, path, {
    auth: { property: 'user', groups: ({ groups }: { groups: string[] }) => groups },
    query: { cursor: true, sort: [{ field: 'name', order: 'ASC' }], limit: 1 },
    ...(path === 'plain' && { serialize: { get: NameAlone, getMany: NameAlone } }),
  });
  UseInterceptors(asVisitor)(made.controller);
  return made;
});

describeDatabases(
  'what cursors show',
  (db) => {
    const [first, second] = [90_001, 90_002].map((id, index) => ({ id, name: 'ab'[index]! }));
    const { send } = serving(db, Object.values(MODELS), resources, {
      fill: async (source) => {
        for (const model of Object.values(MODELS)) await source.getRepository(model).insert([first!, second!]);
      },
    });
    const get = (path: string, groups = 'none') => send('get', path, undefined, { 'x-groups': groups });

    test.each(Object.keys(MODELS))(
      'a key that answers do not show as it is stored is in no cursor: %s',
      async (path) => {
        const listed = await get(`/${path}`);
        expect([listed.status, JSON.stringify(listed.body).includes('90001')]).toEqual([200, false]);
        for (const query of ['cursor=', 'cursor=&sort=name,DESC', 'cursor=&fields=name', 'cursor=x']) {
          const { status, body } = await get(`/${path}?${query}`);
          expect([query, status, body.code, body.field]).toEqual([query, 400, 'CRUD_INVALID_QUERY', 'id']);
        }
      },
    );

    test('it is in those of clients to whom answers show it', async () => {
      const { status, body } = await get('/grouped?cursor=', 'staff');
      expect([status, body.data]).toEqual([200, [first]]);
      expect((await get(`/grouped?cursor=${body.next}`, 'staff')).body.data).toEqual([second]);
      expect((await get(`/grouped?cursor=${body.next}`)).status).toBe(400);
    });
  },
  ['sqlite'],
);
