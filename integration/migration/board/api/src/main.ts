import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { NestExpressApplication } from "@nestjs/platform-express";
import { TypeOrmModule } from "@nestjs/typeorm";
import { Card } from "./card.entity";
import { CardsController } from "./cards.controller";
import { CardsService } from "./cards.service";

@Module({
	imports: [
		TypeOrmModule.forRoot({ type: "sqljs", entities: [Card], synchronize: true, retryAttempts: 0 }),
		TypeOrmModule.forFeature([Card]),
	],
	controllers: [CardsController],
	providers: [CardsService],
})
class BoardModule {}

export async function bootstrap(port: number): Promise<NestExpressApplication> {
	const app = await NestFactory.create<NestExpressApplication>(BoardModule, { logger: ["error", "warn"], abortOnError: false });
	// Express 5 reads no brackets by itself, which the query builder prints.
	app.set("query parser", "extended");
	await app.listen(port, "127.0.0.1");

	return app;
}
