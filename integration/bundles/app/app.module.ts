/** The users, in a database in memory. */
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import sqljs from 'sql.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'sqljs',
      driver: sqljs,
      entities: [User],
      synchronize: true,
      retryAttempts: 0,
    }),
    TypeOrmModule.forFeature([User]),
  ],
  providers: [UsersService],
  controllers: [UsersController],
})
export class AppModule {}
