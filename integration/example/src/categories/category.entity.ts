/** A category in a tree of categories: the record of /categories. */
import { CrudValidationGroups } from '@nestwright/crud';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryGeneratedColumn, type Relation } from 'typeorm';

const { UPDATE } = CrudValidationGroups;

@Entity('categories')
export class Category {
  @ApiProperty({ type: 'integer', readOnly: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @PrimaryGeneratedColumn()
  id!: number;

  @ApiProperty({ maxLength: 80 })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 80 })
  name!: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int', nullable: true })
  parentId!: number | null;

  @ApiPropertyOptional({ type: () => Category, nullable: true })
  @IsOptional({ always: true })
  @ManyToOne(() => Category, (category) => category.children, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'parentId' })
  parent?: Relation<Category> | null;

  @ApiPropertyOptional({ type: () => [Category] })
  @IsOptional({ always: true })
  @OneToMany(() => Category, (category) => category.parent)
  children?: Relation<Category>[];
}
