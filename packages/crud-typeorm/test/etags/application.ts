/** The resources of the suites about entity tags. */
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { map } from 'rxjs';
import {
  Crud,
  CrudAuth,
  type CrudOptions,
  type CrudRequest,
  CrudResponseInterceptor,
  Override,
  ParsedRequest,
} from '@nestwright/crud';
import {
  Column,
  type DataSource,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { TypeOrmCrudService } from '../../src/index.js';

@Entity('etag_shelf')
export class Shelf {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'varchar' })
  name!: string;
}

@Entity('etag_book')
export class Book {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @Column({ type: 'varchar', nullable: true })
  title!: string | null;

  @Column({ type: 'float', nullable: true })
  weight!: number | null;

  @Column({ type: 'varchar', select: false, nullable: true })
  note!: string | null;

  @Column({ type: 'varchar', default: 'ada' })
  owner!: string;

  @Column({ type: 'int', nullable: true })
  shelfId!: number | null;

  @ManyToOne(() => Shelf)
  @JoinColumn({ name: 'shelfId' })
  shelf!: Relation<Shelf> | null;

  @DeleteDateColumn()
  deletedAt!: Date | null;
}

@Injectable()
export class BooksService extends TypeOrmCrudService<Book> {}

@Injectable()
export class HookedService extends TypeOrmCrudService<Book> {
  override async createBuilder(...asked: Parameters<TypeOrmCrudService<Book>['createBuilder']>) {
    return (await super.createBuilder(...asked)).andWhere(`Book.owner <> 'nobody'`);
  }
}

const QUERY = { etag: true, softDelete: true, join: { shelf: {} } } as const;
const OPTIONS: CrudOptions<Book> = { model: { type: Book }, query: QUERY };
const REQUIRED = { requireMatch: true };

@Crud(OPTIONS)
@Controller('books')
class Books {
  constructor(readonly service: BooksService) {}
}

@Crud({ ...OPTIONS, routes: { deleteOneBase: { returnDeleted: true } } })
@CrudAuth({ filter: () => ({ owner: 'ada' }) })
@Controller('scoped')
class Scoped {
  constructor(readonly service: BooksService) {}
}

@Crud({
  ...OPTIONS,
  routes: {
    updateOneBase: REQUIRED,
    replaceOneBase: REQUIRED,
    deleteOneBase: REQUIRED,
    recoverOneBase: REQUIRED,
  },
})
@Controller('required')
class Required {
  constructor(readonly service: BooksService) {}
}

@Crud({ model: { type: Book }, query: { softDelete: true } })
@Controller('plain')
class Plain {
  constructor(readonly service: BooksService) {}
}

@Crud(OPTIONS)
@Controller('hooked')
class Hooked {
  constructor(readonly service: HookedService) {}
}

@Crud(OPTIONS)
@Controller('overridden')
class Overridden {
  constructor(readonly service: BooksService) {}

  @Override()
  getOne(@ParsedRequest() request: CrudRequest) {
    return this.service.getOne(request);
  }
}

@Crud({ model: { type: Book }, query: QUERY, params: { title: { field: 'title', type: 'string', primary: true } } })
@Controller('titles')
class Titles {
  constructor(readonly service: BooksService) {}
}

/** Counts on getting a record. */
class Watch implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((book: Book) => ({ ...book, length: book.title!.length })));
  }
}

@Crud(OPTIONS)
@UseInterceptors(Watch)
@Controller('watched')
class Watched {
  constructor(readonly service: BooksService) {}
}

class Loud extends CrudResponseInterceptor {
  protected override transform(dto: unknown, book: Book): unknown {
    return { ...(super.transform(dto, book) as Book), title: book.title?.toUpperCase() };
  }
}

@Crud({ ...OPTIONS, routes: { getOneBase: { interceptors: [Loud] } } })
@Controller('loud')
class LoudBooks {
  constructor(readonly service: BooksService) {}
}

export const CONTROLLERS = [Books, Scoped, Required, Plain, Hooked, Overridden, Titles, Watched, LoudBooks];

export const providersOf = (source: DataSource) => [
  { provide: BooksService, useValue: new BooksService(source.getRepository(Book)) },
  { provide: HookedService, useValue: new HookedService(source.getRepository(Book)) },
];
