/** Injection strings in every place of a request where a name may stand: refused or without effect, never in the text of a statement or an answer, and all tables as before. */
import { describe, expect, test } from '@jest/globals';
import { ATTACKS, attacksInTurn, newMarker, SEED } from './corpus.js';
import { type Position, REFUSED } from './positions.js';
import { describeStage } from './stage.js';
import { type Call, read, type Reply } from './wire.js';

/** Shorter than the delays that the corpus asks for, by far, and longer than a busy machine takes, in ms. */
const PATIENCE = 8_000;
/** Fastify's router answers longer segments of a path itself. */
const LONGEST_SEGMENT = 100;
const MARKERS = ATTACKS.map(({ marker }) => marker);

process.stdout.write(`security · SECURITY_SEED=${SEED}\n`);

test('the corpus is large, varied, and each string has a marker of its own', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(300);
  expect(new Set(ATTACKS.map(({ technique }) => technique)).size).toBeGreaterThanOrEqual(30);
  expect(new Set(ATTACKS.map(({ text }) => text)).size).toBe(ATTACKS.length);
  expect(new Set(MARKERS).size).toBe(ATTACKS.length);
  expect(REFUSED.length).toBeGreaterThanOrEqual(50);
  for (const { text, marker } of ATTACKS) {
    expect(marker).toMatch(/^[a-z]{12}$/);
    expect(text).toContain(marker);
    // Answers may repeat what is plainly a name.
    expect(text).not.toMatch(/^[A-Za-z][A-Za-z0-9._]{0,63}$/);
  }
});

/** Whether both platforms hand the request over; `..` within an encoded segment is data to them. */
const isRouted = (platform: string, { path }: Call): boolean =>
  platform === 'express' ||
  path
    .split('?')[0]!
    .split('/')
    .every(({ length }) => length <= LONGEST_SEGMENT);

describeStage('injection', (stage) => {
  describe('is refused or without effect as', () => {
    test.each(REFUSED.map((position, turn) => [position.title, position, turn] as const))(
      '%s',
      async (_, { call, refused = [400], harmless }: Position, turn) => {
        const before = await stage.tables();
        const without = harmless && (await stage.send({ path: harmless })).text;
        const attacks = attacksInTurn(turn);
        const calls = attacks.map(({ text }) => call(text));
        const sent = attacks.filter((_, index) => isRouted(stage.platform, calls[index]!));
        stage.forget();

        const replies = await stage.sendAll(calls.filter((request) => isRouted(stage.platform, request)));
        const faults = sent.flatMap(({ text, marker }, index) => {
          const { status, headers, text: answer, took } = replies[index]!;

          return [
            refused.includes(status) || (status === 200 && answer === without) ? '' : 'answered otherwise',
            (JSON.stringify(headers) + answer).includes(marker) ? 'repeated' : '',
            took > PATIENCE ? 'delayed' : '',
          ]
            .filter(Boolean)
            .map((fault) => `${fault}: ${JSON.stringify(text.slice(0, 150))} → ${status} ${answer.slice(0, 200)}`);
        });

        // A few tell as much as all.
        expect(faults.slice(0, 5)).toEqual([]);
        expect(sent.length).toBeGreaterThanOrEqual(attacks.length === ATTACKS.length ? 300 : 30);
        const spoken = stage.statements().join('\n');
        expect(MARKERS.filter((marker) => spoken.includes(marker))).toEqual([]);
        expect(await stage.tables()).toEqual(before);
      },
    );
  });

  test('what is plainly a name may be repeated, as the field, but is never said to the database', async () => {
    stage.forget();
    for (const query of [
      'filter=%||eq||1',
      'sort=%',
      'fields=%',
      'join=%',
      'filter=id||%||1',
      'join=company||%',
      's={"%":1}',
    ]) {
      const name = newMarker();
      const reply: Reply = await stage.send({ path: `/users?${encodeURI(query.replace('%', name))}` });
      expect(reply.status).toBe(400);
      const { field, message, ...rest } = read(reply);
      expect(JSON.stringify(rest)).not.toContain(name);
      expect([undefined, name, 'id', query.split('=')[0], `company.${name}`]).toContain(field);
      expect(String(message).replace(`"${name}"`, '')).not.toContain(name);
    }
    expect(stage.statements()).toEqual([]);
  });
});
