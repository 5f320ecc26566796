/** Serves the example by PORT, HTTP and DATABASE_URL. */
import 'reflect-metadata';
import { createApp } from './app.js';
import { serve } from './serve.js';

await serve({
  name: 'nestwright example',
  create: createApp,
  tries: (url) => [
    `curl '${url}/companies?limit=3'`,
    `curl -g '${url}/users?join=company&filter=age||gte||40&sort=age,DESC&limit=5&page=1'`,
    `curl -X POST ${url}/devices -H 'content-type: application/json' -d '{"serial":"SN-1"}'`,
  ],
});
