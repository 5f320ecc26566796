/** The records of /comments, from their repository: whoever writes a comment is its author. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CreateManyDto, CrudRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import type { Member } from '../members/member.entity.js';
import { Comment } from './comment.entity.js';

@Injectable()
export class CommentsService extends TypeOrmCrudService<Comment> {
  constructor(@InjectRepository(Comment) comments: Repository<Comment>) {
    super(comments);
  }

  override createOne(request: CrudRequest, comment: Partial<Comment>): Promise<Comment> {
    return super.createOne(request, byMember(request, comment));
  }

  override createMany(request: CrudRequest, { bulk }: CreateManyDto<Partial<Comment>>): Promise<Comment[]> {
    return super.createMany(request, { bulk: bulk.map((comment) => byMember(request, comment)) });
  }
}

function byMember(request: CrudRequest, comment: Partial<Comment>): Partial<Comment> {
  const { id } = request.auth as Member;

  return { ...comment, authorId: id, author: undefined };
}
