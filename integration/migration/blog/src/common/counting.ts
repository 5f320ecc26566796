import { TypeOrmCrudService } from '@nestjsx/crud-typeorm';
import type { ObjectLiteral } from '@nestjsx/util';
import type { Repository } from 'typeorm';

// What a mixin takes: any class of services.
type ServiceClass<T extends ObjectLiteral> = new (repo: Repository<T>) => TypeOrmCrudService<T>;

/** A service that knows how many records there are. */
export function Counting<T extends ObjectLiteral>(Base: ServiceClass<T> = TypeOrmCrudService) {
  return class extends Base {
    howMany(): Promise<number> {
      return this.repo.count();
    }
  };
}
