/** What `@BeforeUpdate()` sees of hidden columns, over HTTP on each database: as with `save` of a record that was found, nothing that the body does not carry. A listener that hashes a password would hash the hash. */
import { beforeEach, expect, test } from '@jest/globals';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { empty } from '../support/connecting.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const hashed = (text: string) => `hash of ${text}`;
const turned = (text: string) => text.split('').reverse().join('');

/** As a cipher is: texts alone, or an error. */
const cipher = { to: turned, from: turned };

@orm.Entity('veiled_clubs')
class Club {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 80 }) name!: string;
  @orm.OneToMany(() => Player, (player) => player.club, { cascade: ['insert', 'update'] })
  players!: orm.Relation<Player>[];
}

@orm.Entity('veiled_players')
class Player {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 80, unique: true }) name!: string;
  @orm.Column({ type: 'varchar', length: 80, default: 'none' }) team!: string;
  @orm.Column({ type: 'varchar', length: 80, default: 'p' }) pin!: string;
  @orm.Column({ type: 'varchar', length: 80, default: 'edoc', select: false, transformer: cipher }) code!: string;
  @orm.ManyToOne(() => Club, (club) => club.players, { orphanedRowAction: 'nullify' }) club!: orm.Relation<Club> | null;

  @orm.BeforeUpdate() hash(): void {
    if (this.pin) this.pin = hashed(this.pin);
    if (this.code) this.code = hashed(this.code);
  }
}

const exclude: 'pin'[] = ['pin'];
const onConflict: 'name'[] = ['name'];

const RESOURCES = [
  resource(Player, 'players', {
    query: { exclude },
    routes: { updateManyBase: {}, createOneBase: { onConflict }, createManyBase: { onConflict } },
  }),
  resource(Player, 'persisted', { query: { allow: ['name', 'team'], persist: exclude } }),
  resource(Player, 'matching', { query: { exclude }, routes: { updateManyBase: { byCondition: true } } }),
  resource(Club, 'clubs', { query: { join: { players: { eager: true, exclude } } } }),
];

describeDatabases('hidden columns', (db) => {
  const served = serving(db, [Club, Player], RESOURCES);
  beforeEach(async () => {
    const { source } = served;
    await empty(source);
    await source.getRepository(Club).insert({ id: 1, name: 'Reds' });
    await source.getRepository(Player).insert([{ ...ANN, club: { id: 1 } }, BOB]);
  });

  const ANN = { id: 1, name: 'Ann', pin: 'p', code: 'c', team: 'none' };
  const BOB = { id: 2, name: 'Bob', pin: 'q', code: 'd', team: 'none' };
  const NEW = { pin: '2', code: 'n' };
  const TWO = [{ id: 1, team: 'x' }, { id: 2, pin: '2' }]; // prettier-ignore
  const [POSTED, HASHED] = ['n', hashed('n')].map((code) => ({ team: 'y', code })) as [object, object];

  test.each<[title: string, method: 'patch' | 'post', path: string, body: object, ann: object, bob?: object]>([
    ['by query.exclude and select: false', 'patch', 'players/1', { team: 'x' }, { team: 'x' }],
    ['unless the body has them', 'patch', 'players/1', NEW, { pin: hashed('2'), code: hashed('n') }],
    ['unless query.persist reads them', 'patch', 'persisted/1', { team: 'x' }, { team: 'x', pin: hashed('p') }],
    ['in bulk', 'patch', 'players/bulk', { bulk: TWO }, { team: 'x' }, { pin: hashed('2') }],
    ['by a condition', 'patch', 'matching/bulk?filter=name||$eq||Ann', { set: { team: 'x' } }, { team: 'x' }],
    ['where POST updates', 'post', 'players', { id: 1, name: 'Ann', ...POSTED }, HASHED],
    ['where a bulk POST updates', 'post', 'players/bulk', { bulk: [{ id: 2, name: 'Bob', ...POSTED }] }, {}, HASHED],
    ['in nested records', 'patch', 'clubs/1', { players: [{ id: 1, team: 'x' }] }, { team: 'x' }],
    ['in records that a list lacks, which are unlinked', 'patch', 'clubs/1', { players: [] }, {}],
  ])('stay as they are: %s', async (_title, method, path, body, ann, bob = {}) => {
    const answer = await served.send(method, `/${path}`, body);
    const hidden = path.startsWith('persisted') ? /code/ : /pin|code/;
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.not.stringMatching(hidden)]);
    const select = { id: true, name: true, pin: true, code: true, team: true };
    const stored = await served.source.getRepository(Player).find({ select, order: { id: 'ASC' } });
    expect(stored).toEqual([{ ...ANN, ...ann }, { ...BOB, ...bob }]); // prettier-ignore
  });
});
