/** Which names of fields and relations compile in the options of a resource, and which do not: every expected error is one, and nothing else is. Compiled by `npm run typecheck` and types.spec.ts, never run. */
import { type ConditionOf, Crud, CrudAuth, CrudConfigService, CrudModule, type CrudOptions } from '@nestwright/crud';
import { Project, User } from '../../../crud-request/test/typed/entities.js';

const model = { type: User };

// Fields of the entity's own, embedded ones by path.
Crud({ model, query: { allow: ['email', 'name.first', 'tags', 'settings.theme', 'notes.theme', 'extra.theme'] } });
// @ts-expect-error no such field
Crud({ model, query: { allow: ['id', 'emial'] } });
Crud({ model, query: { aggregate: { groupBy: ['role', 'company.createdAt:month'], functions: { id: ['max'] } } } });
// @ts-expect-error no such field
Crud({ model, query: { aggregate: { functions: { nope: ['max'] } } } });
// @ts-expect-error a method is no field
Crud({ model, query: { exclude: ['greet'] } });
// Order and conditions reach related fields.
Crud({ model, query: { sort: [{ field: 'manager.company.createdAt', order: 'DESC' }] } });
Crud({ model, query: { filter: { 'company.name': { $cont: 'x' }, $or: [{ role: 'admin' }, { $not: { id: 1 } }] } } });

// Relations, lists, lazy and self ones among them, and the fields of the entities that they lead to.
Crud({
  model,
  query: {
    join: {
      company: { allow: ['name'], exclude: ['createdAt'], persist: ['id'], eager: true },
      // Longer paths are checked at start-up.
      'company.users.company.users': {},
      'company.projects': { alias: 'cp', allow: ['budget'] },
      'manager.manager': { exclude: ['name.last'] },
      extra: { exclude: ['any'] },
      'extra.x': {},
    },
  },
});
// @ts-expect-error no such relation
Crud({ model, query: { join: { companies: {} } } });
// @ts-expect-error no field at the end of the longest path that is checked
Crud({ model, query: { join: { 'company.users.manager': { exclude: ['nope'] } } } });

Crud({ model, params: { companyId: { field: 'companyId', type: 'number' }, slug: { field: 'company.name' } } });

// @ts-expect-error no such field
Crud({ model, params: { slug: { field: 'slug', type: 'string' } } });
// @ts-expect-error no such field
export const mistaken: CrudOptions<User> = { model, query: { exclude: ['nope'] } };

// One computed name does not let the others through unseen where it can be helped: other lists of the same options are loosened, but not the relations.
declare const computed: string[];
// @ts-expect-error no such relation
Crud({ model, query: { exclude: computed, join: { nope: {} } } });

// Scope: conditions on the entity, and on those that its relations lead to.
CrudAuth<User>({
  property: 'user',
  filter: ({ companyId }: User) => ({ companyId, 'company.name': { $ne: 'x' } }),
  or: async () => Promise.resolve({ role: 'admin' }),
  relations: {
    company: ({ companyId }: User) => ({ id: companyId }),
    projects: async ({ role }: User) => (role === 'admin' ? false : Promise.resolve({ budget: { $lt: 1000 } })),
    'company.users': ({ companyId }: User) => ({ companyId, 'manager.role': 'admin' }),
    'manager.company': false,
    'company.users.manager': () => ({ anything: 1 }),
    manager: { filter: ({ companyId }: User) => ({ companyId }), persist: () => ({ 'name.first': 'x' }) },
    'company.projects': { filter: false, persist: () => Promise.resolve({ company: { id: 1 }, 'company.id': 1 }) },
  },
});

// The compiler lets functions give more than is asked of them, unless they say what they give.
// @ts-expect-error no such field
CrudAuth<User>({ filter: (): ConditionOf<User> => ({ nope: 1 }) });
// @ts-expect-error no field of the entity at the end of the path
CrudAuth<User>({ relations: { 'company.projects': (): ConditionOf<Project> => ({ email: 'x' }) } });
// @ts-expect-error nothing is no condition
CrudAuth<User>({ relations: { company: () => undefined } });
// @ts-expect-error a condition is a function's
CrudAuth<User>({ relations: { company: { id: 1 } } });
// @ts-expect-error in a document, one name cannot be that of all resources
CrudConfigService.load({ openapi: { singular: 'Person' } });
CrudModule.forRoot({ validation: false, routes: { updateOneBase: { validation: { skipMissingProperties: true } } } });
Crud({ model, routes: { createManyBase: { validation: false }, replaceOneBase: { validation: { always: true } } } });
// @ts-expect-error neither options nor false
CrudModule.forRoot({ validation: true });
