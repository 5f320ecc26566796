/** The services of the example's resources, each on its table. */
import { DrizzleCrudService } from '@nestwright/crud-drizzle';
import { Category, Company, Device, Event, Membership, Project, User } from '@nestwright/example';
import { DATE, DECIMAL, INTEGER } from './column-types.js';
import type { OpenDatabase } from './open-database.js';
import type { Schema } from './tables.js';

export class CompaniesTable extends DrizzleCrudService<Schema['companies']> {
  constructor({ db, schema: { companies } }: OpenDatabase) {
    super(db, companies, {
      model: Company,
      columns: { id: INTEGER },
      createdAt: 'createdAt',
      updatedAt: 'updatedAt',
      deletedAt: 'deletedAt',
    });
  }
}

export class UsersTable extends DrizzleCrudService<Schema['users']> {
  constructor({ db, schema: { users, projects, userProjects } }: OpenDatabase) {
    super(db, users, {
      model: User,
      createdAt: 'createdAt',
      updatedAt: 'updatedAt',
      version: 'version',
      columns: {
        id: INTEGER,
        age: INTEGER,
        companyId: INTEGER,
        profileId: INTEGER,
        balance: DECIMAL,
        birthDate: DATE,
        tags: { kind: 'array', separator: ',' },
      },
      embedded: { name: { first: 'nameFirst', last: 'nameLast' } },
      manyToMany: { projects: { table: projects, through: userProjects } },
      cascade: { profile: ['insert', 'update'] },
    });
  }
}

export class ProjectsTable extends DrizzleCrudService<Schema['projects']> {
  constructor({ db, schema: { projects, users, userProjects } }: OpenDatabase) {
    super(db, projects, {
      model: Project,
      columns: { id: INTEGER, companyId: INTEGER, budget: DECIMAL },
      createdAt: 'createdAt',
      manyToMany: { users: { table: users, through: userProjects } },
    });
  }
}

export class DevicesTable extends DrizzleCrudService<Schema['devices']> {
  constructor({ db, schema: { devices } }: OpenDatabase) {
    super(db, devices, { model: Device, columns: { id: { kind: 'uuid' } } });
  }
}

export class MembershipsTable extends DrizzleCrudService<Schema['memberships']> {
  constructor({ db, schema: { memberships } }: OpenDatabase) {
    super(db, memberships, { model: Membership, columns: { companyId: INTEGER, userId: INTEGER, since: DATE } });
  }
}

export class CategoriesTable extends DrizzleCrudService<Schema['categories']> {
  constructor({ db, schema: { categories } }: OpenDatabase) {
    super(db, categories, { model: Category, columns: { id: INTEGER, parentId: INTEGER } });
  }
}

export class EventsTable extends DrizzleCrudService<Schema['events']> {
  constructor({ db, schema: { events } }: OpenDatabase) {
    super(db, events, { model: Event, columns: { id: { kind: 'bigint' } } });
  }
}
