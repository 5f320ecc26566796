/** Serves the users, without any optional peer, and tells the port to the process that started it. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import sqljs from 'sql.js';
import { User } from './user.entity.js';
import { UsersController, UsersService } from './users.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', driver: sqljs, entities: [User], synchronize: true, retryAttempts: 0 }),
    TypeOrmModule.forFeature([User]),
  ],
  providers: [UsersService],
  controllers: [UsersController],
})
class AppModule {}

async function serve(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });

  await app.listen(0);
  const { port } = app.getHttpServer().address() as { port: number };
  process.send?.({ port });
}

void serve();
