/** The example's entities under controllers whose PUT merges, as react-admin's updateMany needs it. */
import { Controller, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { openDatabase } from '../../example/dist/database/database.js';
import { Device } from '../../example/dist/devices/device.entity.js';
import { DevicesService } from '../../example/dist/devices/devices.service.js';
import { Project } from '../../example/dist/projects/project.entity.js';
import { ProjectsService } from '../../example/dist/projects/projects.service.js';
import { User } from '../../example/dist/users/user.entity.js';
import { UsersService } from '../../example/dist/users/users.service.js';
import { PLATFORMS } from '../../example/dist/platforms.js';

/** A controller as TypeScript's decorators would make it, written down in JavaScript. */
function mergingController(path, service, options) {
  const controller = class {
    constructor(injected) {
      this.service = injected;
    }
  };
  Object.defineProperty(controller, 'name', { value: `Merging${options.model.type.name}sController` });
  Inject(service)(controller, undefined, 0);
  Crud({ ...options, routes: { replaceOneBase: { merge: true } } })(controller);
  Controller(path)(controller);
  return controller;
}

const CONTROLLERS = [
  mergingController('users', UsersService, { model: { type: User }, query: { exclude: ['password'] } }),
  mergingController('projects', ProjectsService, { model: { type: Project } }),
  mergingController('devices', DevicesService, {
    model: { type: Device },
    params: { id: { field: 'id', type: 'uuid', primary: true } },
  }),
];

/** Makes the application: /users, /projects and /devices, filled as the example fills them. */
export async function createMergingApp({ databaseUrl, http, logger }) {
  class MergingModule {}
  Module({
    imports: [
      TypeOrmModule.forRootAsync({
        useFactory: () => ({ type: 'sqljs', retryAttempts: 0 }),
        dataSourceFactory: () => openDatabase(databaseUrl),
      }),
      TypeOrmModule.forFeature([User, Project, Device]),
    ],
    controllers: CONTROLLERS,
    providers: [UsersService, ProjectsService, DevicesService],
  })(MergingModule);

  return NestFactory.create(MergingModule, PLATFORMS[http](), { abortOnError: false, logger });
}
