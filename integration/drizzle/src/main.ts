/** Serves the example on Drizzle by PORT, HTTP and DATABASE_URL. */
import 'reflect-metadata';
import { serve } from '@nestwright/example';
import { createApp } from './app.js';

await serve({
  name: 'nestwright example on Drizzle',
  create: createApp,
  tries: (url) => [
    `curl '${url}/companies?limit=3'`,
    `curl -g '${url}/users?join=company&filter=age||gte||40&sort=age,DESC&limit=5&page=1'`,
    `curl -X POST ${url}/devices -H 'content-type: application/json' -d '{"serial":"SN-1"}'`,
  ],
});
