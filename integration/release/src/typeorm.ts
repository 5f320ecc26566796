import { Controller, Inject, Injectable, Module } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, type CrudController } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { IsString } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm';

@Entity()
class Book {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsString()
  @Column()
  title!: string;
}

@Injectable()
class BooksService extends TypeOrmCrudService<Book> {
  constructor(@InjectRepository(Book) books: Repository<Book>) {
    super(books);
  }
}

@Crud({ model: { type: Book } })
@Controller('books')
class BooksController implements CrudController<Book> {
  constructor(@Inject(BooksService) readonly service: BooksService) {}
}

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [Book], synchronize: true, retryAttempts: 0 }),
    TypeOrmModule.forFeature([Book]),
  ],
  providers: [BooksService],
  controllers: [BooksController],
})
export class BooksModule {}
