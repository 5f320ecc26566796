/** The files of a resource. */
import type { Application, Dialect, TestRunner } from './application.js';
import type { Names } from './names.js';

export interface Place {
  readonly names: Names;
  readonly application: Application;
  /** From the resource's folder to that of `app.module.ts`: `../`. */
  readonly up: string;
}

export function filesOf(place: Place, hasTest: boolean): Record<string, string> {
  const { plural, singular } = place.names;
  const { orm, testRunner } = place.application;

  return {
    ...(orm === 'typeorm'
      ? { [`${singular}.entity.ts`]: entity(place), [`${plural}.service.ts`]: typeOrmService(place) }
      : { [`${plural}.schema.ts`]: table(place), [`${plural}.service.ts`]: drizzleService(place) }),
    [`${plural}.controller.ts`]: controller(place),
    [`${plural}.module.ts`]: module(place),
    ...(hasTest && { [`${plural}.${testRunner === 'node' ? 'test' : 'spec'}.ts`]: TESTS[testRunner](place) }),
  };
}

const entity = ({ names }: Place): string => `import { CrudValidationGroups } from '@nestwright/crud';
import { IsOptional, Length } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

const { UPDATE } = CrudValidationGroups;

@Entity('${names.plural.replaceAll('-', '_')}')
export class ${names.Singular} {
  @PrimaryGeneratedColumn()
  id!: number;

  // Required when a record is created, optional when it is updated.
  @IsOptional({ groups: [UPDATE] })
  @Length(1, 200, { always: true })
  @Column({ length: 200 })
  name!: string;
}
`;

const TABLES: Readonly<Record<Dialect, { imports: string; table: string; id: string; text: string }>> = {
  sqlite: {
    imports: 'integer, sqliteTable, text',
    table: 'sqliteTable',
    id: 'integer().primaryKey({ autoIncrement: true })',
    text: 'text({ length: 200 })',
  },
  pg: {
    imports: 'pgTable, serial, varchar',
    table: 'pgTable',
    id: 'serial().primaryKey()',
    text: 'varchar({ length: 200 })',
  },
  mysql: {
    imports: 'int, mysqlTable, varchar',
    table: 'mysqlTable',
    id: 'int().autoincrement().primaryKey()',
    text: 'varchar({ length: 200 })',
  },
};

function table({ names, application: { dialect } }: Place): string {
  const columns = TABLES[dialect];

  return `import { ${columns.imports} } from 'drizzle-orm/${dialect}-core';

export const ${names.table} = ${columns.table}('${names.plural.replaceAll('-', '_')}', {
  id: ${columns.id},
  name: ${columns.text}.notNull(),
});
`;
}

const typeOrmService = ({
  names,
  application: { extension },
}: Place): string => `import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { ${names.Singular} } from './${names.singular}.entity${extension}';

@Injectable()
export class ${names.Plural}Service extends TypeOrmCrudService<${names.Singular}> {
  constructor(@InjectRepository(${names.Singular}) ${names.table}: Repository<${names.Singular}>) {
    super(${names.table});
  }
}
`;

const drizzleService = ({
  names,
  up,
  application: { extension },
}: Place): string => `import { Inject, Injectable } from '@nestjs/common';
import { DrizzleCrudService } from '@nestwright/crud-drizzle';
import { DATABASE, type Database } from '${up}database${extension}';
import { ${names.table} } from './${names.plural}.schema${extension}';

@Injectable()
export class ${names.Plural}Service extends DrizzleCrudService<typeof ${names.table}, Database> {
  constructor(@Inject(DATABASE) db: Database) {
    super(db, ${names.table});
  }
}
`;

function controller({ names, application: { orm, extension } }: Place): string {
  const [model, file] =
    orm === 'typeorm' ? [names.Singular, `${names.singular}.entity`] : [names.table, `${names.plural}.schema`];
  const imports = [
    [file, model],
    [`${names.plural}.service`, `${names.Plural}Service`],
  ]
    .sort()
    .map(([from, name]) => `import { ${name} } from './${from}${extension}';`);

  return `import { Controller } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
${imports.join('\n')}

@Crud({ model: { type: ${model} } })
@Controller('${names.plural}')
export class ${names.Plural}Controller {
  constructor(public service: ${names.Plural}Service) {}
}
`;
}

function module({ names, application: { orm, extension } }: Place): string {
  const own = (name: string, kind: string) => `import { ${name} } from './${names.plural}.${kind}${extension}';\n`;
  const services = own(`${names.Plural}Controller`, 'controller') + own(`${names.Plural}Service`, 'service');
  const declared = `controllers: [${names.Plural}Controller],
  providers: [${names.Plural}Service],
})
export class ${names.Plural}Module {}
`;

  return orm === 'typeorm'
    ? `import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ${names.Singular} } from './${names.singular}.entity${extension}';
${services}
@Module({
  imports: [TypeOrmModule.forFeature([${names.Singular}])],
  ${declared}`
    : `import { Module } from '@nestjs/common';
${services}
@Module({
  ${declared}`;
}

/** Serves the application with its own database, and reads the list. */
const body = (
  plural: string,
  hooks: { before: string; after: string },
  equal: (came: string, wanted: string) => string,
): string => `let app: INestApplication;

${hooks.before}(async () => {
  app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0);
});
${hooks.after}(() => app.close());

test('GET /${plural} answers a list', async () => {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const response = await fetch(\`http://localhost:\${port}/${plural}\`);
  ${equal('response.status', '200')};
  ${equal('Array.isArray(await response.json())', 'true')};
});
`;

const imports = ({
  up,
  application: { extension },
}: Place): string => `import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '${up}app.module${extension}';

`;
const expecting = (came: string, wanted: string): string => `expect(${came}).toBe(${wanted})`;

const TESTS: Readonly<Record<TestRunner, (place: Place) => string>> = {
  node: (place) => `import { equal } from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
${imports(place)}process.env['DATABASE_URL'] ??= 'memory';

${body(place.names.plural, { before: 'before', after: 'after' }, (came, wanted) => `equal(${came}, ${wanted})`)}`,
  vitest: (place) => `import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
${imports(place)}${body(place.names.plural, { before: 'beforeAll', after: 'afterAll' }, expecting)}`,
  jest: (place) => `import type { AddressInfo } from 'node:net';
${imports(place)}${body(place.names.plural, { before: 'beforeAll', after: 'afterAll' }, expecting)}`,
};
