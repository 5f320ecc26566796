/** Updates in bulk, upserts, nested records and child entities → listeners see no hidden columns there either, over HTTP on each database. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type INestApplication } from '@nestjs/common';
import {
  BeforeUpdate,
  ChildEntity,
  Column,
  DataSource,
  Entity,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type Relation,
  TableInheritance,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Application, resource, serve } from '../support/resources.js';

const hashed = (text: string) => `hash of ${text}`;

/** As a cipher is: texts alone, or an error. */
const cipher = {
  to: (text: string) => text.split('').reverse().join(''),
  from: (text: string) => text.split('').reverse().join(''),
};

@Entity('veiled_clubs')
class Club {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 80 }) name!: string;
  @OneToMany(() => Player, (player) => player.club, { cascade: ['insert', 'update'] }) players!: Relation<Player>[];
}

@Entity('veiled_players')
class Player {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 80, unique: true }) name!: string;
  @Column({ type: 'varchar', length: 80, default: 'none' }) team!: string;
  @Column({ type: 'varchar', length: 80, default: 'p' }) pin!: string;
  @Column({ type: 'varchar', length: 80, default: 'edoc', select: false, transformer: cipher }) code!: string;
  @ManyToOne(() => Club, (club) => club.players, { orphanedRowAction: 'nullify' }) club!: Relation<Club> | null;

  @BeforeUpdate() hash(): void {
    if (this.pin) this.pin = hashed(this.pin);
    if (this.code) this.code = hashed(this.code);
  }
}

@Entity('veiled_papers')
@TableInheritance({ column: { name: 'kind', type: 'varchar' } })
class Paper {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) kind!: string;
  @Column({ type: 'varchar', length: 80 }) name!: string;

  @BeforeUpdate() stamp(): void {
    this.name += ' by Paper';
  }
}

@ChildEntity('letter')
class Letter extends Paper {
  @Column({ type: 'varchar', length: 80, nullable: true }) to!: string | null;

  @BeforeUpdate() address(): void {
    this.name += ' by Letter';
  }
}

const exclude: 'pin'[] = ['pin'];

describeDatabases('hidden columns', (db) => {
  let source: DataSource;
  let app: INestApplication;
  let send: Application['send'];

  beforeAll(async () => {
    ({ app, source, send } = await serve(
      db,
      [Club, Player, Paper, Letter],
      [
        resource(Player, 'players', {
          query: { exclude },
          routes: {
            updateManyBase: {},
            replaceManyBase: {},
            createOneBase: { onConflict: ['name'] },
            createManyBase: { onConflict: ['name'] },
          },
        }),
        resource(Player, 'matching', { query: { exclude }, routes: { updateManyBase: { byCondition: true } } }),
        resource(Club, 'clubs', { query: { join: { players: { eager: true, exclude } } } }),
        resource(Paper, 'papers', { query: { allow: ['name'] } }),
      ],
    ));
  });

  afterAll(() => app?.close());

  beforeEach(async () => {
    for (const entity of [Player, Club, Paper]) await source.createQueryBuilder().delete().from(entity).execute();
    await source.getRepository(Club).insert({ id: 1, name: 'Reds' });
    await source.getRepository(Player).insert([
      { id: 1, name: 'Ann', pin: 'p', code: 'c', club: { id: 1 } },
      { id: 2, name: 'Bob', pin: 'q', code: 'd' },
    ]);
    await source.getRepository(Letter).insert({ id: 1, name: 'one', to: 'Ann' });
  });

  const stored = (id: number) =>
    source
      .getRepository(Player)
      .findOneOrFail({ where: { id }, select: { id: true, name: true, pin: true, code: true, team: true } });
  const ANN = { id: 1, name: 'Ann', pin: 'p', code: 'c' };
  const BOB = { id: 2, name: 'Bob', pin: 'q', code: 'd' };

  test('stay as they are in bulk', async () => {
    const bulk = [
      { id: 1, team: 'x' },
      { id: 2, team: 'y' },
    ];
    const { status } = await send('patch', '/players/bulk', { bulk });
    expect(status).toBe(200);
    expect(await stored(1)).toEqual({ ...ANN, team: 'x' });
    expect(await stored(2)).toEqual({ ...BOB, team: 'y' });
    await send('patch', '/players/bulk', { bulk: [{ id: 1, pin: 'new' }] });
    expect(await stored(1)).toEqual({ ...ANN, team: 'x', pin: hashed('new') });
  });

  test('stay as they are where a condition names the records', async () => {
    const { status } = await send('patch', '/matching/bulk?filter=name||$eq||Ann', { set: { team: 'x' } });
    expect(status).toBe(200);
    expect(await stored(1)).toEqual({ ...ANN, team: 'x' });
  });

  test('stay as they are where POST updates', async () => {
    const { status } = await send('post', '/players', { id: 1, name: 'Ann', team: 'x', code: 'new' });
    expect(status).toBe(200);
    expect(await stored(1)).toEqual({ ...ANN, team: 'x', code: hashed('new') });
    await send('post', '/players/bulk', { bulk: [{ id: 2, name: 'Bob', team: 'y', code: 'new' }] });
    expect(await stored(2)).toEqual({ ...BOB, team: 'y', code: hashed('new') });
  });

  test('stay as they are in nested records', async () => {
    const { status, body } = await send('patch', '/clubs/1', { players: [{ id: 1, team: 'x' }] });
    expect({ status, body }).toEqual({
      status: 200,
      body: { id: 1, name: 'Reds', players: [{ id: 1, name: 'Ann', team: 'x' }] },
    });
    expect(await stored(1)).toEqual({ ...ANN, team: 'x' });
  });

  test('stay as they are in records that a list lacks, which are unlinked', async () => {
    const { status, body } = await send('patch', '/clubs/1', { players: [] });
    expect({ status, body }).toEqual({ status: 200, body: { id: 1, name: 'Reds', players: [] } });
    expect(await stored(1)).toEqual({ ...ANN, team: 'none' });
  });

  test('that a listener sets are stored', async () => {
    const { status } = await send('patch', '/players/1', { team: 'x', code: 'new' });
    expect(status).toBe(200);
    expect(await stored(1)).toEqual({ ...ANN, team: 'x', code: hashed('new') });
  });

  test('keep the class of a record: listeners of a child entity are called', async () => {
    const { status } = await send('patch', '/papers/1', { name: 'two' });
    expect(status).toBe(200);
    const letter = await source.getRepository(Letter).findOneByOrFail({ id: 1 });
    expect(letter).toMatchObject({ kind: 'letter', to: 'Ann' });
    expect(letter.name.split(' by ').sort()).toEqual(['Letter', 'Paper', 'two']);
  });
});
