/** Values that classes hide in every way there is: no answer shows them, names for them are unknown in every position, and no condition's answer depends on them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeDatabases, describePlatforms } from '../../test-support/index.js';
import { type HidingApplication, openHiding } from './hiding/application.js';
import { type Call, type Reply, Wire } from './wire.js';

/** Names in a text; with a prefix before each. */
const names = (text: string, prefix = ''): string[] => text.split(' ').map((name) => prefix + name);

const SECRETS = {
  own: names('byQuery unselected excluded excludedNumber excludedFlag inherited constant masked computedOf'),
  groups: names(
    'grouped groupedBox.open groupedBox.bare groupedCompany.open groupedCompany.id groupedCompany.owner.id',
  ),
  embedded: [
    ...names('secret inner.secret closed.open closed.secret', 'box.'),
    ...names('closedBox.open closedBox.bare publicBox.bare discreetBox.bare settings.bare settings.bare.deep'),
  ],
  toOne: [
    ...names('secret bare box.secret box.open box.inner.secret owner.secret typedOwner.secret', 'company.'),
    ...names('boss.secret closedCompany.id closedCompany.open closedCompany.bare'),
    ...names('bare secret box.open', 'publicCompany.'),
  ],
  toMany: [
    ...names('notes.secret notes.bare closedNotes.id closedNotes.open closedNotes.bare'),
    ...names('publicNotes.bare publicNotes.secret'),
  ],
  // A record of one class or another, of which one hides the value.
  inherited: names('claws tag roar basket.secret basket.inner.secret basket.closed.open'),
};
const PET_NAMES = SECRETS.inherited.map((name) => `pets.${name}`);
const EMPLOYEE = [...SECRETS.own, ...SECRETS.embedded, ...SECRETS.toOne, ...SECRETS.toMany, ...PET_NAMES];

const SHOWN = [
  ...names('id open companyId openFlag box.open box.inner.open publicBox.open discreetBox.open settings.open'),
  ...names('company.id company.open company.box.inner.open boss.open company.typedOwner.open'),
  ...names('publicCompany.id publicCompany.open notes.id notes.open publicNotes.open'),
  ...names('pets.open pets.openPurr pets.basket.open'),
];
const BY_DTO = names('id open openFlag company.open publicCompany.open');

interface Resource {
  readonly path: string;
  readonly hidden: readonly string[];
  readonly shown: readonly string[];
  readonly headers?: Record<string, string>;
}

const RESOURCES: readonly Resource[] = [
  { path: '/employees', hidden: [...EMPLOYEE, ...SECRETS.groups], shown: SHOWN },
  {
    path: '/grouped',
    hidden: [...EMPLOYEE, ...SECRETS.groups, 'pets.roar'],
    shown: SHOWN,
    headers: { 'x-groups': 'it' },
  },
  {
    path: '/grouped',
    hidden: EMPLOYEE.filter((name) => name !== 'pets.roar'),
    shown: [...SHOWN, ...names('grouped groupedBox.bare groupedCompany.open pets.roar')],
    headers: { 'x-groups': 'it,hr' },
  },
  {
    path: '/prefixed',
    hidden: [...names('open openFlag companyId company.id company.bare box.open notes.open'), ...EMPLOYEE],
    shown: names('id publicCompany.id notes.id pets.id'),
  },
  {
    path: '/summaries',
    hidden: [
      ...[...SECRETS.own, ...SECRETS.groups, ...SECRETS.embedded],
      ...names('companyId box.open company.id company.bare notes.open publicCompany.secret'),
    ],
    shown: BY_DTO,
  },
  {
    path: '/pages',
    hidden: [...SECRETS.own, ...SECRETS.embedded, ...names('companyId company.id company.bare notes.id')],
    shown: BY_DTO,
  },
  { path: '/pets', hidden: SECRETS.inherited, shown: names('id open openPurr basket.open basket.inner.open') },
  {
    path: '/freed',
    hidden: names('excluded grouped closedBox.open company.bare notes.open'),
    shown: names('id open companyId box.open box.secret notes.bare byQuery unselected company.open'),
  },
  {
    path: '/raw',
    hidden: names('byQuery unselected'),
    shown: names('excluded grouped closedBox.bare settings.bare'),
  },
];

const UNKNOWN = 'qqqqqqqq';
const text = encodeURIComponent;
const json = (search: unknown) => `s=${text(JSON.stringify(search))}`;

/** Positions in which a client names a field. */
const POSITIONS: readonly ((field: string) => string)[] = [
  (field) => `filter=${text(`${field}||starts||m`)}`,
  (field) => `filter=${text(`${field}||isnull`)}`,
  (field) => `filter=id||gt||0&or=${text(`${field}||eq||m1`)}`,
  (field) => json({ $or: [{ id: 1 }, { $not: { [field]: { $gt: 'm2' } } }] }),
  (field) => `sort=id&sort=${text(`${field},DESC`)}`,
  (field) => `join=${text(`company||on[0]=${field}||eq||m1`)}`,
];

const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const RUNS = number('HIDING_RUNS', 120);

/** A leaf of a condition. */
const comparison = (fields: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...fields),
      fc.constantFrom('$eq', '$ne', '$gt', '$lte', '$starts', '$cont', '$endsL', '$in', '$isnull'),
      fc.constantFrom('m1', 'm', 'z', 'k', 'o2', 1, 2, 109, true),
    )
    .map(([name, operator, value]) => ({ [name]: { [operator]: operator === '$in' ? [value] : value } }));

const condition = (fields: readonly string[]) =>
  fc.letrec<{ node: object }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      comparison(fields),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map(($and) => ({ $and })),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })),
      tie('node').map(($not) => ({ $not })),
    ),
  })).node;

const JOINS = names('company company.owner closedCompany publicCompany notes closedNotes publicNotes pets');
/** What a resource joins. */
const joinsOf = (path: string): string[] =>
  path === '/pets' ? ['employee'] : path === '/summaries' || path === '/pages' ? ['company', 'notes'] : JOINS;

/** Requests whose names are hidden more often than not, with what a client may say besides. */
const requests = RESOURCES.filter(({ path }) => path !== '/raw' && path !== '/freed').map(
  ({ path, hidden, shown, headers }) => {
    return fc
      .record({
        where: fc.option(fc.oneof(condition(shown), condition(hidden), condition([...shown, ...shown, ...hidden]))),
        sort: fc.option(fc.tuple(fc.constantFrom(...shown, ...hidden), fc.constantFrom('ASC', 'DESC'))),
        join: fc.subarray(joinsOf(path)),
        limit: fc.option(fc.integer({ min: 1, max: 3 })),
      })
      .map(({ where, sort, join, limit }): Call => {
        const query = [
          ...(where ? [json(where)] : []),
          ...(sort ? [`sort=${text(sort.join())}`] : []),
          ...join.map((name) => `join=${name}`),
          ...(limit ? [`limit=${limit}&page=1`] : []),
        ];

        return { path: `${path}?${query.join('&')}`, ...(headers && { headers }) };
      });
  },
);

describePlatforms('hidden values', (platform) =>
  describeDatabases(platform, (database) => {
    const opened: { hiding?: HidingApplication; wire?: Wire } = {};
    const send = (call: Call): Promise<Reply> => opened.wire!.send(call);
    const sendAll = async (calls: readonly Call[]): Promise<string[]> => {
      const answers: string[] = [];
      await Wire.each([...calls.entries()], async ([index, call]) => {
        const reply = await send(call);
        answers[index] = `${call.path} ${reply.status} ${reply.text}`;
      });

      return answers;
    };

    beforeAll(async () => {
      opened.hiding = await openHiding(database, platform);
      opened.wire = new Wire(opened.hiding.url);
    }, 60_000);

    afterAll(async () => {
      opened.wire?.close();
      await opened.hiding?.app.close();
    });

    describe.each(
      RESOURCES.map((resource) => [resource.path, resource.headers?.['x-groups'] ?? '', resource] as const),
    )('%s %s', (_, __, { path, hidden, shown, headers }) => {
      const callTo = (query: string): Call => ({ path: `${path}?${query}`, ...(headers && { headers }) });

      test('refuses hidden names in every position as it refuses unknown ones', async () => {
        const answer = async (field: string, position: (field: string) => string) => {
          const { status, text: body } = await send(callTo(position(field)));

          return [status, body.replaceAll(field, '?')];
        };
        const unknown = await Promise.all(POSITIONS.map((position) => answer(UNKNOWN, position)));
        expect(unknown.map(([status]) => status)).toEqual(POSITIONS.map(() => 400));

        // Each name in two positions, each position for many names.
        await Wire.each([...hidden.entries()], async ([index, field]) => {
          for (const at of [index % POSITIONS.length, (index + 1) % POSITIONS.length])
            expect([field, at, ...(await answer(field, POSITIONS[at]!))]).toEqual([field, at, ...unknown[at]!]);
        });
      });

      test('answers conditions and sorts by what it shows', async () => {
        await Wire.each(shown, async (field) => {
          const isSortable = !/notes|pets|settings|Notes/i.test(field);
          const queries = [`filter=${field}||notnull`, ...(isSortable ? [`sort=${field}`] : [])];

          for (const query of queries) {
            const reply = await send(callTo(query));
            expect([query, reply.status, reply.text]).toEqual([query, 200, expect.any(String)]);
          }
        });
      });
    });

    test('no answer depends on them, whatever its condition, order and joins', async () => {
      const everything = RESOURCES.filter(({ path }) => path !== '/raw' && path !== '/freed')
        .map(({ path, headers }): Call => ({
          path: `${path}?${joinsOf(path)
            .map((name) => `join=${name}`)
            .join('&')}`,
          ...(headers && { headers }),
        }))
        .filter(({ headers }) => headers?.['x-groups'] !== 'it,hr');
      const random = fc.sample(fc.oneof(...requests), { numRuns: RUNS, seed: number('HIDING_SEED', 20260) });
      const calls = [...everything, ...random.filter(({ headers }) => headers?.['x-groups'] !== 'it,hr')];

      await opened.hiding!.hide((id) => `m${id}`);
      const before = await sendAll(calls);
      await opened.hiding!.hide((id) => ['z3', 'a', 'k1'][id - 1]!);
      const after = await sendAll(calls);
      await opened.hiding!.hide((id) => `m${id}`);

      expect(after.filter((answer, index) => answer !== before[index])).toEqual([]);
      expect(before.slice(0, everything.length).filter((answer) => !answer.includes(' 200 '))).toEqual([]);
      expect(before.filter((answer) => answer.includes(' 200 ')).length).toBeGreaterThan(RUNS / 10);
      expect(before.filter((answer) => answer.includes('CRUD_UNKNOWN_FIELD')).length).toBeGreaterThan(RUNS / 10);
      expect(before.filter((answer) => / 5\d\d /.test(answer))).toEqual([]);
    }, 60_000);
  }),
);
