/** The workspace's module: its resources, their services, and the data source that all share. */
import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { databaseModule } from '@nestwright/example';
import { AuditController } from './audit/audit.controller.js';
import { AuditService } from './audit/audit.service.js';
import { MemberGuard } from './auth/member.guard.js';
import { OwnerGuard } from './auth/owner.guard.js';
import { CommentsController } from './comments/comments.controller.js';
import { CommentsService } from './comments/comments.service.js';
import { ENTITIES, openDatabase, type SeedOptions } from './database/database.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsService } from './projects/projects.service.js';
import { SettingsController } from './settings/settings.controller.js';
import { SettingsService } from './settings/settings.service.js';
import { ProjectTasksController } from './tasks/project-tasks.controller.js';
import { TasksController } from './tasks/tasks.controller.js';
import { TasksService } from './tasks/tasks.service.js';
import { TenantController } from './tenants/tenant.controller.js';
import { TenantsService } from './tenants/tenants.service.js';

@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES)],
  controllers: [
    TasksController,
    ProjectTasksController,
    ProjectsController,
    MembersController,
    CommentsController,
    SettingsController,
    AuditController,
    TenantController,
  ],
  providers: [
    TasksService,
    ProjectsService,
    MembersService,
    CommentsService,
    SettingsService,
    AuditService,
    TenantsService,
    MemberGuard,
    OwnerGuard,
  ],
})
export class AppModule {
  static on(databaseUrl: string, seed: SeedOptions): DynamicModule {
    return { module: AppModule, imports: [databaseModule(() => openDatabase(databaseUrl, seed))] };
  }
}
