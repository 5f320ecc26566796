/** In: the folder of a compiled application, and the file that says what it is asked. Out, as JSON: what it answers. A process of its own, since a configuration is one per process. */
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, asked] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const load = (path) => require(join(folder, path));

const { requests } = await import(pathToFileURL(asked).href);
const main = ['src/main.js', 'api/src/main.js'].find((path) => existsSync(join(folder, path)));
const app = await load(main).bootstrap(0);
const url = await app.getUrl();

const answers = [];
for (const [method, path, body, user] of requests(load)) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(user && { 'x-user': String(user) }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  answers.push({
    asked: `${method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}`,
    status: response.status,
    pageSize: response.headers.get('x-page-size'),
    // What an error says is worded anew; and no two runs delete at the same time.
    body: response.ok && text !== '' ? JSON.parse(text.replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"a time"')) : null,
  });
}
await app.close();
process.stdout.write(JSON.stringify(answers));
