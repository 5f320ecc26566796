/** The entities that the examples of `docs/services.md` and other pages are about. */
import { Column, DeleteDateColumn, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, type Relation } from 'typeorm';

@Entity('companies')
export class Company {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar' }) name!: string;
  @OneToMany(() => User, (user) => user.company) users?: Relation<User>[];
}

@Entity('users')
export class User {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', unique: true }) email!: string;
  @Column({ type: 'varchar', nullable: true, select: false }) password?: string | null;
  @Column({ type: 'boolean', default: true }) isActive!: boolean;
  @Column({ type: 'varchar', nullable: true }) note!: string | null;
  @Column({ type: 'int' }) companyId!: number;
  @ManyToOne(() => Company, (company) => company.users) company?: Relation<Company>;
  @DeleteDateColumn() deletedAt!: Date | null;
}
