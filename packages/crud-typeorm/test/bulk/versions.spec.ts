/** What OpenAPI says of the items of a bulk whose route requires their versions: the example is accepted as it stands. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type INestApplication } from '@nestjs/common';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Column, DataSource, DeleteDateColumn, Entity, PrimaryColumn, VersionColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Api } from '../../../crud/test/support/application.js';
import { resource, serve } from '../support/resources.js';

@Entity('bulk_versions')
class Page {
  @ApiProperty() @PrimaryColumn({ type: 'int' }) id!: number;
  @ApiProperty() @Column({ type: 'varchar', length: 30 }) title!: string;
  @ApiProperty({ readOnly: true }) @VersionColumn() version!: number;
  @DeleteDateColumn() deletedAt!: Date | null;
}

const requireMatch = true;

const pages = resource(Page, 'pages', {
  query: { etag: true, softDelete: true },
  routes: {
    updateManyBase: { requireMatch },
    replaceManyBase: { requireMatch },
    deleteManyBase: { requireMatch },
    recoverManyBase: { requireMatch },
  },
});

interface Operation {
  readonly requestBody: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
  };
}

interface Schema {
  readonly required?: readonly string[];
  readonly properties: { readonly bulk?: { readonly items: { readonly $ref: string } } };
}

describeDatabases(
  'versions of the items of a bulk',
  (db) => {
    let api: Api;
    let app: INestApplication;

    beforeAll(async () => {
      ({ api, app } = await serve(db, [Page], [pages]));
    });

    afterAll(() => app?.close());

    test.each([
      ['patch', '/pages/bulk'],
      ['put', '/pages/bulk'],
      ['delete', '/pages/bulk'],
      ['patch', '/pages/bulk/recover'],
    ] as const)('%s %s requires them', async (method, path) => {
      const { paths, components } = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
      const operation = paths[path]![method] as unknown as Operation;
      const { schema } = operation.requestBody.content['application/json']!;
      const schemaAt = ({ $ref }: { $ref: string }) =>
        components!.schemas![$ref.slice($ref.lastIndexOf('/') + 1)] as unknown as Schema;
      expect(schemaAt(schemaAt(schema).properties.bulk!.items).required).toEqual(
        expect.arrayContaining(['id', 'version']),
      );

      const deletedAt = path.endsWith('recover') ? new Date() : null;
      const repository = api.resolve(DataSource).getRepository(Page);
      await repository.clear();
      await repository.insert([1, 2].map((id) => ({ id, title: 'stored', deletedAt })));
      const record = method === 'put' ? { title: 'new' } : {};
      const body = { bulk: [1, 2].map((id) => ({ id, version: 1, ...record })) };
      const sent = method === 'delete' ? api.delete(path).send(body) : api[method](path, body);
      await sent.expect(200);
    });
  },
  ['sqlite'],
);
