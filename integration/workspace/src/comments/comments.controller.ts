/** /comments: what is said about the tasks of the member's tenant. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { TenantResource } from '../auth/tenant-resource.js';
import { Comment } from './comment.entity.js';
import { CommentsService } from './comments.service.js';

@Crud({
  model: { type: Comment },
  query: { cursor: true, join: { task: {}, author: {} } },
  routes: { updateManyBase: true, deleteManyBase: true },
})
@TenantResource('task', 'author')
@ApiTags('comments')
@Controller('comments')
export class CommentsController implements CrudController<Comment> {
  constructor(public service: CommentsService) {}
}
