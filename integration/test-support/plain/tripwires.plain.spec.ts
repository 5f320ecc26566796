/** That nothing takes a fast path unnoticed in the run with fast paths off: every place that asks has a tripwire, and with the paths on each of them trips. */
import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { Application } from '../../../packages/crud-typeorm/test/support/resources.js';
import { filesIn, ROOT } from '../../../scripts/test/markdown.js';
import { describeDatabases } from '../index.js';
import { TAKEN, TRIPWIRES } from './tripwires.js';

// Read when the library is loaded, so that it is imported after it.
process.env['NESTWRIGHT_FAST_PATHS'] = 'on';

const { RESULT } = await import('@nestwright/crud/adapter');
const { resource, serve } = await import('../../../packages/crud-typeorm/test/support/resources.js');
const { makeBodyValidator } = await import('../../../packages/crud/src/validation/body-validator.js');
const { serialize } = await import('../../../packages/crud/src/serialization/serialize.js');

/** Where the setting lives, which asks nothing. */
const SETTINGS = [
  'crud/src/fast-paths.ts',
  'crud/src/adapter.ts',
  'sql/src/database/database.ts',
  'sql/src/database/default-options.ts',
  'sql/src/database/fast-paths.ts',
  'crud-typeorm/src/typeorm/database-options.ts',
];

/** A service that answers with results, under a symbol that is only known at run time. */
type Answering = Record<symbol, (...parameters: unknown[]) => Promise<{ text(model: unknown): unknown }>>;

test('every place that asks whether fast paths are on has a tripwire', () => {
  const sources = readdirSync(join(ROOT, 'packages')).flatMap((name) => filesIn(`packages/${name}/src`));
  const asks = (path: string) =>
    /\bFAST_PATHS\b|\bfastPaths\b|\btakesFastPath\b/.test(readFileSync(join(ROOT, path), 'utf8'));
  const asking = sources.filter(asks).map((path) => path.replaceAll('\\', '/').replace('packages/', ''));
  expect(asking.sort()).toEqual([...SETTINGS, ...TRIPWIRES.map((wire) => wire.asks)].sort());
});

describeDatabases(
  'with fast paths on',
  (db) => {
    @Entity('stone')
    class Stone {
      @PrimaryGeneratedColumn() id!: number;
      @Column({ type: 'varchar' }) name!: string;
    }

    const stones = resource(Stone, 'stones');
    const request = {
      parsed: { fields: [], paramsFilter: [], search: {}, filter: [], or: [], join: [], sort: [], extra: {} },
      scope: {},
      options: {},
    } as never;
    let served: Application;
    let service: TypeOrmCrudService<Stone>;

    const WAYS: Record<string, () => unknown> = {
      handleRequest: async () => {
        if ((await served.send('get', '/stones')).status === 500) throw new Error('handleRequest');
      },
      plainValue: () => serialize(Object.assign(new Stone(), { id: 1 }), Stone),
      makeInstanceMaker: () => makeBodyValidator({ type: Stone, validation: {} } as never)({}, new Set()),
      findTextSupport: () => service.getMany(request),
      // Rows of a transaction are no arrays.
      makeRecordPlan: () =>
        served.source.transaction(async (manager) => {
          const result = await (service.within(manager) as unknown as Answering)[RESULT]!('getMany', request);
          return result.text(Stone);
        }),
      makeReturningClause: () => service.createOne(request, { name: 'flint' }),
    };

    beforeAll(async () => {
      served = await serve(db, [Stone], [stones], { nest: { logger: false } });
      service = served.app.get(stones.provider);
    });
    afterAll(() => served?.app.close());

    test.each(TRIPWIRES)('$function trips', async ({ function: name }) => {
      await expect((async () => WAYS[name]!())()).rejects.toThrow(name);
      const taken = (globalThis as Record<symbol, unknown>)[Symbol.for(TAKEN)] as string[];
      expect([...new Set(taken.splice(0))]).toEqual([name]);
    });
  },
  ['postgres'],
);
