import { Controller, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Crud, CrudController } from '@nestjsx/crud';
import { Repository } from 'typeorm';
import { Counting } from './common/counting';
import { Comment, User } from './entities';

@Injectable()
export class UsersService extends Counting<User>() {
  constructor(@InjectRepository(User) repo: Repository<User>) {
    super(repo);
  }
}

@Crud({
  model: { type: User },
  query: { exclude: ['password'], join: { posts: { exclude: ['deletedAt'] } }, alwaysPaginate: true, limit: 3 },
})
@Controller('users')
export class UsersController implements CrudController<User> {
  constructor(public service: UsersService) {}
}

@Injectable()
export class CommentsService extends Counting<Comment>() {
  constructor(@InjectRepository(Comment) repo: Repository<Comment>) {
    super(repo);
  }
}

@Crud({
  model: { type: Comment },
  params: { postId: { field: 'postId', type: 'number' }, id: { field: 'id', type: 'number', primary: true } },
  routes: { exclude: ['replaceOneBase'], deleteOneBase: { returnDeleted: true } },
})
@Controller('posts/:postId/comments')
export class CommentsController implements CrudController<Comment> {
  constructor(public service: CommentsService) {}
}
