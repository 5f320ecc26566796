/** The resources of notes and their services, served while the tests of a block run; each test begins with empty tables and services that do nothing. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { listen, type TestDatabase } from '../../../../integration/test-support/index.js';
import { clear, CONTROLLERS, providersOf, servicesOf, sourceOf } from './application.js';

type Method = 'post' | 'patch' | 'put' | 'delete';
/** What the module has besides, and further options of the data source. */
type Options = Pick<ModuleMetadata, 'imports' | 'providers'> & { readonly source?: object };

export function servingChanges(db: TestDatabase, { imports = [], providers = [], source: more }: Options = {}) {
  const source = sourceOf(db.connection, more);
  const services = servicesOf(source);
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    await source.initialize();
    const module = await Test.createTestingModule({
      imports,
      controllers: CONTROLLERS,
      providers: [...providers, ...providersOf(services)],
    }).compile();
    ({ app, url } = await listen(module, 'express', { logger: false }));
  });
  beforeEach(async () => {
    await clear(source);
    services.notes.reset();
  });
  afterAll(async () => {
    await app.close();
    await source.destroy();
  });

  /** The body of an answer with the expected status: any JSON. */
  const write = async (method: Method, path: string, body?: object, status = 200): Promise<any> =>
    (await request(url)[method](path).send(body).expect(status)).body;
  return { ...services, source, write, app: () => app };
}
