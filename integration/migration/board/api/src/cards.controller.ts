import { Controller } from "@nestjs/common";
import { Crud, CrudController, CrudRequest, Override, ParsedRequest } from "@nestjsx/crud";
import { RequestQueryBuilder, RequestQueryParser } from "@nestjsx/crud-request";
import { Card } from "./card.entity";
import { CardsService } from "./cards.service";

@Crud({
	model: { type: Card },
	params: { key: { field: "key", type: "string", primary: true } },
	query: { filter: { key: { $ne: "hidden" } } },
	validation: false,
})
@Controller("cards")
export class CardsController implements CrudController<Card> {
	constructor(public service: CardsService) {}

	get base(): CrudController<Card> {
		return this;
	}

	/** Cards of nobody stand in front, unless the client sorts. */
	@Override()
	getMany(@ParsedRequest() req: CrudRequest) {
		const parser = RequestQueryParser.create();
		const query = RequestQueryBuilder.create().sortBy({ field: "assignee", order: "ASC" }).queryObject;
		parser.parseQuery(query as never);
		if (req.parsed.sort.length === 0) req.parsed.sort = parser.getParsed().sort;

		return this.base.getManyBase!(req);
	}
}
