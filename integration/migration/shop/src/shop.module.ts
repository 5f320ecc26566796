import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Company, Order, Product } from './entities';
import { CompaniesController, OrdersController, ProductsController } from './controllers';
import { CompaniesService } from './companies.service';
import { OrdersService } from './orders.service';
import { ProductsService } from './products.service';
import { UserGuard } from './user.guard';

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [Company, Order, Product], synchronize: true, retryAttempts: 0 }),
    TypeOrmModule.forFeature([Company, Order, Product]),
  ],
  controllers: [CompaniesController, OrdersController, ProductsController],
  providers: [CompaniesService, OrdersService, ProductsService, { provide: APP_GUARD, useClass: UserGuard }],
})
export class ShopModule {}
