/** Injection strings, and names that every object inherits, in every place of a request where a name may stand: refused or without effect, never in the text of a statement or an answer, and all tables as before. */
import { expect, test } from '@jest/globals';
import { ATTACKS, attacksInTurn, markersIn, newMarker, SEED } from './corpus.js';
import { type Call, describeStage, type Method, prototypes, read } from './stage.js';

/** Shorter than the delays that the corpus asks for, by far, and longer than a busy machine takes, in ms. */
const PATIENCE = 8_000;

/** Where a string is sent, in the place of each `*`; what may be answered: a refusal, 400 by default, or what a harmless path is answered with. */
interface Position {
  readonly title: string;
  readonly call: (attack: string) => Call;
  readonly refused?: readonly number[];
  readonly harmless?: string;
}

const NOTHING = '/users?filter=id%7C%7Ceq%7C%7C0';
const JOINED_NOTHING = '/users?join=company%7C%7Con[0]=company.id%7C%7Ceq%7C%7C0';
const quoted = (attack: string) => JSON.stringify(attack).slice(1, -1);

function position(at: string, more: Omit<Position, 'title' | 'call'> = {}, method?: Method, body?: string): Position {
  const isJson = /[?&]s=/.test(at);
  const call = (attack: string): Call => ({
    method: method ?? 'GET',
    path: encodeURI(at).replaceAll('*', () => encodeURIComponent(isJson ? quoted(attack) : attack)),
    body: body?.replaceAll('*', () => quoted(attack)),
  });
  return { title: [method, at, body].join(' '), call, ...more };
}

/** Names of a query. What follows a delimiter inside the attack is no part of the name any more, but a value, of which nothing may come. */
const QUERY: readonly Position[] = [
  ...['filter=*||eq||1', 'filter=company.*||eq||1', 'filter=name.*||eq||1', 'filter=id||*||1', 'or=email||*||1'],
  ...['filter=id||eq||0&or=*||notnull', 's={"*":1}', 's={"$or":[{"id":0},{"$and":[{"$not":{"$or":[{"*":1}]}}]}]}'],
  ...['s={"$*":[{"id":1}]}', 's={"id":{"*":1}}', 's={"email":{"$or":{"$eq":"","$*":"a"}}}'],
  ...['sort=*,ASC', 'sort[]=*,DESC', 'sort=company.*,ASC', 'sort=id,*', 'fields=*', 'select=id,email,*'],
  ...['join=*', 'join=company.*', 'join=company||*', 'join=company||on[0]=company.id||*||1'],
]
  .map((query) => `/users?${query}`)
  .concat('/companies?filter=up.*||eq||1', '/companies?filter=up*.id||eq||1', '/companies?join=up||*')
  .concat('/companies/1/users?filter=id||eq||0&or=*||eq||1')
  .concat(['limit', 'offset', 'page', 'cache', 'includeDeleted'].map((name) => `/companies?${name}=*`))
  .map((at) => position(at, { harmless: NOTHING }))
  .concat(
    position('/users?join=company||on[0]=*||eq||1', { harmless: JOINED_NOTHING }),
    position('/users/1?filter=*||isnull', { refused: [400, 404] }),
  );

/** Names that are data or ignored unless they tell of more. */
const TOLERATED: readonly Position[] = [
  ...['filter[*]=id||eq||0', 'filter=id||eq||0&or[*]=id||eq||0', 'filter=settings.*||eq||1'],
  's={"settings.theme.*":{"$gt":1}}',
]
  .map((query) => position(`/users?${query}`, { harmless: NOTHING }))
  .concat(
    ['*=1', '*[polluted]=1&*.polluted=1', 'a[*][polluted]=1', 'extra.*.polluted=1&extra.*=1', 'extra.tag=*'].map(
      (query) => position(`/users?limit=3&${query}`, { harmless: '/users?limit=3' }),
    ),
  );

const PATH: readonly Position[] = [
  ...['/users/*x', '/companies/*x/users', '/memberships/1/*x', '/devices/*x'].map((at) => position(at)),
  position('/kinds/*x/notes'),
  position('/users/*x', {}, 'DELETE'),
  position('/users/*x', {}, 'PATCH', '{"age":1}'),
  position('/companies/*x/recover', {}, 'PATCH'),
  position('/labels/*x', { refused: [400, 404] }),
  position('/tenants/*x/folders', { harmless: NOTHING }),
];

const TYPED = ['age', 'companyId', 'company', 'role', 'isActive', 'birthDate', 'tags', 'name', 'score'];
const USER = '"email":"a@b.example","password":"secret-0","companyId":1';

/** Bodies that are refused whatever they carry there: unknown where nothing unknown is allowed, or of the wrong type. */
const BODY: readonly Position[] = [
  position('/labels', {}, 'POST', '{"code":"x","text":"x","*":1}'),
  position('/labels/bulk', {}, 'POST', '{"bulk":[{"code":"x","text":"x","*":1}]}'),
  position('/users/bulk', {}, 'POST', `{"*":[{${USER}}]}`),
  ...TYPED.map((name) => position('/users/1', {}, 'PATCH', `{"${name}":"*,"}`)),
  position('/users/bulk', {}, 'POST', `{"bulk":[{${USER},"age":"*,"}]}`),
  position('/users/1', {}, 'PATCH', '{"projects":[{"id":"*"}]}'),
];

/** Names that every object inherits, and ways to them. */
const INHERITED = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'],
  ...['__proto__.polluted', 'constructor.prototype.polluted', 'id.constructor', 'company.__proto__'],
];

const OWN = prototypes();

process.stdout.write(`security · SECURITY_SEED=${SEED}\n`);

test('each attack has a marker, and is no plain name, which answers may repeat', () => {
  const isPlain = ({ text, marker }: (typeof ATTACKS)[number]) =>
    !text.includes(marker) || /^[A-Za-z][A-Za-z0-9._]{0,63}$/.test(text);
  expect([ATTACKS.length > 200, ATTACKS.filter(isPlain)]).toEqual([true, []]);
});

describeStage('injection', (stage) => {
  /** Whether both platforms hand the request over: the router of Fastify answers longer segments of a path itself. */
  const isRouted = ({ path }: Call): boolean => {
    const segments = path.split('?')[0]!.split('/');
    return stage.platform === 'express' || segments.every(({ length }) => length <= 100);
  };

  test.each([...QUERY, ...TOLERATED, ...PATH, ...BODY].map((one, turn) => ({ ...one, turn })))(
    'is refused or without effect: $title',
    async ({ call, refused = [400], harmless, turn }) => {
      const before = await stage.tables();
      const without = harmless && (await stage.send({ path: harmless })).text;
      const attacks = attacksInTurn(turn).filter((attack) => isRouted(call(attack.text)));
      stage.forget();
      const replies = await stage.sendAll(attacks.map((attack) => call(attack.text)));
      const faults = attacks.filter(({ marker }, index) => {
        const { status, headers, text: answer, took } = replies[index]!;
        const isHarmless = refused.includes(status) || (status === 200 && answer === without);
        return !isHarmless || (JSON.stringify(headers) + answer).includes(marker) || took > PATIENCE;
      });
      expect(faults).toEqual([]);
      expect(attacks.length).toBeGreaterThanOrEqual(20);
      expect(markersIn(stage.statements().join('\n'))).toEqual([]);
      expect(await stage.tables()).toEqual(before);
    },
  );

  test.each(['filter=*||eq||1', 'sort=*', 'fields=*', 'join=*', 'filter=id||*||1', 'join=company||*', 's={"*":1}'])(
    'what is plainly a name may be repeated, as the field, but is never said to the database: %s',
    async (query) => {
      stage.forget();
      const name = newMarker();
      const reply = await stage.send(position(`/users?${query}`).call(name));
      const { field, message, ...rest } = read(reply);
      expect([reply.status, stage.statements()]).toEqual([400, []]);
      expect(JSON.stringify(rest)).not.toContain(name);
      expect([undefined, name, 'id', query.split('=')[0], `company.${name}`]).toContain(field);
      expect(String(message).replace(`"${name}"`, '')).not.toContain(name);
    },
  );

  test('inherited names are as unknown as any other, and leave prototypes as they are', async () => {
    const before = await stage.tables();
    const answersAt = async ({ call }: Position) =>
      (await stage.sendAll(INHERITED.map(call))).map(({ status, text: answer }) => (status === 200 ? answer : status));
    stage.forget();
    for (const one of QUERY) expect([one.title, await answersAt(one)]).toEqual([one.title, INHERITED.map(() => 400)]);
    expect(stage.statements()).toEqual([]);
    for (const { harmless, ...one } of [...TOLERATED, ...PATH]) {
      const without = harmless && (await stage.send({ path: harmless })).text;
      const others = (await answersAt(one)).filter((answer) => ![400, 404, without].includes(answer));
      expect([one.title, others]).toEqual([one.title, []]);
    }
    expect(await stage.tables()).toEqual(before);
    expect(prototypes()).toEqual(OWN);
  });
});
