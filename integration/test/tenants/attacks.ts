/** Bodies of tasks that try to link, move, plant, steal or deface another tenant's records. */
import { OWN, type Targets } from './tenants.js';

/** What a body says beside what makes it complete. */
export type Piece = Readonly<Record<string, unknown>>;

/** A complete new task of one's own, unless the piece says another project: beside the column the relation would not count. */
export const newTask = (more: Piece = {}): Piece => ({
  title: 'attack',
  ...(!('project' in more) && { projectId: OWN.project(2) }),
  ...more,
});

/** Relations to one record and to several, with records of another tenant and own ones. */
const toOne = ({ project, task, member }: Targets) =>
  [
    ['project', project(1), OWN.project(1)],
    ['parent', task(1), OWN.task(1)],
    ['assignee', member(1), OWN.member(1)],
  ] as const;

const toMany = ({ task, member }: Targets) =>
  [
    ['watchers', member(1), OWN.member(1)],
    ['related', task(1), OWN.task(7)],
  ] as const;

const each = (name: string, ...values: unknown[]): Piece[] => values.map((value) => ({ [name]: value }));
const stolen = (id: number) => ({ id, name: 'stolen', title: 'stolen', tenantId: OWN.tenant });
const deep = (piece: Piece) => newTask({ subtasks: [newTask({ related: [newTask(piece)] })] });

/** Pieces of a record that a cascade inserts or updates: a task below another, or beside it. */
const ofChild = ({ project, task, member }: Targets): Piece[] => [
  ...each('project', { id: project(1) }),
  ...[{ projectId: project(1) }, { assigneeId: member(1) }, { assignee: { id: member(1), name: 'stolen' } }],
  ...[{ watchers: [{ id: member(1) }] }, { related: [{ id: task(1), title: 'stolen' }] }],
  ...each('subtasks', [{ id: task(1) }]),
];

/** Refused as if there were no such record. */
export const refusedPieces = (targets: Targets): Piece[] => [
  ...toOne(targets).flatMap(([link, id, own]) => [
    ...[{ [`${link}Id`]: id }, { [`${link}Id`]: id, [link]: { id: own } }],
    ...each(link, id, { id }, stolen(id)),
  ]),
  ...toMany(targets).flatMap(([list, id, own]) => each(list, [{ id }], [id], [{ id: own }, { id }], [stolen(id)])),
  ...['subtasks', 'related'].flatMap((list) => [
    ...ofChild(targets).flatMap((piece) => each(list, [newTask(), newTask(piece)])),
    ...each(list, [stolen(targets.task(1))], [deep({ assigneeId: targets.member(1) })]),
    ...each(list, [deep({ subtasks: [{ id: targets.task(1), title: 'stolen' }] })]),
  ]),
  ...each('related', [newTask({ parentId: targets.task(1) })]),
];

/** Whatever the answer, nothing of the other tenant is touched or linked. */
export const harmlessPieces = (targets: Targets): Piece[] => {
  const { task, member, tenant } = targets;
  return [
    ...toOne(targets).flatMap(([link, id, own]) => [
      ...[{ id }, stolen(id)].map((value) => ({ [`${link}Id`]: own, [link]: value })),
      ...each(`${link}Id`, String(id), [id], { id }),
      ...each(link, { tenantId: tenant, name: 'planted', title: 'planted' }, { id: own, tenantId: tenant }, [{ id }]),
    ]),
    ...toMany(targets).flatMap(([list, id, own]) =>
      each(list, { id }, id, [{ id: own, tenantId: tenant }], [{ id: String(id) }]),
    ),
    ...['subtasks', 'related'].flatMap((list) => [
      ...each(list, [newTask({ tenantId: tenant })], [deep({ tenantId: tenant })]),
      ...each(list, [newTask({ comments: [{ body: 'planted', taskId: task(1), authorId: member(1) }] })]),
      ...each(list, newTask({ tenantId: tenant, assigneeId: member(1) }), [{ id: task(1), subtasks: [newTask()] }]),
    ]),
    ...each('subtasks', [task(1)], [newTask({ parentId: task(1) })], [newTask({ parent: stolen(task(1)) })]),
    ...each('comments', [{ id: 121, body: 'stolen' }], [{ body: 'planted', tenantId: tenant, authorId: member(1) }]),
    ...[...each('tenantId', tenant, null), ...each('tenant', { id: tenant })],
  ];
};

/** Refused for a task that has an own subtask or related task: through the record that a cascade updates. */
export const refusedThrough = (targets: Targets, list: string, id: number): Piece[] => [
  ...ofChild(targets).flatMap((piece) => each(list, [{ id, title: 'changed', ...piece }])),
  ...each(list, [{ id, subtasks: [newTask({ assigneeId: targets.member(1) })] }]),
];
