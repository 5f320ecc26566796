import { Controller, Get, UseInterceptors } from '@nestjs/common';
import {
  Action,
  Crud,
  CrudActions,
  CrudController,
  CrudRequest,
  Feature,
  getAction,
  getFeature,
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestjsx/crud';
import { CrudRoutesFactory } from '@nestjsx/crud/lib/crud';
import { PageSizeInterceptor } from '../common/page-size.interceptor';
import { Post } from '../entities';
import { PostsService } from './posts.service';

@Feature('posts')
@UseInterceptors(PageSizeInterceptor)
@Crud({
  model: { type: Post },
  query: {
    softDelete: true,
    maxLimit: 50,
    join: { author: { alias: 'writer', exclude: ['password'] }, comments: {} },
    sort: [{ field: 'id', order: 'DESC' }],
  },
  routes: { updateOneBase: { returnShallow: true }, recoverOneBase: { returnRecovered: true } },
})
@Controller('posts')
export class PostsController implements CrudController<Post> {
  constructor(public service: PostsService) {}

  get base(): CrudController<Post> {
    return this;
  }

  /** Which class makes the routes, and what these are called. */
  @Get('about')
  @Action(CrudActions.ReadAll)
  about() {
    return [
      CrudRoutesFactory.name,
      getFeature(PostsController),
      getAction(PostsController.prototype.about),
    ];
  }

  @Override()
  getMany(@ParsedRequest() req: CrudRequest) {
    req.parsed.search = { $and: [req.parsed.search, { published: true }] };

    return this.base.getManyBase!(req);
  }

  @Override('createOneBase')
  write(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Post) {
    return this.base.createOneBase!(req, { ...dto, published: dto.published ?? true } as Post);
  }
}
