/** Serves a compiled `app.js` of the example (ES module or CommonJS) on a free port, by the options that the parent process sends, and tells it its address. It ends by itself after `close`. */
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import 'reflect-metadata';

const [options] = await once(process, 'message');

try {
  const { createApp } = await import(pathToFileURL(process.argv[2]).href);
  const app = await createApp(options);
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
