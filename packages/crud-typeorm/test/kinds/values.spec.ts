/** Every shape of JSON for a column of every type, on each route that writes → exactly what the column stores of it, or a 400; never a 500, and never a change of another column. */
import { expect, test } from '@jest/globals';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { COLUMNS, SHAPES, TEXTS, VALUES } from './every-value.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

/** Each value goes to each column by one of the four routes, in turn, or by every one (`VALUE_ROUTES=all`). */
const EVERY_ROUTE = process.env['VALUE_ROUTES'] === 'all';

/** An answer's status beside what it shows of one column. */
type Seen = readonly [status: number, value?: unknown];

describeDatabases('values of bodies', (db) => {
  class Thing {
    id!: number;
    role!: string;
  }

  const columns = { ...COLUMNS.common, ...COLUMNS[db.kind] };
  PrimaryColumn({ type: 'int' })(Thing.prototype, 'id');
  Column({ type: 'varchar', default: 'guest' })(Thing.prototype, 'role');
  for (const [name, [type, , options]] of Object.entries(columns))
    Column({ type, nullable: true, ...options } as object)(Thing.prototype, name);
  Entity('things')(Thing);
  const things = resource(Thing, 'things', { params: { id: { field: 'id', type: 'number', primary: true } } });
  const EMPTY = { role: 'guest', ...Object.fromEntries(Object.keys(columns).map((name) => [name, null])) };
  const own = serving(db, [Thing], [things], { platform: 'fastify', nest: { logger: false } });
  let lastId = 0;

  /** What an answer shows of a column, once all others were seen to be untouched. */
  function seen({ status, body }: { status: number; body: unknown }, id: number, column: string): Seen {
    if (status >= 300) return [status];
    const { [column]: value, ...rest } = [body].flat()[0] as Record<string, unknown>;
    expect({ ...rest, [column]: null }).toEqual({ ...EMPTY, id });
    return [status, value];
  }

  const names = Object.keys(columns);

  test.each(names)('%s stores a value as it is, or refuses it', async (column) => {
    const [, stored] = columns[column]!;
    const routes = {
      POST: (value: unknown, id: number) => own.send('post', '/things', { id, [column]: value }),
      bulk: (value: unknown, id: number) => own.send('post', '/things/bulk', { bulk: [{ id, [column]: value }] }),
      PATCH: async (value: unknown, id: number) => {
        await own.send('post', '/things', { id });
        return own.send('patch', `/things/${id}`, { [column]: value });
      },
      PUT: (value: unknown, id: number) => own.send('put', `/things/${id}`, { [column]: value }),
    };
    const answers: Record<string, Seen> = {};
    const expected: typeof answers = {};
    for (const [turn, [route, sendBy]] of Object.entries(routes).entries()) {
      const isTurn = (index: number) => EVERY_ROUTE || (names.indexOf(column) + index) % 4 === turn;
      const given = Object.entries(VALUES).filter((_, index) => isTurn(index));
      const sent = given.map(async ([name, value], index) => {
        const id = lastId + 1 + index;
        const success = [route === 'PATCH' ? 200 : 201, stored[name as keyof typeof stored]] as const;
        expected[`${route} ${name}`] = name in stored ? success : [400];
        answers[`${route} ${name}`] = seen(await sendBy(value, id), id, column);
      });
      lastId += given.length;
      await Promise.all(sent);
    }
    expect(answers).toEqual(expected);
  });

  test('nothing but these columns was written', async () =>
    expect(await own.source.query('SELECT DISTINCT role FROM things')).toEqual([{ role: 'guest' }]));

  test('no condition with such a value is a fault of the server', async () => {
    const search = (column: string, condition: object) =>
      `s=${encodeURIComponent(JSON.stringify({ [column]: condition }))}`;
    const conditions = names.flatMap((column) => [
      ...Object.values(TEXTS).map((text) => `filter=${column}||eq||${encodeURIComponent(text)}`),
      ...Object.values(VALUES).map((value) => search(column, { $in: [value] })),
      ...Object.values(SHAPES).map((value) => search(column, { $cont: value })),
    ]);
    const faults: string[] = [];
    for (let start = 0; start < conditions.length; start += 20) {
      await Promise.all(
        conditions.slice(start, start + 20).map(async (condition) => {
          const { status } = await fetch(`${own.url}/things?limit=1&fields=id&${condition}`);
          if (status >= 500) faults.push(condition);
        }),
      );
    }
    expect(faults).toEqual([]);
  });
});
