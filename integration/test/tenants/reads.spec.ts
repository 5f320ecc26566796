/** What members of one tenant are told while the records of others change: always the same, wherever own records lead to those of others. */
import { beforeAll, expect, test } from '@jest/globals';
import { DataSource, In, MoreThan, Not } from 'typeorm';
import { describeWorkspace } from '../../test-support/workspace.js';
import { Audit } from '../../workspace/src/audit/audit.entity.js';
import { Comment } from '../../workspace/src/comments/comment.entity.js';
import { Member } from '../../workspace/src/members/member.entity.js';
import { Project } from '../../workspace/src/projects/project.entity.js';
import { Setting } from '../../workspace/src/settings/setting.entity.js';
import { Task } from '../../workspace/src/tasks/task.entity.js';
import { Tenant } from '../../workspace/src/tenants/tenant.entity.js';
import { QUESTIONS } from './questions.js';
import { FOREIGN, OWN, THIRD } from './tenants.js';

const MEMBER = 3;

/** More mistakes of the past: every relation of an own record leads to another tenant somewhere, from either side. */
async function stray({ manager }: DataSource): Promise<void> {
  await manager.update(Task, { id: 59 }, { projectId: FOREIGN.project(1) });
  await manager.update(Comment, { id: 1 }, { authorId: FOREIGN.member(1) });
  await manager.update(Comment, { id: 2 }, { taskId: FOREIGN.task(3) });
  // Inverse sides.
  await manager.update(Task, { id: FOREIGN.task(4) }, { parentId: OWN.task(1) });
  await manager.update(Task, { id: FOREIGN.task(6) }, { projectId: OWN.project(1) });
  await manager.update(Comment, { id: 121 }, { taskId: OWN.task(1) });
}

/** Own records of which nothing leads anywhere take time to read and show nothing. */
async function thin({ manager }: DataSource): Promise<void> {
  const others = { tenantId: OWN.tenant, id: Not(In([1, 2, 3, 4, 5, 58, 59, 60].map(OWN.task))) };
  await manager.delete(Comment, { tenantId: OWN.tenant, id: MoreThan(4) });
  await manager.update(Task, others, { parentId: null });
  await manager.delete(Task, others);
}

/** What the others' records hold from one time to the next. */
const TIMES: readonly ((source: DataSource) => Promise<void>)[] = [
  async () => {},
  (source) => write(source, (id) => `AAA LEAK ${id}`, { priority: 99, dueOn: '1970-01-01', settings: { leak: 1 } }),
  async (source) => {
    const { manager } = source;
    await write(source, (id) => `zzz LEAK ${id}`, { priority: null, dueOn: null, settings: null });
    for (const tenantId of [FOREIGN.tenant, THIRD.tenant]) {
      await manager.softDelete(Task, { tenantId });
      await manager.softDelete(Project, { tenantId });
      await manager.delete(Setting, { tenantId });
      await manager.insert(Comment, { tenantId, taskId: OWN.task(2), authorId: OWN.member(1), body: 'LEAK' });
      await manager.insert(Audit, { tenantId, entity: 'LEAK', kind: 'LEAK', recordId: '1' });
    }
    await manager.query('DELETE FROM task_watchers WHERE ' + `${source.driver.escape('memberId')} > 5`);
    await manager.insert(Task, { tenantId: FOREIGN.tenant, projectId: OWN.project(1), title: 'LEAK' });
  },
];

/** Writes texts and values into everything that belongs to others. */
async function write({ manager }: DataSource, text: (id: number) => string, values: object): Promise<void> {
  for (const [tenant, { member, task, project, tenant: tenantId }] of [FOREIGN, THIRD].entries()) {
    const of = { tenantId };
    for (const id of [1, 2, 3, 4, 5].map(member))
      await manager.update(Member, { id }, { name: text(id), email: `${text(id)}@${tenant}`.replace(/ /g, '-') });
    for (const nth of [1, 2, 3, 4])
      await manager.update(Project, { id: project(nth) }, { name: text(nth), budget: '7.00' });
    await manager.update(Task, of, { title: text(task(0)), ...values } as object);
    await manager.update(Comment, of, { body: text(0) });
    await manager.update(Setting, of, { value: { text: text(0) } } as object);
    await manager.update(Tenant, { id: tenantId }, { name: text(0) });
  }
}

describeWorkspace('tenants, reading', ({ as, app, share }) => {
  const questions = share(QUESTIONS);
  const told: string[][] = [];

  /** All pages of what is read by a cursor. */
  const asked = async (question: string): Promise<string> => {
    const { status, text, headers, body } = await as(MEMBER).get(question);
    const next: string | null | undefined = body?.next;
    const rest = next ? await asked(question.replace(/cursor=[^&]*/, `cursor=${next}`)) : '';
    return `${status} ${headers.get('etag')} ${text}${rest}`;
  };

  beforeAll(async () => {
    const source = app().get(DataSource);
    await thin(source);
    await stray(source);
    for (const change of TIMES) {
      await change(source);
      const answers: string[] = [];
      for (const question of questions) answers.push(await asked(question));
      told.push(answers);
    }
  }, 60_000);

  test('most questions are answered, none is a fault of the server, and none tells what others have', () => {
    const statuses = told[0]!.map((answer) => answer.slice(0, 3));
    expect(questions.filter((_, index) => Number(statuses[index]) >= 500)).toEqual([]);
    expect(statuses.filter((status) => status === '200').length).toBeGreaterThan(questions.length / 2);
    expect(told[0]!.filter((answer) => /globex|nest\.example|株/.test(answer))).toEqual([]);
  });

  test.each([1, 2])('change %d of the records of others changes no answer, and shows in none', (time) => {
    const answers = questions.map((question, index) => [question, told[0]![index], told[time]![index]]);
    expect(answers.filter(([, before, after]) => before !== after || /LEAK/.test(after!))).toEqual([]);
  });
});
