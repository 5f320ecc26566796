/** Bodies that try to link, move, plant, steal or deface another tenant's records, each with what must come of it. */
import { MISSING, OWN, type Targets } from './tenants.js';

/** What a body says beside what makes it complete. */
type Piece = Readonly<Record<string, unknown>>;

/** `refused`: 400, and nothing is stored. `harmless`: whatever the answer, nothing of the attacked is touched or linked. */
export type Outcome = 'refused' | 'harmless';

export interface Attack {
  readonly outcome: Outcome;
  readonly piece: Piece;
  /** The same with ids that nobody has. */
  readonly missing: Piece;
}

type Tried = Pick<Attack, 'outcome' | 'piece'>;
const refused = (...pieces: readonly Piece[]): Tried[] => pieces.map((piece) => ({ outcome: 'refused', piece }));
const harmless = (...pieces: readonly Piece[]): Tried[] => pieces.map((piece) => ({ outcome: 'harmless', piece }));

/** A complete new task of one's own, unless the piece says another project: beside the column the relation would not count. */
export const newTask = (more: Piece = {}): Piece => ({
  title: 'attack',
  ...(!('project' in more) && { projectId: OWN.project(2) }),
  ...more,
});

const stolenOf = (id: number) => ({ id, name: 'stolen', title: 'stolen', tenantId: OWN.tenant });

/** Relations of a task to one record. */
const toOne = ({ project, task, member, tenant }: Targets) =>
  [
    ['project', project(1), OWN.project(1)] as const,
    ['parent', task(1), OWN.task(1)] as const,
    ['assignee', member(1), OWN.member(1)] as const,
  ].flatMap(([link, foreign, own]) => {
    const id = `${link}Id`;
    const planted = { tenantId: tenant, name: 'planted', title: 'planted' };
    const asLink = (...links: unknown[]) => links.map((value) => ({ [link]: value }));
    return [
      ...refused({ [id]: foreign }, { [id]: foreign, [link]: { id: own } }),
      ...refused(...asLink(foreign, { id: foreign }, stolenOf(foreign))),
      ...harmless(...[{ id: foreign }, stolenOf(foreign)].map((value) => ({ [id]: own, [link]: value }))),
      ...harmless({ [id]: String(foreign) }, { [id]: [foreign] }, { [id]: { id: foreign } }),
      ...harmless(...asLink(planted, { id: own, tenantId: tenant }, [{ id: foreign }])),
    ];
  });

/** Lists that the task itself owns. */
const lists = ({ task, member, tenant }: Targets) =>
  [['watchers', member(1), OWN.member(1)] as const, ['related', task(1), OWN.task(7)] as const].flatMap(
    ([list, foreign, own]) => {
      const asList = (...lists: unknown[]) => lists.map((value) => ({ [list]: value }));
      return [
        ...refused(...asList([{ id: foreign }], [foreign], [{ id: own }, { id: foreign }], [stolenOf(foreign)])),
        ...harmless(...asList({ id: foreign }, foreign, [{ id: own, tenantId: tenant }], [{ id: String(foreign) }])),
      ];
    },
  );

/** Pieces of a record that a cascade inserts: a task below another, or beside it. */
const ofChild = ({ project, task, member }: Targets): Piece[] => [
  { projectId: project(1) },
  { project: { id: project(1) } },
  { assigneeId: member(1) },
  { assignee: { id: member(1), name: 'stolen' } },
  { watchers: [{ id: member(1) }] },
  { related: [{ id: task(1), title: 'stolen' }] },
  { subtasks: [{ id: task(1) }] },
];

const cascades = (targets: Targets) => {
  const { task, member, tenant } = targets;
  return [
    ...['subtasks', 'related'].flatMap((list) => [
      ...ofChild(targets).flatMap((piece) => refused({ [list]: [newTask(), newTask(piece)] })),
      ...refused(
        { [list]: [{ id: task(1), title: 'stolen', tenantId: OWN.tenant }] },
        { [list]: [newTask({ subtasks: [newTask({ related: [newTask({ assigneeId: member(1) })] })] })] },
        { [list]: [newTask({ related: [newTask({ subtasks: [newTask({ watchers: [{ id: member(1) }] })] })] })] },
        { [list]: [newTask({ subtasks: [newTask({ related: [{ id: task(1), title: 'stolen' }] })] })] },
      ),
      ...harmless(
        { [list]: [newTask({ tenantId: tenant })] },
        { [list]: [newTask({ subtasks: [newTask({ tenantId: tenant, related: [newTask({ tenantId: tenant })] })] })] },
        { [list]: [newTask({ comments: [{ body: 'planted', taskId: task(1), authorId: member(1) }] })] },
        { [list]: newTask({ tenantId: tenant, assigneeId: member(1) }) },
        { [list]: [{ id: task(1), subtasks: [newTask()], related: [newTask()] }] },
      ),
    ]),
    ...refused({ related: [newTask({ parentId: task(1) })] }, { related: [newTask({ parent: { id: task(1) } })] }),
    ...harmless(
      ...[task(1), newTask({ parentId: task(1) }), newTask({ parent: { id: task(1), title: 'stolen' } })].map((one) => ({ subtasks: [one] })), // prettier-ignore
      ...[{ id: 121 }, { id: 121, body: 'stolen', tenantId: OWN.tenant }].map((one) => ({ comments: [one] })),
      { comments: [{ body: 'planted', tenantId: tenant, authorId: member(1) }] },
      ...[tenant, null, { id: tenant }].map((tenantId) => ({ tenantId })),
      { tenant: { id: tenant } },
    ),
  ];
};

const tried = (targets: Targets): Tried[] => [...toOne(targets), ...lists(targets), ...cascades(targets)];

export function attacksOnTasks(targets: Targets): Attack[] {
  const missing = tried(MISSING);
  return tried(targets).map((attack, index) => ({ ...attack, missing: missing[index]!.piece }));
}

/** Bodies for a task that has own subtasks and related tasks: through a record that a cascade updates. */
export const attacksThroughLinked = (targets: Targets, list: string, linked: number): Tried[] => [
  ...ofChild(targets).flatMap((piece) => refused({ [list]: [{ id: linked, title: 'changed', ...piece }] })),
  ...refused({ [list]: [{ id: linked, subtasks: [newTask({ assigneeId: targets.member(1) })] }] }),
  ...harmless(
    { [list]: [{ id: linked, tenantId: targets.tenant }] },
    { [list]: [{ id: linked, subtasks: [newTask({ tenantId: targets.tenant })] }] },
    { [list]: [{ id: linked, parentId: targets.task(1) }] },
  ),
];
