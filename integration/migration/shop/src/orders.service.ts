import { forwardRef, Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CrudRequest } from '@dataui/crud';
import { type DeepPartial, Repository } from 'typeorm';
import { Order } from './entities';
import { ProductsService } from './products.service';
import { ShopService } from './shop.service';

@Injectable()
export class OrdersService extends ShopService<Order> {
  constructor(
    @InjectRepository(Order) orders: Repository<Order>,
    @Inject(forwardRef(() => ProductsService)) private readonly products: ProductsService,
  ) {
    super(orders);
  }

  override async createOne(req: CrudRequest, dto: DeepPartial<Order>): Promise<Order> {
    await this.products.take(Number(dto.productId), dto.pieces ?? 1);

    return super.createOne(req, dto);
  }
}
