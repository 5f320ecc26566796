/** Bodies of many records that are drawn at random, with names that every object inherits and values of any type → no fault of the server, and of a bulk that is refused nothing is stored. `BULK_ATTACKS` says how many. */
import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Column, DeleteDateColumn, Entity, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { anyCharacter, describeDatabases, sampleCount } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const ATTACKS = Number(process.env['BULK_ATTACKS'] ?? sampleCount(100));

@Entity('bulk_bodies')
@Unique(['name'])
class Parcel {
  @PrimaryColumn({ type: 'varchar', length: 12 }) street!: string;
  @PrimaryColumn({ type: 'int' }) number!: number;
  @Column({ type: 'varchar', length: 10, nullable: true }) name!: string | null;
  @Column({ type: 'decimal', precision: 6, scale: 2, nullable: true }) price!: string | null;
  @Column({ type: 'simple-json', nullable: true }) tags!: unknown;
  @VersionColumn() version!: number;
  @DeleteDateColumn() deletedAt!: Date | null;
}

const parcels = resource(Parcel, 'parcels', {
  validation: false,
  params: {
    street: { field: 'street', type: 'string', primary: true },
    number: { field: 'number', type: 'number', primary: true },
  },
  query: { softDelete: true },
  routes: { updateManyBase: { maxBulk: 8 }, replaceManyBase: true, deleteManyBase: true, recoverManyBase: true },
});

const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    '',
    'x',
    '0',
    '1',
    '1e3',
    '9'.repeat(40),
    -1,
    0.5,
    1e308,
    2 ** 53,
    'a\0b',
    '\ud800',
    '😀',
  ),
  fc.constantFrom([], {}, [1], { id: 1 }, { $ne: null }, { toString: 1 }, [[]], 'é', 'E\u0301', 'Ada '),
  fc.string({ unit: anyCharacter, maxLength: 14 }),
);
const street = fc.oneof({ arbitrary: fc.constantFrom('Elm', 'elm', 'Oak', 'Élan'), weight: 12 }, odd);
const number = fc.oneof({ arbitrary: fc.constantFrom(1, 2, '1', '02', 3), weight: 12 }, odd);
const item = fc.oneof(
  {
    arbitrary: fc.record(
      {
        street,
        number,
        name: fc.oneof(fc.constantFrom('a', 'b', null, 'far too long for this'), odd),
        price: fc.oneof(fc.constantFrom('1.5', 2, '99999.999', -3), odd),
        tags: odd,
        version: fc.oneof(fc.constantFrom(1, 2, '1'), odd),
        deletedAt: odd,
        unknown: odd,
      },
      { requiredKeys: ['street', 'number'] },
    ),
    weight: 9,
  },
  { arbitrary: odd, weight: 1 },
);
/** As text, since a literal's `__proto__` is no key. */
const inherited = fc.constantFrom('', '', '', '"__proto__":{"street":"Elm","number":1},', '"constructor":{"prototype":{"polluted":1}},', '"hasOwnProperty":1,'); // prettier-ignore
const body = fc.oneof(
  {
    arbitrary: fc.tuple(fc.array(fc.tuple(inherited, item), { maxLength: 5 }), inherited).map(([items, around]) => {
      const texts = items.map(([key, one]) => JSON.stringify(one).replace(/^\{(?=")/, `{${key}`));

      return `{${around}"bulk":[${texts.join(',')}]}`;
    }),
    weight: 12,
  },
  { arbitrary: fc.constantFrom('', '[]', '{', '{}', 'null', '{"bulk":null}', '{"bulk":{"length":1}}', '{"bulk":"Elm"}', `{"bulk":[${'['.repeat(300)}${']'.repeat(300)}]}`, `{"bulk":[${Array<string>(9).fill('{"street":"Elm","number":1}').join(',')}]}`), weight: 1 }, // prettier-ignore
);
const attack = fc.record({
  body,
  method: fc.constantFrom(['PATCH', ''], ['PATCH', ''], ['PUT', ''], ['PUT', ''], ['DELETE', ''], ['POST', '/delete'], ['PATCH', '/recover']), // prettier-ignore
});

describeDatabases('bodies of many records', (db) => {
  const app = serving(db, [Parcel], [parcels]);

  beforeEach(async () => {
    const repository = app.source.getRepository(Parcel);
    await repository.clear();
    for (const [index, place] of ['Elm', 'Oak'].entries())
      for (const nth of [1, 2]) await repository.insert({ street: place, number: nth, name: `${index}${nth}` });
  });

  test('are stored whole or refused, and never a fault', async () => {
    const faults: unknown[] = [];
    const seen = { stored: 0, refused: 0 };
    const rows = async () =>
      JSON.stringify(
        await app.source.getRepository(Parcel).find({ withDeleted: true, order: { street: 'ASC', number: 'ASC' } }),
      );
    let before = await rows();

    for (const {
      body: text,
      method: [method, suffix],
    } of fc.sample(attack, { seed: 77, numRuns: ATTACKS })) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${app.url}/parcels/bulk${suffix}`, { method: method!, headers, body: text });
      const told = await answer.text();
      const after = await rows();
      if (answer.status < 300) seen.stored += 1;
      else if (answer.status < 500 && after === before) seen.refused += 1;
      else faults.push([method, suffix, text, answer.status, told, after === before]);
      before = after;
    }

    expect(faults.slice(0, 10)).toEqual([]);
    expect(seen.stored).toBeGreaterThan(ATTACKS / 20);
    expect(seen.refused).toBeGreaterThan(ATTACKS / 10);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  }, 600_000);
});
