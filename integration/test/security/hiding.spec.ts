/** Values that classes hide in every way there is: no answer shows them, names for them are unknown in every position, and no condition's answer depends on them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeDatabases, describePlatforms } from '../../test-support/index.js';
import { openHiding } from './hiding.application.js';
import { type Call, type Reply, sendEach, sendTo } from './stage.js';

/** Names in a text; with a prefix before each. */
const names = (text: string, prefix = ''): string[] => text.split(' ').map((name) => prefix + name);

const SECRETS = {
  own: names('byQuery unselected excluded excludedFlag constant masked computedOf'),
  groups: ['grouped'],
  embedded: [
    ...names('secret inner.secret closed.open closed.secret', 'box.'),
    ...names('closedBox.open closedBox.bare publicBox.bare settings.bare settings.bare.deep'),
  ],
  toOne: [
    ...names('secret bare box.secret box.open box.inner.secret', 'company.'),
    ...names('id open bare', 'closedCompany.'),
    ...names('bare secret box.open', 'publicCompany.'),
  ],
  toMany: [...names('id open bare', 'closedNotes.'), ...names('secret bare', 'notes.')],
  // A record of one class or another, of which one hides the value.
  inherited: names('claws tag roar basket.secret basket.inner.secret basket.closed.open'),
};

const PET_NAMES = SECRETS.inherited.map((name) => `pets.${name}`);
const EMPLOYEE = [...SECRETS.own, ...SECRETS.embedded, ...SECRETS.toOne, ...SECRETS.toMany, ...PET_NAMES];

const SHOWN = [
  ...names('id open companyId openFlag box.open box.inner.open publicBox.open settings.open'),
  ...names('company.id company.open company.box.inner.open publicCompany.id publicCompany.open'),
  ...names('notes.id notes.open pets.open pets.openPurr pets.basket.open'),
];

/** Resources, for whom, with names that are hidden and names that are shown. */
const RESOURCES: readonly { path: string; groups?: string; hidden: readonly string[]; shown: readonly string[] }[] = [
  { path: '/employees', hidden: [...EMPLOYEE, ...SECRETS.groups], shown: SHOWN },
  { path: '/grouped', groups: 'it', hidden: [...EMPLOYEE, ...SECRETS.groups], shown: SHOWN },
  {
    path: '/grouped',
    groups: 'it,hr',
    hidden: EMPLOYEE.filter((name) => name !== 'pets.roar'),
    shown: [...SHOWN, ...names('grouped pets.roar')],
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
    shown: names('id open openFlag company.open publicCompany.open'),
  },
  { path: '/pets', hidden: SECRETS.inherited, shown: names('id open openPurr basket.open basket.inner.open') },
  {
    path: '/freed',
    hidden: names('excluded grouped closedBox.open company.bare notes.open'),
    shown: names('id open companyId box.open box.secret notes.bare byQuery unselected company.open'),
  },
  { path: '/raw', hidden: names('byQuery unselected'), shown: names('excluded grouped closedBox.bare settings.bare') },
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

const RUNS = Number(process.env['HIDING_RUNS'] ?? 120);
const SEED = Number(process.env['HIDING_SEED'] ?? 20260);

const OPERATORS = names('eq ne gt lte starts cont endsL in isnull', '$');
const comparison = (fields: readonly string[]) => {
  const values = fc.constantFrom('m1', 'm', 'z', 'k', 'o2', 1, 2, 109, true);
  const parts = fc.tuple(fc.constantFrom(...fields), fc.constantFrom(...OPERATORS), values);
  return parts.map(([name, operator, value]) => ({ [name]: { [operator]: operator === '$in' ? [value] : value } }));
};

const condition = (fields: readonly string[]) =>
  fc
    .tuple(fc.constantFrom('$and', '$or', '$not'), fc.array(comparison(fields), { minLength: 1, maxLength: 3 }))
    .map(([logic, items]) => ({ $not: [{ [logic]: items }] }));

const joined = (...relations: string[]) => relations.map((name) => `join=${name}`).join('&');
const JOINS = names('company closedCompany publicCompany notes closedNotes pets');

const joinsOf = (path: string): string[] =>
  path === '/pets' ? ['employee'] : path === '/summaries' ? ['company', 'notes'] : JOINS;

/** Of these, answers may not differ. The others show what classes hide. */
const HIDING = RESOURCES.filter(({ path, groups }) => path !== '/raw' && path !== '/freed' && groups !== 'it,hr');

const callOf = ({ path, groups = '' }: { path: string; groups?: string }, query = ''): Call => ({
  path: `${path}${query && '?'}${query}`,
  headers: { 'x-groups': groups },
});

/** Requests whose names are hidden more often than not, with what a client may say besides. */
const requests = HIDING.map((resource) => {
  const { shown, hidden } = resource;
  const parts = fc.record({
    where: fc.option(fc.oneof(...[shown, hidden, [...shown, ...shown, ...hidden]].map(condition))),
    sort: fc.option(fc.tuple(fc.constantFrom(...shown, ...hidden), fc.constantFrom('ASC', 'DESC'))),
    join: fc.subarray(joinsOf(resource.path)),
    limit: fc.option(fc.integer({ min: 1, max: 3 })),
  });
  return parts.map(({ where, sort, join, limit }) => {
    const paging = limit && `limit=${limit}&page=1`;
    const said = [where && json(where), sort && `sort=${text(sort.join())}`, joined(...join), paging];
    return callOf(resource, said.filter(Boolean).join('&'));
  });
});

describePlatforms('hidden values', (platform) =>
  describeDatabases(platform, (database) => {
    let hiding: Awaited<ReturnType<typeof openHiding>>;
    const send = (call: Call): Promise<Reply> => sendTo(hiding.url, call);
    const sendAll = (calls: readonly Call[]) => sendEach(calls, send);

    beforeAll(async () => {
      hiding = await openHiding(database, platform);
    }, 60_000);
    afterAll(() => hiding?.app.close());

    test.each(RESOURCES.map((one) => ({ ...one, groups: one.groups ?? '' })))(
      '$path $groups refuses hidden names in every position as it refuses unknown ones, and answers by what it shows',
      async (resource) => {
        const { hidden, shown } = resource;
        const masked = ({ status, text: body }: Reply, field: string) => [status, body.replaceAll(field, '?')];
        const strangers = await sendAll(POSITIONS.map((position) => callOf(resource, position(UNKNOWN))));
        const unknown = strangers.map((reply) => masked(reply, UNKNOWN));
        expect(unknown.map(([status]) => status)).toEqual(POSITIONS.map(() => 400));

        // Each name in two positions, each position for many names.
        const places = (index: number) => [index, index + 1].map((turn) => turn % POSITIONS.length);
        const asked = hidden.flatMap((field, index) => places(index).map((at) => [field, at] as const));
        const replies = await sendAll(asked.map(([field, at]) => callOf(resource, POSITIONS[at]!(field))));
        const told = asked.map((one, index) => [...one, ...masked(replies[index]!, one[0])]);
        expect(told).toEqual(asked.map((one) => [...one, ...unknown[one[1]]!]));

        const sortable = shown.filter((field) => !/notes|pets|settings/i.test(field));
        const filters = shown.map((field) => `filter=${field}||notnull`);
        const queries = [...filters, ...sortable.map((field) => `sort=${field}`)];
        const answers = await sendAll(queries.map((query) => callOf(resource, query)));
        expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      },
    );

    test('no answer depends on them, whatever its condition, order and joins', async () => {
      const everything = HIDING.map((resource) => callOf(resource, joined(...joinsOf(resource.path))));
      const calls = [...everything, ...fc.sample(fc.oneof(...requests), { numRuns: RUNS, seed: SEED })];
      const answersTo = async (secret: (id: number) => string) => {
        await hiding.hide(secret);
        return (await sendAll(calls)).map(({ status, text: body }, index) => `${calls[index]!.path} ${status} ${body}`);
      };
      const before = await answersTo((id) => `m${id}`);
      const after = await answersTo((id) => ['z3', 'a', 'k1'][id - 1]!);
      await hiding.hide((id) => `m${id}`);
      const having = (part: RegExp) => before.filter((answer) => part.test(answer));
      expect(after.filter((answer, index) => answer !== before[index])).toEqual([]);
      expect(before.slice(0, everything.length).filter((answer) => !answer.includes(' 200 '))).toEqual([]);
      expect(having(/ 200 /).length).toBeGreaterThan(RUNS / 10);
      expect(having(/CRUD_UNKNOWN_FIELD/).length).toBeGreaterThan(RUNS / 10);
      expect(having(/ 5\d\d /)).toEqual([]);
    }, 60_000);
  }),
);
