/** What pages by cursor, entity tags and hooks cost, beside what they replace and beside nestjs-paginate: `npm run bench:reads`. Refuses to time pages that are not equal. */
import http from 'node:http';
import type { LoadReport } from './harness/load.js';
import { measured, type Round } from './harness/measure.js';
import type { ServerProcess } from './harness/server-process.js';
import { type Session, withSession } from './harness/session.js';

const ROUNDS = 7;
const ROUND_MS = 500;
const WARM_UP_MS = 1_500;
const CONNECTIONS = 8;
const COUNTED = 20;
const PAGE = 10;
const FAR = 9_000;

/** One request, and what it is a row of. */
interface Row {
  readonly title: string;
  readonly server: ServerProcess;
  readonly method?: 'PATCH';
  readonly path: string | ((n: number) => string);
  readonly body?: (n: number) => object;
  readonly headers?: Record<string, string>;
  readonly status?: number;
}

interface Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly text: string;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function send(row: Row, n = 0): Promise<Answer> {
  const path = typeof row.path === 'string' ? row.path : row.path(n);
  const text = row.body && JSON.stringify(row.body(n));
  const headers = {
    ...row.headers,
    ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  };

  return new Promise((resolve, reject) => {
    const request = http.request(row.server.url + path, { method: row.method ?? 'GET', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0, headers: told } = response;
        const body = Buffer.concat(chunks).toString();
        if (status !== (row.status ?? 200)) reject(new Error(`${row.title}: ${status} ${body}`));
        else resolve({ status, etag: told.etag, text: body });
      });
    });
    request.on('error', reject);
    request.end(text);
  });
}

let sent = 0;

async function load(row: Row, until: { requests?: number; duration?: number }): Promise<LoadReport> {
  const { requests = Infinity, duration = Infinity } = until;
  const started = performance.now();
  const times: number[] = [];
  let begun = 0;

  const worker = async (): Promise<void> => {
    while (begun < requests && performance.now() - started < duration) {
      begun += 1;
      const began = performance.now();
      await send(row, (sent += 1));
      times.push(performance.now() - began);
    }
  };

  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  times.sort((one, other) => one - other);

  return {
    requests: times.length,
    elapsed: performance.now() - started,
    p50: times[Math.floor(times.length / 2)]!,
    p99: times[Math.floor(times.length * 0.99)]!,
  };
}

const json = async (row: Row): Promise<Record<string, unknown>> => JSON.parse((await send(row)).text) as never;
const dataIn = (body: Record<string, unknown>): { id: number }[] => body['data'] as never;

/** Rows of pages, each page asked for once before, so that all answer the same records. */
async function pages(nestwright: ServerProcess, paginate: ServerProcess): Promise<Row[]> {
  const before = (FAR - 2) * PAGE;
  // The cursor of a page is in the one before, wherever that was read from.
  const { next } = await json({
    title: 'the page before',
    server: nestwright,
    path: `/users-by-cursor?cursor=&limit=${PAGE}&filter=id%7C%7C$gt%7C%7C${before}`,
  });
  const { links } = await json({
    title: 'the page before',
    server: paginate,
    path: `/users-by-cursor?limit=${PAGE}&sortBy=id:ASC&filter.id=$gt:${before}`,
  });
  const following = new URL((links as { next: string }).next, paginate.url).searchParams.get('cursor')!;
  const ofPaginate = `limit=${PAGE}&sortBy=id:ASC`;
  const rows: [string, ServerProcess, string, number][] = [
    ['nestwright, `page` (with a total)', nestwright, `/users?limit=${PAGE}&page=1`, 1],
    ['nestwright, `page` (with a total)', nestwright, `/users?limit=${PAGE}&page=${FAR}`, FAR],
    ['nestwright, `cursor`', nestwright, `/users-by-cursor?limit=${PAGE}&cursor=`, 1],
    ['nestwright, `cursor`', nestwright, `/users-by-cursor?limit=${PAGE}&cursor=${String(next)}`, FAR],
    ['nestjs-paginate, `page` (with a total)', paginate, `/users?${ofPaginate}&page=1`, 1],
    ['nestjs-paginate, `page` (with a total)', paginate, `/users?${ofPaginate}&page=${FAR}`, FAR],
    ['nestjs-paginate, `cursor`', paginate, `/users-by-cursor?${ofPaginate}`, 1],
    ['nestjs-paginate, `cursor`', paginate, `/users-by-cursor?${ofPaginate}&cursor=${following}`, FAR],
  ];

  return Promise.all(
    rows.map(async ([title, server, path, page]) => {
      const row = { title: `${title}: page ${page.toLocaleString('en')}`, server, path };
      const [first] = dataIn(await json(row));
      if (first?.id !== (page - 1) * PAGE + 1) throw new Error(`${row.title} begins with ${first?.id}`);

      return row;
    }),
  );
}

async function tags(server: ServerProcess): Promise<Row[]> {
  const paths = { one: '/4711', list: '?limit=100&sort=id,ASC' };
  const rows: Row[] = [];

  for (const [name, path] of Object.entries(paths)) {
    const what = name === 'one' ? 'GET one' : 'list of 100';
    const tagged = { title: `${what}, tags`, server, path: `/users-with-tags${path}` };
    const { etag } = await send(tagged);
    rows.push({ title: `${what}, no tags`, server, path: `/users${path}` }, tagged, {
      ...tagged,
      title: `${what}, 304`,
      headers: { 'if-none-match': etag! },
      status: 304,
    });
  }

  return rows;
}

const hooks = (server: ServerProcess): Row[] =>
  Object.entries({
    'no hooks': 'users',
    afterCommit: 'told-users',
    'beforeChange and afterChange': 'watched-users',
  }).map(([title, path]) => ({
    title: `PATCH, ${title}`,
    server,
    method: 'PATCH',
    path: (n) => `/${path}/${((n * 7919) % 100_000) + 1}`,
    body: (n) => ({ score: n / 8 }),
  }));

async function table(session: Session, heading: string, rows: readonly Row[]): Promise<void> {
  const statements: number[] = [];
  const rounds: Round[][] = rows.map(() => []);

  for (const row of rows) {
    await load(row, { duration: WARM_UP_MS });
    await row.server.ask('count');
    await load(row, { requests: COUNTED });
    statements.push((await row.server.ask('uncount')).statements / COUNTED);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [place, row] of rows.entries())
      rounds[place]!.push(await measured(session, row.server, () => load(row, { duration: ROUND_MS })));
  }

  console.log(`\n| ${heading} | node CPU | database CPU | statements | bytes of the body |\n|---|---|---|---|---|`);
  for (const [place, row] of rows.entries()) {
    const least = (of: (round: Round) => number): string => Math.min(...rounds[place]!.map(of)).toFixed(2);
    const bytes = Buffer.byteLength((await send(row, (sent += 1))).text);
    console.log(
      `| ${row.title} | ${least(({ nodeCpu }) => nodeCpu)} | ${least(({ databaseCpu }) => databaseCpu ?? NaN)} | ${statements[place]} | ${bytes} |`,
    );
  }
}

await withSession(['reads', 'paginate'], async (session) => {
  const [nestwright, paginate] = session.servers as [ServerProcess, ServerProcess];

  await table(session, 'Pages of 10 out of 100,000', await pages(nestwright, paginate));
  await table(session, 'Entity tags', await tags(nestwright));
  await table(session, 'Hooks', hooks(nestwright));
});
agent.destroy();
