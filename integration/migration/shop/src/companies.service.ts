import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Company } from './entities';
import { ShopService } from './shop.service';

@Injectable()
export class CompaniesService extends ShopService<Company> {
  constructor(@InjectRepository(Company) companies: Repository<Company>) {
    super(companies);
  }
}
