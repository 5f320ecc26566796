import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { Crud, CrudAuth, CrudController, CrudRequest, CrudRequestInterceptor, Override, ParsedRequest } from '@dataui/crud';
import { Company, Order, Product } from './entities';
import { CompaniesService } from './companies.service';
import { OrdersService } from './orders.service';
import { ProductsService } from './products.service';
import type { Customer } from './user.guard';

@Crud({
  model: { type: Company },
  query: { join: { products: { eager: true, exclude: ['stock'] } } },
})
@CrudAuth({
  property: 'user',
  filter: (user: Customer) => (user.isAdmin ? {} : { ownerId: user.id }),
  persist: (user: Customer) => ({ ownerId: user.id }),
})
@Controller('companies')
export class CompaniesController implements CrudController<Company> {
  constructor(public service: CompaniesService) {}

  /** A handler of its own, which reads the request as generated ones do. */
  @UseInterceptors(CrudRequestInterceptor)
  @Get('of/all')
  async all(@ParsedRequest() req: CrudRequest) {
    const found = await this.service.getMany(req);

    return { found };
  }
}

@Crud({
  model: { type: Product },
  params: {
    companyId: { field: 'companyId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  },
  query: {
    join: { company: { alias: 'seller', allow: ['name'], eager: true } },
    sort: [
      { field: 'seller.name', order: 'ASC' },
      { field: 'price', order: 'DESC' },
    ],
    filter: [{ field: 'price', operator: '$gt', value: 0 }],
  },
})
@Controller('companies/:companyId/products')
export class ProductsController implements CrudController<Product> {
  constructor(public service: ProductsService) {}

  get base(): CrudController<Product> {
    return this;
  }

  @Override('deleteOneBase')
  async remove(@ParsedRequest() req: CrudRequest) {
    return { removed: await this.base.deleteOneBase!(req) };
  }
}

@Crud({
  model: { type: Order },
  query: { join: { product: {}, 'product.company': { alias: 'seller' } } },
  routes: { only: ['getManyBase', 'getOneBase', 'createOneBase'] },
})
@CrudAuth({
  property: 'user',
  filter: (user: Customer) => ({ userId: user.id }),
  persist: (user: Customer) => ({ userId: user.id }),
})
@Controller('orders')
export class OrdersController implements CrudController<Order> {
  constructor(public service: OrdersService) {}
}
