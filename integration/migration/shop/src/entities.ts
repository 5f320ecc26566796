import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm';

@Entity('companies')
export class Company {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('varchar')
  name!: string;

  @Column('integer', { default: 0 })
  ownerId!: number;

  @OneToMany(() => Product, (product) => product.company)
  products?: Product[];
}

@Entity('products')
export class Product {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('varchar')
  name!: string;

  @Column('integer')
  price!: number;

  @Column('integer', { default: 0 })
  stock!: number;

  @Column('integer', { name: 'company_id' })
  companyId!: number;

  @JoinColumn({ name: 'company_id' })
  @ManyToOne(() => Company, (company) => company.products)
  company?: Company;
}

@Entity('orders')
export class Order {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('integer')
  productId!: number;

  @Column('integer', { default: 1 })
  pieces!: number;

  @Column('integer', { default: 0 })
  userId!: number;

  @ManyToOne(() => Product)
  product?: Product;
}
