/** Loads a server over keep-alive connections for a while and tells what came back; its own process, so that nobody else's time is measured. */
import http from 'node:http';
import { contestant, type ContestantName } from './contestants.js';
import { randomShape } from './random-shapes.js';
import { type Call, workload, type WorkloadName } from './workloads.js';

/** What the harness orders. */
export interface LoadOrder {
  url: string;
  server: ContestantName;
  /** A workload, or random shapes: new ones all the time, or the same hundred again and again. */
  workload: WorkloadName | 'shapes' | 'hundred shapes';
  /** Milliseconds, after which no request is begun. Default: no limit. */
  duration?: number;
  /** Requests, after which none is begun. Default: no limit. */
  requests?: number;
  connections: number;
}

/** What came back; times in milliseconds. */
export interface LoadReport {
  requests: number;
  elapsed: number;
  p50: number;
  p99: number;
  /** Status and body of the first answer that was none of 200 and 201. */
  failure?: string;
}

const agents = new Map<string, http.Agent>();
/** How many requests each server has been sent in each workload; the next goes on from there, so that all meet the same records. */
const sent = new Map<string, number>();

process.on('message', (order: LoadOrder) => {
  void load(order).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());

/** The requests that a server is sent, by number. */
function callsOf({ server, workload: name }: LoadOrder): (n: number, tag: string) => Call {
  if (name === 'shapes') return randomShape;
  if (name === 'hundred shapes') return (n) => randomShape(n % 100);
  return workload(name).calls[contestant(server).spelling]!;
}

async function load(order: LoadOrder): Promise<LoadReport> {
  const { url, server, workload: name, duration = Infinity, requests = Infinity, connections } = order;
  const call = callsOf(order);
  const key = `${server} ${name}`;
  const times: number[] = [];
  const started = performance.now();
  const end = started + duration;
  let next = sent.get(key) ?? 0;
  const last = next + requests;
  let failure: string | undefined;

  const worker = async (): Promise<void> => {
    while (next < last && performance.now() < end && failure === undefined) {
      const request = call(next++, `${server}-${process.pid}`);
      const began = performance.now();
      const { status, body } = await send(url, request, connections);

      times.push(performance.now() - began);
      if (status !== 200 && status !== 201) failure = `${request.method} ${request.path}: ${status} ${body}`;
    }
  };

  await Promise.all(Array.from({ length: connections }, worker));
  sent.set(key, next);
  times.sort((one, other) => one - other);

  return {
    requests: times.length,
    elapsed: performance.now() - started,
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    ...(failure !== undefined && { failure }),
  };
}

/** The body is kept only of an answer that is no success: reading it to the end is enough. */
function send(
  url: string,
  { method, path, body }: Call,
  connections: number,
): Promise<{ status: number; body: string }> {
  let agent = agents.get(url);

  if (!agent) agents.set(url, (agent = new http.Agent({ keepAlive: true, maxSockets: connections })));

  const text = body && JSON.stringify(body);
  const headers = text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };

  return new Promise((resolve, reject) => {
    const request = http.request(url + path, { method, agent, ...(headers && { headers }) }, (response) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];

      if (status >= 400) response.on('data', (chunk: Buffer) => chunks.push(chunk));
      else response.resume();
      response.on('end', () => resolve({ status, body: Buffer.concat(chunks).toString() }));
    });

    request.on('error', reject);
    request.end(text);
  });
}
