import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Comment, Post, User } from './entities';
import { CommentsController, CommentsService, UsersController, UsersService } from './people';
import { PostsController } from './posts/posts.controller';
import { PostsService } from './posts/posts.service';

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [Comment, Post, User], synchronize: true, retryAttempts: 0 }),
    TypeOrmModule.forFeature([Comment, Post, User]),
  ],
  controllers: [CommentsController, PostsController, UsersController],
  providers: [CommentsService, PostsService, UsersService],
})
export class AppModule {}
