/** Values that classes hide in every way there is: no answer shows them, names for them are unknown in every position, and no condition's answer depends on them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeDatabases, describePlatforms } from '../../test-support/index.js';
import { type HidingApplication, openHiding } from './hiding.application.js';
import { type Call, type Reply, sendEach, sendTo } from './stage.js';

/** Names in a text; with a prefix before each. */
const names = (text: string, prefix = ''): string[] => text.split(' ').map((name) => prefix + name);

const SECRETS = {
  own: names('byQuery unselected excluded excludedNumber excludedFlag inherited masked computedOf'),
  groups: names('grouped groupedBox.open groupedBox.bare groupedCompany.open groupedCompany.id'),
  embedded: [
    ...names('secret inner.secret closed.open closed.secret', 'box.'),
    ...names('closedBox.open closedBox.bare publicBox.bare settings.bare settings.bare.deep'),
  ],
  toOne: [
    ...names('secret bare box.secret box.open box.inner.secret', 'company.'),
    ...names('firm.bare firm.box.secret company.owner.id closedCompany.id closedCompany.open closedCompany.bare'),
    ...names('bare secret box.open', 'publicCompany.'),
  ],
  toMany: [...names('notes.secret notes.bare closedNotes.id closedNotes.open closedNotes.bare')],
  // A record of one class or another, of which one hides the value.
  inherited: names('claws tag basket.secret basket.inner.secret basket.closed.open'),
};

const PET_NAMES = SECRETS.inherited.map((name) => `pets.${name}`);
const EMPLOYEE = [...SECRETS.own, ...SECRETS.embedded, ...SECRETS.toOne, ...SECRETS.toMany, ...PET_NAMES];

const SHOWN = [
  ...names('id open companyId openFlag box.open box.inner.open publicBox.open settings.open'),
  ...names('company.id company.open company.box.inner.open firm.open'),
  ...names('publicCompany.id publicCompany.open notes.id notes.open'),
  ...names('pets.open pets.openPurr pets.basket.open'),
];

const BY_DTO = names('id open openFlag company.open publicCompany.open');

/** Resources, for whom, with names that are hidden and names that are shown. */
const RESOURCES: readonly { path: string; groups?: string; hidden: readonly string[]; shown: readonly string[] }[] = [
  { path: '/employees', hidden: [...EMPLOYEE, ...SECRETS.groups], shown: SHOWN },
  { path: '/grouped', groups: 'it', hidden: [...EMPLOYEE, ...SECRETS.groups], shown: SHOWN },
  {
    path: '/grouped',
    groups: 'it,hr',
    hidden: EMPLOYEE,
    shown: [...SHOWN, ...names('grouped groupedBox.bare groupedCompany.open')],
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
  { path: '/pets', hidden: SECRETS.inherited, shown: names('id open openPurr basket.open basket.inner.open') },
  {
    path: '/freed',
    hidden: names('excluded grouped closedBox.open company.bare notes.open'),
    shown: names('id open companyId box.open box.secret notes.bare byQuery unselected company.open'),
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
  (field) => `cursor=&total=1&sort=${text(`${field},ASC`)}`,
  (field) => `fields=${text(field)}`,
  (field) => `join=${text(field)}`,
  (field) => json({ [`${field}.length`]: { $or: { $isnull: true, $gt: 1 } } }),
];

const JOINS = names('company closedCompany publicCompany notes closedNotes pets');

/** What a resource joins. */
const joinsOf = (path: string): string[] =>
  path === '/pets' ? ['employee'] : path === '/summaries' ? ['company', 'notes'] : JOINS;

/** Of these, answers may not differ. The others show what classes hide. */
const HIDING = RESOURCES.filter(({ path, groups }) => path !== '/freed' && groups !== 'it,hr');

const callOf = ({ path, groups = '' }: { path: string; groups?: string }, query = ''): Call => ({
  path: `${path}${query && '?'}${query}`,
  headers: { 'x-groups': groups },
});

const sortable = (shown: readonly string[]) => shown.filter((field) => !/notes|pets|settings/i.test(field));

/** Requests for all that a resource joins, and by each of its names, hidden ones among them. */
const requests = HIDING.flatMap((resource) => {
  const { path, shown, hidden } = resource;
  const joins = joinsOf(path).map((name) => `join=${name}`).join('&'); // prettier-ignore
  const conditions = [...shown, ...hidden].map((field, index) =>
    index % 2 === 0 ? { [field]: { $gt: 'm2' } } : { $not: { $or: [{ [field]: { $isnull: true } }, { id: 2 }] } },
  );
  const orders = sortable(shown).map((field) => `sort=${field},DESC&page=1&limit=2`);
  return [joins, ...conditions.map(json), ...orders].map((query) => callOf(resource, query));
});

describePlatforms('hidden values', (platform) =>
  describeDatabases(platform, (database) => {
    let hiding: HidingApplication;
    const send = (call: Call): Promise<Reply> => sendTo(hiding.url, call);
    const sendAll = (calls: readonly Call[]) => sendEach(calls, send);

    beforeAll(async () => {
      hiding = await openHiding(database, platform);
    }, 60_000);
    afterAll(() => hiding?.app.close());

    describe.each(RESOURCES.map((one) => ({ ...one, groups: one.groups ?? '' })))('$path $groups', (resource) => {
      const { hidden, shown } = resource;
      test('refuses hidden names in every position as it refuses unknown ones', async () => {
        const masked = ({ status, text: body }: Reply, field: string) => [status, body.replaceAll(field, '?')];
        const strangers = await sendAll(POSITIONS.map((position) => callOf(resource, position(UNKNOWN))));
        const unknown = strangers.map((reply) => masked(reply, UNKNOWN));
        expect(unknown.map(([status]) => status)).toEqual(POSITIONS.map(() => 400));

        // Each name in three positions, each position for many names.
        const places = (index: number) => [index, index + 3, index + 6].map((turn) => turn % POSITIONS.length);
        const asked = hidden
          .flatMap((field, index) => places(index).map((at) => [field, at] as const))
          // What is masked may be selected.
          .filter(([field, at]) => field !== 'masked' || !POSITIONS[at]!(field).startsWith('fields='));
        const replies = await sendAll(asked.map(([field, at]) => callOf(resource, POSITIONS[at]!(field))));
        const told = asked.map((one, index) => [...one, ...masked(replies[index]!, one[0])]);
        expect(told).toEqual(asked.map((one) => [...one, ...unknown[one[1]]!]));
      });

      test('answers conditions and sorts by what it shows', async () => {
        const filters = shown.map((field) => `filter=${field}||notnull`);
        const queries = [...filters, ...sortable(shown).map((field) => `sort=${field}`)];
        const replies = await sendAll(queries.map((query) => callOf(resource, query)));
        expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
      });
    });

    test('no answer depends on them, whatever its condition, order and joins', async () => {
      const answersTo = async (secret: (id: number) => string) => {
        await hiding.hide(secret);
        const replies = await sendAll(requests);
        return replies.map(({ status, text: body }, index) => `${requests[index]!.path} ${status} ${body}`);
      };
      const before = await answersTo((id) => `m${id}`);
      const after = await answersTo((id) => ['z3', 'a', 'k1'][id - 1]!);
      await hiding.hide((id) => `m${id}`);
      expect(after.filter((answer, index) => answer !== before[index])).toEqual([]);
      const having = (part: string) => before.filter((answer) => answer.includes(part)).length;
      const [answered, unknown] = [having(' 200 '), having('CRUD_UNKNOWN_FIELD')];
      expect([answered > requests.length / 4, unknown > requests.length / 4, having(' 50')]).toEqual([true, true, 0]);
    }, 60_000);
  }),
);
