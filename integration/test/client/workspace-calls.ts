/** Calls operations of a project's tasks by a typed client, a handler of the application's own among them. The compiler checks each call against the generated types. */
import createClient from 'openapi-fetch';
import type { paths } from './workspace-paths.js';

/** Creates, reads, changes, completes and deletes a task, and gives the statuses of the answers with what they say of it. */
export async function callTasks(baseUrl: string): Promise<unknown[]> {
  // Lists may leave as CSV and NDJSON, too.
  const api = createClient<paths, 'application/json'>({ baseUrl, headers: { 'x-demo-member': '1' } });
  const ofProject = { path: { projectId: 1 } };

  const made = await api.POST('/projects/{projectId}/tasks', { params: ofProject, body: { title: 'Typed' } });
  const id = made.data?.id;
  if (id === undefined) throw new Error(`${made.response.status} ${JSON.stringify(made.error)}`);
  const one = { params: { path: { projectId: 1, id } } };

  const listed = await api.GET('/projects/{projectId}/tasks', {
    params: { ...ofProject, query: { filter: ['title||$eq||Typed'], fields: ['title'] } },
  });
  const changed = await api.PATCH('/projects/{projectId}/tasks/{id}', { ...one, body: { priority: 2 } });
  // The bodies of docs/relations.md.
  const watchers = [[2, 3], [{ id: 2 }, 3], []];
  const linked: number[] = [];
  for (const body of watchers) {
    const answer = await api.PATCH('/projects/{projectId}/tasks/{id}', { ...one, body: { watchers: body } });
    linked.push(answer.response.status);
  }
  const completed = await api.POST('/projects/{projectId}/tasks/{id}/complete', { ...one, body: { comment: 'Done' } });
  const deleted = await api.DELETE('/projects/{projectId}/tasks/{id}', one);
  const gone = await api.GET('/projects/{projectId}/tasks/{id}', one);
  const records = Array.isArray(listed.data) ? listed.data : listed.data?.data;

  return [
    [made.response.status, made.data?.title],
    [listed.response.status, records?.map(({ title }) => title)],
    [changed.response.status, changed.data?.priority],
    linked,
    [completed.response.status, completed.data?.status],
    [deleted.response.status],
    [gone.response.status, gone.error?.code],
  ];
}
