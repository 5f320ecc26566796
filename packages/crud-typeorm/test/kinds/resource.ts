/** An entity, a path and options → a controller and its service, for suites with many small resources. */
import { Controller, Inject, Injectable, type Type } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { ObjectLiteral, Repository } from 'typeorm';

export interface Resource {
  readonly controller: Type<unknown>;
  readonly provider: Type<unknown>;
}

/** Makes a resource of an entity; `source` names its data source. */
export function resource<T extends ObjectLiteral>(
  type: Type<T>,
  path: string,
  options: Omit<CrudOptions<T>, 'model'> = {},
  source?: string,
): Resource {
  @Injectable()
  class Service extends TypeOrmCrudService<T> {
    constructor(@InjectRepository(type, source) repository: Repository<T>) {
      super(repository);
    }
  }

  @Crud({ model: { type }, ...options } as CrudOptions<T>)
  @Controller(path)
  class ResourceController {
    constructor(@Inject(Service) readonly service: Service) {}
  }

  return { controller: ResourceController, provider: Service };
}
