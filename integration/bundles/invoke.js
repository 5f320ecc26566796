/** Runs a bundled handler in a fresh process, as in a cold start: prints, as the last line, JSON with its answers to events of an HTTP API of API Gateway and its start time. */
import { pathToFileURL } from 'node:url';

const event = (method, path, query = '', body) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: path,
  rawQueryString: query,
  headers: { host: 'api.example.com', 'content-type': 'application/json' },
  requestContext: { stage: '$default', http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' } },
  ...(body && { body: JSON.stringify(body) }),
  isBase64Encoded: false,
});

const EVENTS = [
  event('POST', '/users', '', { email: 'not an email' }),
  event('POST', '/users', '', { email: 'ada@example.com', secret: 'hush' }),
  event('GET', '/users', 'sort=email,ASC&limit=5'),
  event('GET', '/users', 'filter=secret||$eq||hush'),
];

const began = performance.now();
const loaded = await import(pathToFileURL(process.argv[2]));
const handler = loaded.handler ?? loaded.default.handler;
const load = performance.now() - began;

const answers = [];
let first;
for (const each of EVENTS) {
  const { statusCode, body } = await handler(each, {});
  first ??= performance.now() - began;
  answers.push([statusCode, JSON.parse(body)]);
}

const { user, system } = process.cpuUsage();
const cpu = (user + system) / 1000;
const { rss } = process.memoryUsage();
// The database would keep the process alive.
console.log(JSON.stringify({ answers, load, first, cpu, rss }));
process.exit(0);
