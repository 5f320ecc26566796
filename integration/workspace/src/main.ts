/** Serves the workspace by PORT, HTTP, DATABASE_URL and SEED_TASKS. */
import 'reflect-metadata';
import { serve } from '@nestwright/example';
import { createWorkspace } from './app.js';

await serve({
  name: 'nestwright workspace',
  create: (options) => createWorkspace({ ...options, moreTasks: countIn(process.env['SEED_TASKS']) }),
  tries: (url) => [
    `curl -H 'x-demo-member: 1' '${url}/tasks?limit=3&join=assignee'`,
    `curl -H 'x-demo-member: 6' -g '${url}/tasks?filter=project.key||eq||WEB&sort=dueOn,ASC&limit=5&page=1'`,
    `curl -H 'x-demo-member: 2' -X POST ${url}/projects/1/tasks -H 'content-type: application/json' -d '{"title":"Write it down"}'`,
  ],
});

function countIn(text: string | undefined): number {
  const count = Number(text || 0);

  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`SEED_TASKS is "${text}", no number of tasks`);

  return count;
}
