/** Every member of nestjsx/crud's and @dataui/crud's services that a subclass can override is called by a route here, or stops the start with what to use instead. */
import { expect, test } from '@jest/globals';
import { CHECK_START, type ResourceDefinition } from '@nestwright/crud/adapter';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { Column, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../src/index.js';
import { READ_ONLY, REPLACEMENTS } from '../src/legacy-overrides.js';
import { resource } from './support/resources.js';
import { serving } from './support/serving.js';

@Entity()
class Leaf {
  @PrimaryColumn() id!: number;
  @Column({ default: '' }) name!: string;
  @DeleteDateColumn() deletedAt?: Date;
}

const declarations = JSON.parse(
  readFileSync(new URL('../../../integration/upstream/declarations.json', import.meta.url), 'utf8'),
) as Record<string, { readonly public: Record<string, { readonly members?: Record<string, string> }> }>;

/** Members that subclasses see, of all versions, with those of the class that it extends. */
const MEMBERS = [
  ...new Set(
    Object.values(declarations).flatMap((declared) =>
      ['CrudService', 'TypeOrmCrudService'].flatMap((name) =>
        Object.entries(declared.public[name]?.members ?? {})
          .filter(([, what]) => !what.startsWith('private'))
          .map(([member]) => member),
      ),
    ),
  ),
].sort();

/** What nothing of nestjsx/crud's calls either: services call them. */
const FOR_CALLERS = ['count', 'find', 'findOne', 'findOneBy', 'repo'];

const CALLED = MEMBERS.filter(
  (member) => !REPLACEMENTS.has(member) && !READ_ONLY.has(member) && !FOR_CALLERS.includes(member),
);

describeDatabases('services that override members of nestjsx/crud', (db) => {
  const called = new Set<string>();
  class Noting extends TypeOrmCrudService<Leaf> {}
  for (const member of CALLED) {
    const inherited = (TypeOrmCrudService.prototype as unknown as Record<string, (...args: unknown[]) => unknown>)[
      member
    ];
    Object.defineProperty(Noting.prototype, member, {
      value(this: unknown, ...args: unknown[]) {
        called.add(member);

        return inherited?.apply(this, args);
      },
    });
  }

  const leaves = resource(Leaf, 'leaves', { query: { softDelete: true, limit: 2 }, service: Noting });
  const app = serving(db, [Leaf], [leaves]);

  test('routes call each that does not stop the start', async () => {
    await request(app.url).post('/leaves').send({ id: 1, name: 'a' }).expect(201);
    await request(app.url).post('/leaves').send({}).expect(400);
    await request(app.url)
      .post('/leaves/bulk')
      .send({ bulk: [{ id: 2 }] })
      .expect(201);
    await request(app.url).get('/leaves?page=1').expect(200);
    await request(app.url).get('/leaves/1').expect(200);
    await request(app.url).get('/leaves/9').expect(404);
    await request(app.url).patch('/leaves/1').send({ name: 'b' }).expect(200);
    await request(app.url).put('/leaves/1').send({ name: 'c' }).expect(200);
    await request(app.url).delete('/leaves/1').expect(200);
    await request(app.url).patch('/leaves/1/recover').expect(200);

    expect([...called].sort()).toEqual(CALLED);
  });

  test.each([...REPLACEMENTS.keys(), ...READ_ONLY.keys()])('the start stops at %s', (member) => {
    class Overriding extends TypeOrmCrudService<Leaf> {}
    Object.defineProperty(Overriding.prototype, member, { get: () => () => undefined, configurable: true });
    const definition = { model: Leaf, options: { query: {}, routes: {}, params: {}, operators: {} } };

    expect(
      new Overriding(app.source.getRepository(Leaf))[CHECK_START](definition as unknown as ResourceDefinition),
    ).toEqual([expect.stringMatching(new RegExp(`^Overriding.${member} is not called any more; use `))]);
  });
});

test('every name that stops the start is one of theirs', () => {
  const before46 = ['onInitMapRelations', 'validateHasColumn', 'hasColumn', 'hasRelation'];

  expect([...REPLACEMENTS.keys(), ...READ_ONLY.keys()].filter((name) => !MEMBERS.includes(name))).toEqual(before46);
  expect(CALLED).not.toContain('setJoin');
});
