/** What OpenAPI says of the items of a bulk whose route requires their versions. */
import { expect, test } from '@jest/globals';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Column, DeleteDateColumn, Entity, PrimaryColumn, VersionColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('bulk_versions')
class Page {
  @ApiProperty() @PrimaryColumn({ type: 'int' }) id!: number;
  @ApiProperty() @Column({ type: 'varchar', length: 30 }) title!: string;
  @ApiProperty({ readOnly: true }) @VersionColumn() version!: number;
  @DeleteDateColumn() deletedAt!: Date | null;
}

const match = { requireMatch: true };

const pages = resource(Page, 'pages', {
  query: { etag: true, softDelete: true },
  routes: { updateManyBase: match, replaceManyBase: match, deleteManyBase: match, recoverManyBase: match },
});

interface Schema {
  readonly $ref: string;
  readonly required?: readonly string[];
  readonly properties: { readonly bulk: { readonly items: Schema } };
}

describeDatabases(
  'versions of the items of a bulk',
  (db) => {
    const app = serving(db, [Page], [pages]);

    test.each([
      ['patch', '/pages/bulk'],
      ['put', '/pages/bulk'],
      ['delete', '/pages/bulk'],
      ['patch', '/pages/bulk/recover'],
    ] as const)('%s %s requires them', async (method, path) => {
      const { paths, components } = SwaggerModule.createDocument(app.app, new DocumentBuilder().build());
      const { content } = paths[path]![method]!.requestBody as { content: Record<string, { schema: Schema }> };
      const schemaAt = ({ $ref }: Schema) => components!.schemas![$ref.split('/').at(-1)!] as unknown as Schema;
      const item = schemaAt(schemaAt(content['application/json']!.schema).properties.bulk.items);
      expect(item.required).toEqual(expect.arrayContaining(['id', 'version']));
    });
  },
  ['sqlite'],
);
