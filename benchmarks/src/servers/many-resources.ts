/** An application that, by BENCH_RESOURCES, is empty, has 200 entities of 20 columns, or has a resource for each of them. */
import 'reflect-metadata';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
// What shows a document of its resources loads this in any case, and the library as soon as it is installed.
import '@nestjs/swagger';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IsBoolean, IsDateString, IsInt, IsOptional, IsString } from 'class-validator';
import { Column, type ColumnType, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { typeOrmOptions } from '../domain/connection.js';
import { serve } from './serve.js';

const RESOURCES = 200;
const COLUMNS = 20;

/** Types of columns, with their class in JavaScript and their validator; the columns of an entity take turns. */
const KINDS: [ColumnType, new (...parameters: never[]) => unknown, () => PropertyDecorator][] = [
  ['varchar', String, IsString],
  ['int', Number, IsInt],
  ['boolean', Boolean, IsBoolean],
  ['timestamptz', Date, IsDateString],
  ['text', String, IsString],
];

/** Decorates as the compiler does: the last decorator first. */
function column(target: Type<object>, name: string, place: number): void {
  const [type, design, validator] = KINDS[place % KINDS.length]!;

  Reflect.defineMetadata('design:type', design, target.prototype, name);
  Column({ type, nullable: true })(target.prototype, name);
  validator()(target.prototype, name);
  IsOptional()(target.prototype, name);
}

function entity(number: number): Type<object> {
  const target = { [`Thing${number}`]: class {} }[`Thing${number}`]!;

  Reflect.defineMetadata('design:type', Number, target.prototype, 'id');
  PrimaryGeneratedColumn()(target.prototype, 'id');
  for (let place = 1; place < COLUMNS; place++) column(target, `column${place}`, place);
  Entity(`things_${number}`)(target);
  return target;
}

const { BENCH_RESOURCES: kind } = process.env;
const entities = kind === 'empty' ? [] : Array.from({ length: RESOURCES }, (_, number) => entity(number));
// An application without resources does not load the library either.
const { resource } = kind === 'resources' ? await import('./resource.js') : {};
const resources = resource ? entities.map(resource) : [];

@Module({
  imports: [TypeOrmModule.forRoot({ ...typeOrmOptions(), entities }), TypeOrmModule.forFeature(entities)],
  controllers: resources.map(({ controller }) => controller),
  providers: resources.map(({ service }) => service),
})
class AppModule {}

await serve(await NestFactory.create(AppModule, { logger: ['error', 'fatal'] }));
