/** The resources of the suites about entity tags. */
import { type CallHandler, Controller, type ExecutionContext } from '@nestjs/common';
import { Inject, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { map } from 'rxjs';
import { Crud, type CrudOptions, type CrudRequest } from '@nestwright/crud';
import { CrudResponseInterceptor, Override, ParsedRequest } from '@nestwright/crud';
import { Column, DeleteDateColumn, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { JoinColumn, ManyToOne, type Relation, VirtualColumn } from 'typeorm';
import { TypeOrmCrudService } from '../../src/index.js';
import { resource } from '../support/resources.js';

@Entity('etag_shelf')
export class Shelf {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar' }) name!: string;
}

@Entity('etag_book')
export class Book {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', nullable: true }) title!: string | null;
  @Column({ type: 'float', nullable: true }) weight!: number | null;
  @Column({ type: 'varchar', select: false, nullable: true }) note!: string | null;
  @Column({ type: 'varchar', default: 'ada' }) owner!: string;
  @Column({ type: 'int', nullable: true }) shelfId!: number | null;
  @ManyToOne(() => Shelf) @JoinColumn({ name: 'shelfId' }) shelf!: Relation<Shelf> | null;
  @VirtualColumn({ query: () => "SELECT COUNT(*) FROM etag_shelf WHERE name = 'Prose'" }) proseShelves!: number;
  @DeleteDateColumn() deletedAt!: Date | null;
}

class HookedService extends TypeOrmCrudService<Book> {
  override async createBuilder(...asked: Parameters<TypeOrmCrudService<Book>['createBuilder']>) {
    return (await super.createBuilder(...asked)).andWhere(`Book.owner <> 'nobody'`);
  }
}

/** Counts on getting a record. */
class Watch implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((book: Book) => ({ ...book, length: book.title!.length })));
  }
}

class Loud extends CrudResponseInterceptor {
  protected override transform(dto: unknown, book: Book): unknown {
    return { ...(super.transform(dto, book) as Book), title: book.title?.toUpperCase() };
  }
}

const query: NonNullable<CrudOptions<Book>['query']> = { etag: true, softDelete: true, join: { shelf: {} } };
const required = { requireMatch: true };
const books = resource(Book, 'books', { query });
const watched = resource(Book, 'watched', { query });
UseInterceptors(Watch)(watched.controller);

@Crud({ model: { type: Book }, query })
@Controller('overridden')
class Overridden {
  constructor(@Inject(books.provider) readonly service: TypeOrmCrudService<Book>) {}
  @Override()
  getOne(@ParsedRequest() request: CrudRequest) {
    return this.service.getOne(request);
  }
}

export const RESOURCES = [
  books,
  watched,
  { controller: Overridden },
  resource(Book, 'scoped', {
    query,
    auth: { filter: () => ({ owner: 'ada' }) },
    routes: { deleteOneBase: { returnDeleted: true } },
  }),
  resource(Book, 'required', {
    query,
    routes: { updateOneBase: required, replaceOneBase: required, deleteOneBase: required, recoverOneBase: required },
  }),
  resource(Book, 'plain', { query: { softDelete: true } }),
  resource(Book, 'hooked', { query, service: HookedService }),
  resource(Book, 'titles', { query, params: { title: { field: 'title', type: 'string', primary: true } } }),
  resource(Book, 'loud', { query, routes: { getOneBase: { interceptors: [Loud] } } }),
];
