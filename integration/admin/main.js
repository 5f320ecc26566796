/** Serves the workspace and its admin by PORT and DATABASE_URL. */
import 'reflect-metadata';
import { serve } from '@nestwright/example';
import { install } from '../../scripts/node-tests.js';

install(import.meta.dirname);
const { createAdmin } = await import('./application.js');

await serve({
  name: 'nestwright workspace',
  create: createAdmin,
  tries: (url) => [`open ${url}/admin/ in a browser`],
});
