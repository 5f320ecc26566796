/** What a cursor may hold: values that answers show to whoever asks, as they are stored. The key that decides between equal ones is among them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ExecutionContext, INestApplication, NestInterceptor } from '@nestjs/common';
import { UseInterceptors } from '@nestjs/common';
import { CrudAuth, type CrudOptions } from '@nestwright/crud';
import { Exclude, Expose, Transform } from 'class-transformer';
import request from 'supertest';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

@Entity('shown_hidden_keys')
class HiddenKey {
  @Exclude()
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Entity('shown_masked_keys')
class MaskedKey {
  @Transform(({ value }) => `#${Number(value) * 7919}`, { toPlainOnly: true })
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Entity('shown_grouped_keys')
class GroupedKey {
  @Expose({ groups: ['staff'] })
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Exclude()
class NameAlone {
  @Expose() name!: string;
}

@Entity('shown_plain_keys')
class PlainKey {
  @PrimaryColumn({ type: 'int' }) id!: number;

  @Column({ type: 'varchar', length: 20 }) name!: string;
}

const asVisitor: NestInterceptor = {
  intercept: (context: ExecutionContext, next) => {
    const http = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    http.user = { groups: http.headers['x-groups']?.split(',') ?? [] };

    return next.handle();
  },
};

const MODELS = { hidden: HiddenKey, masked: MaskedKey, grouped: GroupedKey, plain: PlainKey };

const resources = Object.entries(MODELS).map(([path, type]) => {
  const made = resource<object>(type, path, {
    query: { cursor: true, sort: [{ field: 'name', order: 'ASC' }], limit: 1 },
    ...(path === 'plain' && { serialize: { get: NameAlone, getMany: NameAlone } }),
  } as Omit<CrudOptions<object>, 'model'>);
  CrudAuth({ property: 'user', groups: ({ groups }: { groups: string[] }) => groups })(made.controller);
  UseInterceptors(asVisitor)(made.controller);

  return made;
});

describeDatabases(
  'what cursors show',
  (db) => {
    let app: INestApplication;
    let url: string;

    beforeAll(async () => {
      const entities = Object.values(MODELS);
      const { source, ...served } = await serve(db, entities, resources);
      ({ app, url } = served);
      for (const entity of entities) {
        await source.getRepository<object>(entity).insert([
          { id: 90_001, name: 'a' },
          { id: 90_002, name: 'b' },
        ]);
      }
    });

    afterAll(() => app?.close());

    const get = async (path: string, groups = 'none') => {
      const { status, body, text } = await request(url).get(path).set('x-groups', groups);

      return { status, body: body as Record<string, unknown>, text };
    };

    test.each(['hidden', 'masked', 'grouped', 'plain'])(
      'a key that answers do not show as it is stored is in no cursor: %s',
      async (path) => {
        const listed = await get(`/${path}`);
        expect([listed.status, listed.text.includes('90001')]).toEqual([200, false]);

        for (const query of ['cursor=', 'cursor=&sort=name,DESC', 'cursor=&fields=name', 'cursor=x']) {
          const { status, body } = await get(`/${path}?${query}`);
          expect([query, status, body['code'], body['field']]).toEqual([query, 400, 'CRUD_INVALID_QUERY', 'id']);
        }
      },
    );

    test('it is in those of clients to whom answers show it', async () => {
      const { status, body } = await get('/grouped?cursor=', 'staff');

      expect([status, body['data']]).toEqual([200, [{ id: 90_001, name: 'a' }]]);
      expect((await get(`/grouped?cursor=${String(body['next'])}`, 'staff')).body['data']).toEqual([
        { id: 90_002, name: 'b' },
      ]);
      expect((await get(`/grouped?cursor=${String(body['next'])}`)).status).toBe(400);
    });
  },
  ['sqlite'],
);
