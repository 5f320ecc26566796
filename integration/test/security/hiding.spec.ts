/** Values that classes hide in every way there is: no answer shows them, names for them are unknown in every position, no condition's answer depends on them, and response schemas name the properties that answers have. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import fc from 'fast-check';
import { describeDatabases, describePlatforms } from '../../test-support/index.js';
import { openHiding } from './hiding.application.js';
import { type Call, type Reply, sendEach, sendTo } from './stage.js';

/** Names in a text; with a prefix before each. */
const names = (text: string, prefix = ''): string[] => text.split(' ').map((name) => prefix + name);

const SECRETS = {
  own: names('byQuery unselected excluded excludedNumber excludedFlag inherited constant masked computedOf'),
  groups: ['grouped', ...names('open bare', 'groupedBox.'), ...names('open id owner.id', 'groupedCompany.')],
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
    ...names('id open bare', 'closedNotes.'),
    ...['notes.', 'publicNotes.'].flatMap((of) => names('secret bare', of)),
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

/** Resources, for whom, with names that are hidden and names that are shown. */
const RESOURCES: readonly { path: string; groups?: string; hidden: readonly string[]; shown: readonly string[] }[] = [
  { path: '/employees', hidden: [...EMPLOYEE, ...SECRETS.groups], shown: SHOWN },
  { path: '/grouped', groups: 'it', hidden: [...EMPLOYEE, ...SECRETS.groups], shown: SHOWN },
  {
    path: '/grouped',
    groups: 'it,hr',
    hidden: EMPLOYEE.filter((name) => name !== 'pets.roar'),
    shown: [...SHOWN, ...names('grouped groupedBox.bare groupedCompany.open pets.roar')],
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
  fc.letrec<{ node: object }>((tie) => {
    const nodes = fc.array(tie('node'), { minLength: 1, maxLength: 3 });
    const [and, or] = [nodes.map(($and) => ({ $and })), nodes.map(($or) => ({ $or }))];
    return { node: fc.oneof({ maxDepth: 3 }, comparison(fields), and, or, tie('node').map(($not) => ({ $not }))) }; // prettier-ignore
  }).node;

const joined = (...relations: string[]) => relations.map((name) => `join=${name}`).join('&');
const JOINS = names('company company.owner closedCompany publicCompany notes closedNotes publicNotes pets');

const joinsOf = (path: string): string[] =>
  path === '/pets' ? ['employee'] : path === '/summaries' || path === '/pages' ? ['company', 'notes'] : JOINS;

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

// A document is walked by paths that its type does not know.
type Json = Record<string, any>;
const EMPLOYEE_JOINS = names('closedCompany groupedCompany publicCompany notes closedNotes publicNotes');
const EMPLOYEE_QUERY = joined('company', 'company.owner', 'company.typedOwner', 'pets', ...EMPLOYEE_JOINS);

/** Resource documented, resources that give its answers (of which one gives them to groups, too), and what they join. */
const DOCUMENTED: readonly [resource: string, answering: readonly string[], query: string][] = [
  ['employees', ['employees', 'grouped'], EMPLOYEE_QUERY],
  ['grouped', ['grouped'], EMPLOYEE_QUERY],
  ['summaries', ['summaries'], joined('company', 'notes')],
  ['pages', ['pages'], joined('company', 'notes')],
  ['freed', ['freed'], joined('company', 'notes')],
  ['pets', ['pets', 'grouped-pets'], joined('employee')],
];

/** Every property that an answer has, in full; the document says nothing of keys in a JSON column. */
function namesIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, prefix));
  if (typeof value !== 'object' || value === null || prefix.endsWith('settings.')) return [];
  return Object.entries(value).flatMap(([name, inner]) => [prefix + name, ...namesIn(inner, `${prefix}${name}.`)]);
}

const sorted = (list: readonly string[]) => [...new Set(list)].sort();

describePlatforms('hidden values', (platform) =>
  describeDatabases(platform, (database) => {
    let hiding: Awaited<ReturnType<typeof openHiding>>;
    let document: Json;
    const send = (call: Call): Promise<Reply> => sendTo(hiding.url, call);
    const sendAll = (calls: readonly Call[]) => sendEach(calls, send);

    beforeAll(async () => {
      hiding = await openHiding(database, platform);
      document = SwaggerModule.createDocument(hiding.app, new DocumentBuilder().build()) as Json;
    }, 60_000);
    afterAll(() => hiding?.app.close());

    describe.each(RESOURCES.map((one) => ({ ...one, groups: one.groups ?? '' })))('$path $groups', (resource) => {
      const { hidden, shown } = resource;
      test('refuses hidden names in every position as it refuses unknown ones', async () => {
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
      });

      test('answers conditions and sorts by what it shows', async () => {
        const sortable = shown.filter((field) => !/notes|pets|settings/i.test(field));
        const filters = shown.map((field) => `filter=${field}||notnull`);
        const queries = [...filters, ...sortable.map((field) => `sort=${field}`)];
        const replies = await sendAll(queries.map((query) => callOf(resource, query)));
        expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
      });
    });

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

    /** Every property that a schema names, in full. */
    function namedBy({ $ref, allOf, items, properties = {} }: Json, prefix = ''): string[] {
      if ($ref) return namedBy(document['components'].schemas[$ref.split('/').at(-1)] as Json, prefix);
      if (allOf || items) return namedBy((allOf?.[0] ?? items) as Json, prefix);
      const inner = ([name, schema]: [string, Json]) => [prefix + name, ...namedBy(schema, `${prefix}${name}.`)];
      return Object.entries<Json>(properties).flatMap(inner);
    }

    const namedAt = (path: string, list: 'list' | 'page' | 'record' = 'list'): string[] => {
      const { schema } = document['paths'][path].get.responses[200].content['application/json'] as Json;
      return namedBy((schema.oneOf?.[list === 'page' ? 1 : 0] ?? schema) as Json);
    };
    const answeredBy = async (paths: readonly string[]): Promise<string[]> => {
      const replies = await sendAll(paths.flatMap((path) => ['', 'hr'].map((groups) => callOf({ path, groups }))));
      expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
      return sorted(replies.flatMap(({ text: body }) => namesIn(JSON.parse(body))));
    };

    test.each(DOCUMENTED)('response schemas of %s name what answers show', async (resource, answering, query) => {
      const isPaged = resource === 'pages';
      const lists = await answeredBy(answering.map((path) => `/${path}?${query}`));
      const pages = await answeredBy(answering.map((path) => `/${path}?${query}&page=1&limit=10`));
      expect(sorted(namedAt(`/${resource}`, isPaged ? 'page' : 'list'))).toEqual(lists);
      expect(sorted(namedAt(`/${resource}`, 'page'))).toEqual(pages);
      if (isPaged) return;
      const records = await answeredBy(answering.flatMap((path) => [1, 2, 3].map((id) => `/${path}/${id}?${query}`)));
      expect(sorted(namedAt(`/${resource}/{id}`, 'record'))).toEqual(records);
    });

    test('the response schema of a route without serialization shows more than those of another route', async () => {
      const list = namedAt('/raw');
      // What is no column may be set by whoever loads a record, for all that the document knows.
      expect(sorted(list)).toEqual(sorted([...(await answeredBy(['/raw'])), 'openState']));
      expect(list).toEqual(expect.arrayContaining(['excluded', 'box.secret']));
      expect(namedAt('/raw/{id}', 'record')).not.toEqual(expect.arrayContaining(['excluded']));
      // Required is nothing that only some of the records have.
      expect((document['components'].schemas.PetResponseDto as Json)['required']).toEqual(['id']);
    });
  }),
);
