import { BadRequestException, forwardRef, Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CrudRequest } from '@dataui/crud';
import { isNil } from '@dataui/crud-util';
import { Repository } from 'typeorm';
import { Product } from './entities';
import { OrdersService } from './orders.service';
import { ShopService } from './shop.service';

@Injectable()
export class ProductsService extends ShopService<Product> {
  constructor(
    @InjectRepository(Product) products: Repository<Product>,
    @Inject(forwardRef(() => OrdersService)) private readonly orders: OrdersService,
  ) {
    super(products);
  }

  async take(id: number, pieces: number): Promise<void> {
    const product = await this.findOne({ where: { id } });
    if (isNil(product) || product!.stock < pieces) throw new BadRequestException('not in stock');
    await this.repo.update({ id }, { stock: product!.stock - pieces });
  }

  /** Products that were ordered stay. */
  override async deleteOne(req: CrudRequest) {
    const { id } = await this.getOneOrFail(req);
    if ((await this.orders.count({ where: { productId: id } })) > 0) throw new BadRequestException('was ordered');

    return super.deleteOne(req);
  }
}
