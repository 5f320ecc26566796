/** Serves a compiled `app.js` of the example (ES module or CommonJS) on a free port, and tells the parent process its address. It ends by itself after `close`. */
import { pathToFileURL } from 'node:url';
import 'reflect-metadata';

const [path, options] = process.argv.slice(2);
const { createApp } = await import(pathToFileURL(path).href);

try {
  const app = await createApp(JSON.parse(options));
  await app.listen(0, '127.0.0.1');
  process.once('message', async () => {
    await app.close();
    // Nothing else may keep the process: the parent waits for its end.
    process.disconnect();
  });
  process.send({ url: await app.getUrl() });
} catch (error) {
  process.send({ error: String(error) }, () => process.disconnect());
}
