/** The example's module: its resources, their services, and the data source that all share. */
import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DemoUserGuard } from './auth/demo-user.guard.js';
import { DemoUsers } from './auth/demo-users.js';
import { CategoriesController } from './categories/categories.controller.js';
import { CategoriesService } from './categories/categories.service.js';
import { CompaniesController } from './companies/companies.controller.js';
import { CompaniesService } from './companies/companies.service.js';
import { ENTITIES, openDatabase, type SeedOptions } from './database/database.js';
import { DevicesController } from './devices/devices.controller.js';
import { DevicesService } from './devices/devices.service.js';
import { databaseModule } from './documented-app.js';
import { EventsController } from './events/events.controller.js';
import { EventsService } from './events/events.service.js';
import { MembershipsController } from './memberships/memberships.controller.js';
import { MembershipsService } from './memberships/memberships.service.js';
import { MyProjectsController } from './projects/my-projects.controller.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsService } from './projects/projects.service.js';
import { CompanyUsersController } from './users/company-users.controller.js';
import { MeController } from './users/me.controller.js';
import { UsersController } from './users/users.controller.js';
import { UsersService } from './users/users.service.js';

export const CONTROLLERS = [
  CompaniesController,
  CompanyUsersController,
  UsersController,
  MeController,
  ProjectsController,
  MyProjectsController,
  DevicesController,
  MembershipsController,
  CategoriesController,
  EventsController,
];

@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES)],
  controllers: CONTROLLERS,
  providers: [
    CompaniesService,
    UsersService,
    ProjectsService,
    DevicesService,
    MembershipsService,
    CategoriesService,
    EventsService,
    DemoUsers,
    DemoUserGuard,
  ],
})
export class AppModule {
  static on(databaseUrl: string, seed: SeedOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [databaseModule(() => openDatabase(databaseUrl, seed))],
    };
  }
}
