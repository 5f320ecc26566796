/** The service and the controller of an entity, with all routes. */
import { Controller, Inject, type Type } from '@nestjs/common';
import { getRepositoryToken } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { Repository } from 'typeorm';

/** Makes the resource of an entity; `number` tells its path from the others. */
export function resource(type: Type<object>, number: number): { service: Type<object>; controller: Type<object> } {
  class ThingsService extends TypeOrmCrudService<object> {
    constructor(@Inject(getRepositoryToken(type)) things: Repository<object>) {
      super(things);
    }
  }

  @Crud({ model: { type } })
  @Controller(`things-${number}`)
  class ThingsController {
    constructor(public service: ThingsService) {}
  }

  return { service: ThingsService, controller: ThingsController };
}
