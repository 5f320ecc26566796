/** Serves the workspace and its board by PORT and DATABASE_URL. */
import 'reflect-metadata';
import { serve } from '@nestwright/example';
import { install } from '../../scripts/node-tests.js';

install(import.meta.dirname);
const { createBoard } = await import('./application.js');

await serve({
  name: 'nestwright workspace',
  create: createBoard,
  tries: (url) => [`open ${url}/board/ in a browser`],
});
