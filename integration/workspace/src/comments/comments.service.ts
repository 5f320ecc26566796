/** The records of /comments, from their repository: whoever writes a comment is its author. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Change } from '@nestwright/crud';
import { type ChangeContext, TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import type { Member } from '../members/member.entity.js';
import { Comment } from './comment.entity.js';

@Injectable()
export class CommentsService extends TypeOrmCrudService<Comment> {
  constructor(@InjectRepository(Comment) comments: Repository<Comment>) {
    super(comments);
  }

  override beforeChange({ kind, record }: Change<Comment>, { request }: ChangeContext): void {
    if (kind === 'create') record.authorId = (request.auth as Member).id;
  }
}
