/** Texts of applications that use the packages as they are published. */

/** An application of one resource, which asks itself, closes and ends. */
export function applicationAs(type: 'module' | 'commonjs'): string {
  const names = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', '@nestwright/crud', 'reflect-metadata'];
  const modules =
    type === 'module'
      ? `const [common, core, , { Crud, CrudService }] = await Promise.all(${JSON.stringify(names)}.map((name) => import(name)));`
      : `const [common, core, , { Crud, CrudService }] = ${JSON.stringify(names)}.map((name) => require(name));`;
  return `
    ${modules}
    class Note {}
    class Notes extends CrudService {
      getOne() { return Promise.resolve({ id: 1 }); }
    }
    class NotesController { constructor(service) { this.service = service; } }
    Reflect.defineMetadata('design:paramtypes', [Notes], NotesController);
    common.Controller('notes')(NotesController);
    Crud({ model: { type: Note }, routes: { only: ['getOneBase'] } })(NotesController);
    class AppModule {}
    common.Module({ controllers: [NotesController], providers: [Notes] })(AppModule);

    (async () => {
      const app = await core.NestFactory.create(AppModule, { logger: false, abortOnError: false });
      await app.listen(0, '127.0.0.1');
      const get = async (path) => (await fetch((await app.getUrl()) + path)).text();
      console.log(await get('/notes/1'), JSON.parse(await get('/notes/x')).code);
      await app.close();
    })();
  `;
}

/** An application as ES module, whose service is CommonJS. */
export const MIXED_APPLICATION = `
  import 'reflect-metadata';
  import '@nestjs/platform-express';
  import { createRequire } from 'node:module';
  import { Controller, Module } from '@nestjs/common';
  import { NestFactory } from '@nestjs/core';
  import { Crud } from '@nestwright/crud';
  import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
  const { TypeOrmCrudService } = createRequire(import.meta.url)('@nestwright/crud-typeorm');

  class Note {}
  PrimaryGeneratedColumn()(Note.prototype, 'id');
  Column({ type: 'varchar' })(Note.prototype, 'text');
  Entity()(Note);
  class NotesController { constructor(service) { this.service = service; } }
  Reflect.defineMetadata('design:paramtypes', [TypeOrmCrudService], NotesController);
  Controller('notes')(NotesController);
  Crud({ model: { type: Note } })(NotesController);

  const source = await new DataSource({ type: 'sqljs', entities: [Note], synchronize: true }).initialize();
  class AppModule {}
  const service = { provide: TypeOrmCrudService, useValue: new TypeOrmCrudService(source.getRepository(Note)) };
  Module({ controllers: [NotesController], providers: [service] })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()) + '/notes';
  const headers = { 'content-type': 'application/json' };
  const sent = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ text: 'a' }) });
  const answers = [sent, ...(await Promise.all([url, url + '/1', url + '/2'].map((each) => fetch(each))))];
  console.log(JSON.stringify(await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]))));
  await app.close();
`;

/** What uses the types of the packages. */
export const TYPED_SOURCE = `
  import { Crud, type CrudController } from '@nestwright/crud';
  import type { Catalog } from '@nestwright/crud/adapter';
  import { RequestQueryBuilder } from '@nestwright/crud-request';
  import { TypeOrmCrudService } from '@nestwright/crud-typeorm';

  class User { id!: number }
  export class UsersService extends TypeOrmCrudService<User> {}
  @Crud({ model: { type: User } })
  export class UsersController implements CrudController<User> {
    constructor(public service: UsersService) {}
  }
  export const query: string = RequestQueryBuilder.create().setLimit(1).query();
  export const columnsOf = (catalog: Catalog): readonly string[] => [...catalog.columns.keys()];
  // @ts-expect-error The types are there: a string is no number.
  export const wrong: number = RequestQueryBuilder.create().setLimit(1).query();
`;
