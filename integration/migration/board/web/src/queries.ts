import { CondOperator, RequestQueryBuilder } from "@nestjsx/crud-request";
import { ClassType, isNil } from "@nestjsx/util";

/** A screen that lists what a class describes. */
export interface Screen {
	readonly of: ClassType<unknown>;
}

export function open(assignee: string | null): string {
	const query = RequestQueryBuilder.create({ fields: ["title", "weight"] }).setFilter({
		field: "done",
		operator: CondOperator.EQUALS,
		value: false,
	});
	if (!isNil(assignee)) query.setFilter({ field: "assignee", operator: "$in", value: [assignee, "all"] });

	return query.sortBy([{ field: "weight", order: "DESC" }, { field: "key", order: "ASC" }]).query();
}

export function page(number: number): string {
	return RequestQueryBuilder.create().setPage(number).setLimit(2).sortBy(["key", "ASC"]).resetCache().query();
}

export function search(text: string, weight: number): string {
	return RequestQueryBuilder.create()
		.search({ $or: [{ title: { $contL: text } }, { weight: { $gte: weight } }] })
		.sortBy({ field: "key", order: "ASC" })
		.query(false);
}
