import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CrudRequestOptions } from '@nestjsx/crud/lib/interfaces';
import type { ParsedRequestParams } from '@nestjsx/crud-request';
import { TypeOrmCrudService } from '@nestjsx/crud-typeorm';
import { isStringFull } from '@nestjsx/util';
import { type DeepPartial, Repository } from 'typeorm';
import { Post } from '../entities';

@Injectable()
export class PostsService extends TypeOrmCrudService<Post> {
  constructor(@InjectRepository(Post) posts: Repository<Post>) {
    super(posts);
  }

  /** A post without a slug gets one. */
  protected override prepareEntityBeforeSave(dto: DeepPartial<Post>, parsed: ParsedRequestParams) {
    const post = super.prepareEntityBeforeSave(dto, parsed as never);
    if (post && !isStringFull(post.slug)) post.slug = post.title?.toLowerCase().replaceAll(' ', '-') ?? null;

    return post;
  }

  /** Nobody reads what is called a secret. */
  override async createBuilder(parsed: ParsedRequestParams, options: CrudRequestOptions, many?: boolean, withDeleted?: boolean) {
    const builder = await super.createBuilder(parsed, options, many, withDeleted);

    return builder.andWhere(`${builder.alias}.title <> :secret`, { secret: 'secret' });
  }
}
