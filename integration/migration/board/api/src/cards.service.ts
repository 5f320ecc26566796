import { Injectable } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { GetManyDefaultResponse } from "@nestjsx/crud";
import { TypeOrmCrudService } from "@nestjsx/crud-typeorm";
import { Repository } from "typeorm";
import { Card } from "./card.entity";

@Injectable()
export class CardsService extends TypeOrmCrudService<Card> {
	constructor(@InjectRepository(Card) cards: Repository<Card>) {
		super(cards);
	}

	/** A page tells how much work it is. */
	override createPageInfo(data: Card[], total: number, limit: number, offset: number): GetManyDefaultResponse<Card> {
		const weight = data.reduce((sum, card) => sum + (card.weight ?? 0), 0);

		return { ...super.createPageInfo(data, total, limit, offset), weight } as GetManyDefaultResponse<Card>;
	}
}
