/** Serves the users from a database in memory, and tells its port to the process that started it. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { TypeOrmModule } from '@nestjs/typeorm';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [User], synchronize: true, retryAttempts: 0 }),
    TypeOrmModule.forFeature([User]),
  ],
  providers: [UsersService],
  controllers: [UsersController],
})
class AppModule {}

async function serve(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, new DocumentBuilder().build()), {
    ui: false,
  });

  await app.listen(0);
  const { port } = app.getHttpServer().address() as { port: number };
  process.send?.({ port });
}

void serve();
