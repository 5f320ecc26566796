import type { CrudRequest } from '@dataui/crud';
import { TypeOrmCrudService } from '@dataui/crud-typeorm';
import { objKeys } from '@dataui/crud-util';
import { Repository } from 'typeorm';

/** What all services of the shop have. */
export abstract class ShopService<T extends { id: number }> extends TypeOrmCrudService<T> {
  constructor(repo: Repository<T>) {
    super(repo);
  }

  async fieldsOf(req: CrudRequest): Promise<string[]> {
    return objKeys(await this.getOne(req));
  }
}
