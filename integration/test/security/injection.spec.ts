/** Injection strings, and names that every object inherits, in every place of a request: refused or without effect, never in the text of a statement or an answer, and all tables as before. */
import { expect, test } from '@jest/globals';
import { ATTACKS, attacksInTurn, markersIn, newMarker, SEED } from './corpus.js';
import { BODY, PATH, type Position, QUERY, TOLERATED } from './positions.js';
import { type Call, describeStage, prototypes, read } from './stage.js';

/** Shorter than the delays that the corpus asks for, by far, and longer than a busy machine takes, in ms. */
const PATIENCE = 8_000;

/** Fastify's router answers longer segments of a path itself. */
const LONGEST_SEGMENT = 100;

/** Names that every object inherits, and ways to them. */
const INHERITED = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'],
  ...['__proto__.polluted', 'constructor.prototype.polluted', 'id.constructor', 'company.__proto__'],
];

const REFUSED = [...QUERY, ...TOLERATED, ...PATH, ...BODY];
const OWN = prototypes();

process.stdout.write(`security · SECURITY_SEED=${SEED}\n`);

test('the corpus is large, varied, and each string has a marker of its own', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(300);
  expect(new Set(ATTACKS.map(({ technique }) => technique)).size).toBeGreaterThanOrEqual(50);
  expect(new Set(ATTACKS.map(({ marker }) => marker)).size).toBe(ATTACKS.length);
  expect(REFUSED.length).toBeGreaterThanOrEqual(50);
  // Answers may repeat what is plainly a name.
  const isPlain = ({ text: attack, marker }: (typeof ATTACKS)[number]) =>
    !attack.includes(marker) || /^[A-Za-z][A-Za-z0-9._]{0,63}$/.test(attack);
  expect(ATTACKS.filter(isPlain)).toEqual([]);
});

describeStage('injection', (stage) => {
  /** Whether both platforms hand the request over; `..` within an encoded segment is data to them. */
  const isRouted = ({ path }: Call): boolean =>
    stage.platform === 'express' || path.split('?')[0]!.split('/').every(({ length }) => length <= LONGEST_SEGMENT); // prettier-ignore

  test.each(REFUSED.map((position, turn) => ({ ...position, turn })))(
    'is refused or without effect as $title',
    async ({ call, refused = [400], harmless, turn }) => {
      const before = await stage.tables();
      const without = harmless && (await stage.send({ path: harmless })).text;
      const attacks = attacksInTurn(turn).filter((attack) => isRouted(call(attack.text)));
      stage.forget();
      const replies = await stage.sendAll(attacks.map((attack) => call(attack.text)));
      const faults = attacks.flatMap(({ text: attack, marker }, index) => {
        const { status, headers, text: answer, took } = replies[index]!;
        const isHarmless = refused.includes(status) || (status === 200 && answer === without);
        const isRepeated = (JSON.stringify(headers) + answer).includes(marker);
        const faultsOf = { 'answered otherwise': !isHarmless, repeated: isRepeated, delayed: took > PATIENCE };
        const found = Object.entries(faultsOf).filter(([, isThere]) => isThere);
        return found.map(([fault]) => `${fault}: ${JSON.stringify(attack.slice(0, 150))} → ${status} ${answer.slice(0, 200)}`); // prettier-ignore
      });
      // A few tell as much as all.
      expect(faults.slice(0, 5)).toEqual([]);
      expect(attacks.length).toBeGreaterThanOrEqual(30);
      expect(markersIn(stage.statements().join('\n'))).toEqual([]);
      expect(await stage.tables()).toEqual(before);
    },
  );

  test('what is plainly a name may be repeated, as the field, but is never said to the database', async () => {
    stage.forget();
    const queries = 'filter=%||eq||1 sort=% fields=% join=% filter=id||%||1 join=company||% s={"%":1}';
    for (const query of queries.split(' ')) {
      const name = newMarker();
      const reply = await stage.send({ path: `/users?${encodeURI(query.replace('%', name))}` });
      expect(reply.status).toBe(400);
      const { field, message, ...rest } = read(reply);
      expect(JSON.stringify(rest)).not.toContain(name);
      expect([undefined, name, 'id', query.split('=')[0], `company.${name}`]).toContain(field);
      expect(String(message).replace(`"${name}"`, '')).not.toContain(name);
    }
    expect(stage.statements()).toEqual([]);
  });

  test('inherited names are as unknown as any other, and leave prototypes as they are', async () => {
    const before = await stage.tables();
    const answersAt = async ({ call }: Position) =>
      (await stage.sendAll(INHERITED.map(call))).map(({ status, text: answer }) => (status === 200 ? answer : status));
    stage.forget();
    for (const position of QUERY)
      expect([position.title, await answersAt(position)]).toEqual([position.title, INHERITED.map(() => 400)]);
    expect(stage.statements()).toEqual([]);
    for (const position of [...TOLERATED, ...PATH]) {
      const without = position.harmless && (await stage.send({ path: position.harmless })).text;
      const others = (await answersAt(position)).filter((answer) => ![400, 404, without].includes(answer));
      expect([position.title, others]).toEqual([position.title, []]);
    }
    expect(await stage.tables()).toEqual(before);
    expect(prototypes()).toEqual(OWN);
  });
});
