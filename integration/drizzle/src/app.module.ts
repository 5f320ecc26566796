/** The example's resources on tables of Drizzle: its controllers, whose services are these. */
import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import {
  CategoriesService,
  CompaniesService,
  CONTROLLERS,
  DemoUserGuard,
  DemoUsers,
  DevicesService,
  EventsService,
  MembershipsService,
  ProjectsService,
  type Records,
  UsersService,
} from '@nestwright/example';
import { eq } from 'drizzle-orm';
import { type OpenDatabase, openDatabase } from './open-database.js';
import {
  CategoriesTable,
  CompaniesTable,
  DevicesTable,
  EventsTable,
  MembershipsTable,
  ProjectsTable,
  UsersTable,
} from './services.js';

/** The token of the database. */
export const DATABASE = Symbol('database');

/** What controllers ask for, and what they get. */
const SERVICES = [
  [CompaniesService, CompaniesTable],
  [UsersService, UsersTable],
  [ProjectsService, ProjectsTable],
  [DevicesService, DevicesTable],
  [MembershipsService, MembershipsTable],
  [CategoriesService, CategoriesTable],
  [EventsService, EventsTable],
] as const;

@Module({})
export class AppModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE) private readonly database: OpenDatabase) {}

  static on(databaseUrl: string, records?: Records): DynamicModule {
    return {
      module: AppModule,
      controllers: CONTROLLERS,
      providers: [
        { provide: DATABASE, useFactory: () => openDatabase(databaseUrl, records) },
        ...SERVICES.map(([provide, Service]) => ({
          provide,
          useFactory: (database: OpenDatabase) => new Service(database),
          inject: [DATABASE],
        })),
        { provide: DemoUsers, useFactory: findDemoUsers, inject: [DATABASE] },
        DemoUserGuard,
      ],
    };
  }

  onApplicationShutdown(): Promise<void> {
    return this.database.close();
  }
}

function findDemoUsers({ db, schema: { users } }: OpenDatabase) {
  return { find: async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0] };
}
