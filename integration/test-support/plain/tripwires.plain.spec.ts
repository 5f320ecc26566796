/** That nothing takes a fast path unnoticed in the run with fast paths off: every place that asks has a tripwire, and with the paths on each of them trips. */
import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Controller, type INestApplication, UseInterceptors } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Column, DataSource, type DataSourceOptions, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases, listen } from '../index.js';
import { TAKEN, TRIPWIRES } from './tripwires.js';

// Read when the library is loaded, so that it is imported after it.
process.env['NESTWRIGHT_FAST_PATHS'] = 'on';

const { Crud, CrudRequestInterceptor, CrudResponseInterceptor, CrudRoutesFactory, WRITE_JSON } =
  await import('@nestwright/crud');
const { TypeOrmCrudService } = await import('@nestwright/crud-typeorm');
const { acceptingValidator } = await import('../../../packages/crud/src/validation/accepting.js');
const { serialize } = await import('../../../packages/crud/src/serialization/serialize.js');

const PACKAGES = join(import.meta.dirname, '../../../packages');
/** Where the setting lives, which asks nothing. */
const SETTINGS = ['crud/src/fast-paths.ts', 'crud-typeorm/src/database-options.ts'];

/** A service that writes JSON itself, under a symbol that is only known at run time. */
type Writer = Record<symbol, (...parameters: unknown[]) => unknown>;

test('every place that asks whether fast paths are on has a tripwire', () => {
  const sources = readdirSync(PACKAGES).flatMap((name) =>
    readdirSync(join(PACKAGES, name, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${name}/src/${path.replaceAll('\\', '/')}`),
  );
  const asking = sources.filter(
    (path) =>
      !SETTINGS.includes(path) && /\bFAST_PATHS\b|\bfastPaths\b/.test(readFileSync(join(PACKAGES, path), 'utf8')),
  );

  expect(asking.sort()).toEqual(TRIPWIRES.map(({ asks }) => asks).sort());
});

describeDatabases(
  'with fast paths on',
  (db) => {
    @Entity('stone')
    class Stone {
      @PrimaryGeneratedColumn() id!: number;
      @Column({ type: 'varchar' }) name!: string;
    }

    class StoneService extends TypeOrmCrudService<Stone> {}

    @Crud({ model: { type: Stone } })
    @Controller('stones')
    class Stones {
      constructor(readonly service: StoneService) {}
    }

    /** Its handlers do not answer by themselves. */
    class Apart extends CrudRoutesFactory {
      protected override setInterceptors(name: 'getManyBase'): void {
        const descriptor = Object.getOwnPropertyDescriptor(this.targetProto, name)!;

        UseInterceptors(CrudRequestInterceptor, CrudResponseInterceptor)(this.targetProto, name, descriptor);
      }
    }

    @Crud({ model: { type: Stone }, routesFactory: Apart })
    @Controller('pebbles')
    class Pebbles {
      constructor(readonly service: StoneService) {}
    }

    const request = {
      parsed: { fields: [], paramsFilter: [], search: {}, filter: [], or: [], join: [], sort: [], extra: {} },
      scope: {},
      options: {},
    } as never;
    let source: DataSource;
    let service: StoneService;
    let app: INestApplication;
    let url: string;

    const ask = async (path: string, name: string) => {
      const { status } = await fetch(`${url}/${path}`);
      if (status === 500) throw new Error(name);
    };

    const WAYS: Record<string, () => unknown> = {
      wantText: () => ask('pebbles', 'wantText'),
      arrivalIn: () => ask('stones', 'arrivalIn'),
      plainValue: () => serialize(Object.assign(new Stone(), { id: 1 }), Stone),
      instancesOf: () => acceptingValidator({ type: Stone, validation: {} } as never, {} as never),
      arrayQueryOf: () => service.getMany(request),
      recordPlanOf: () => (service as unknown as Writer)[WRITE_JSON]!('getMany', request, Stone, () => undefined),
      answerOf: () => service.createOne(request, { name: 'flint' }),
    };

    beforeAll(async () => {
      source = new DataSource({ ...db.connection, entities: [Stone], synchronize: true } as DataSourceOptions);
      service = new StoneService((await source.initialize()).getRepository(Stone));
      const module = await Test.createTestingModule({
        controllers: [Stones, Pebbles],
        providers: [{ provide: StoneService, useValue: service }],
      }).compile();
      ({ app, url } = await listen(module, 'express', { logger: false }));
    });
    afterAll(async () => {
      await app?.close();
      await source?.destroy();
    });

    test.each(TRIPWIRES)('$function trips', async ({ function: name }) => {
      await expect((async () => WAYS[name]!())()).rejects.toThrow(name);

      const taken = (globalThis as Record<symbol, unknown>)[Symbol.for(TAKEN)] as string[];
      expect([...new Set(taken.splice(0))]).toEqual([name]);
    });
  },
  ['postgres'],
);
