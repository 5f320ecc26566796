/** Entities → what a plan returns of them. */
import { describe, expect, test } from '@jest/globals';
import { planRead } from '../../src/plan/read.js';
import { project } from '../../src/plan/projection.js';
import { users } from './catalogs.js';
import { requestOf } from './plans.js';

class Name {
  first?: string;
  last?: string;
  get full() {
    return `${this.first} ${this.last}`;
  }
}

class User {
  password?: string;
  name?: Name;
}

const query = {
  exclude: ['password', 'name.last'],
  join: { company: { exclude: ['description'] }, projects: { exclude: ['id'] }, profile: {} },
};
const { root } = planRead(requestOf({ join: [{ field: 'company' }, { field: 'projects' }] }, query), users, 'one');

describe('project', () => {
  test('keeps columns and joined relations, nothing else, and the classes of both', () => {
    const entity = Object.assign(new User(), {
      ...{ id: 1, email: 'a', password: 'p', secret: 's', other: 5, tags: ['a'], settings: { theme: 'dark' } },
      name: Object.assign(new Name(), { first: 'F', last: 'L' }),
      company: { id: 2, name: 'C', description: 'D', users: [] },
      projects: [{ id: 3, name: 'P', companyId: 2 }],
      profile: { id: 4 },
    });
    const kept = project(entity, root);
    expect(kept).toBeInstanceOf(User);
    expect(kept.name).toBeInstanceOf(Name);
    expect(JSON.parse(JSON.stringify(kept))).toEqual({
      ...{ id: 1, email: 'a', tags: ['a'], settings: { theme: 'dark' } },
      name: { first: 'F' },
      company: { id: 2, name: 'C' },
      projects: [{ name: 'P', companyId: 2 }],
    });
    expect(entity.password).toBe('p');
  });

  test('missing properties stay missing, null stays null', () => {
    const entity = Object.assign(new User(), { id: 1, name: null, company: null });
    expect({ ...project(entity as object, root) }).toEqual({ id: 1, name: null, company: null });
  });
});
