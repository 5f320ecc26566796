/** The recorded answers: a file for each scene, an entry for each request. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DatabaseKind } from '../test-support/databases.js';
import type { Answer, Exchange } from './player.js';
import type { Scene } from './scene.js';

/** Where a scene is played: on Express with a database, or on Fastify, whatever the database. */
export type Place = DatabaseKind | 'fastify';

/** An exchange as SQLite and Express have it, and the answers of other places where they differ. */
type Entry = Exchange & { readonly only?: Partial<Record<Place, Answer>> };

/** The exchanges of one scene. */
export type Recording = Map<Place, readonly Exchange[]>;

const locate = ({ app, name }: Scene): string =>
  join(import.meta.dirname, 'answers', `${app}-${name.replaceAll(' ', '-')}.json`);

/** @param places the most special one first */
export function readAnswers(scene: Scene, places: readonly Place[]): Exchange[] {
  const path = locate(scene);
  const entries = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Entry[]) : [];

  return entries.map(({ only = {}, ...exchange }) => {
    const place = places.find((name) => name in only);

    return place === undefined ? exchange : { ...exchange, answer: only[place]! };
  });
}

/** Stores what was played, that of SQLite on Express first. */
export function writeAnswers(scene: Scene, recording: Recording): void {
  const [first, ...others] = [...recording];
  const lines = first![1].map((exchange, index) => {
    const differing = others
      .map(([place, exchanges]) => [place, exchanges[index]!.answer] as const)
      .filter(([, answer]) => !isDeepStrictEqual(answer, exchange.answer));

    return JSON.stringify({ ...exchange, ...(differing.length > 0 && { only: Object.fromEntries(differing) }) });
  });

  writeFileSync(locate(scene), `[\n${lines.join(',\n')}\n]\n`);
}

/** The exchanges that differ from what is recorded, as text to read. */
export function findDifferences(played: readonly Exchange[], recorded: readonly Exchange[]): string[] {
  const print = (exchange?: Exchange) => JSON.stringify(exchange) ?? 'nothing';
  const longer = played.length > recorded.length ? played : recorded;

  return longer.flatMap((_, index) =>
    isDeepStrictEqual(played[index], recorded[index])
      ? []
      : [`recorded: ${print(recorded[index])}\n     now: ${print(played[index])}`],
  );
}
