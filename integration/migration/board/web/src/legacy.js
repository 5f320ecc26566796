const { RequestQueryBuilder } = require("@nestjsx/crud-request");
const { isArrayFull } = require("@nestjsx/util");

exports.either = (titles) => {
	const query = RequestQueryBuilder.create();
	if (isArrayFull(titles)) query.setOr(titles.map((title) => ({ field: "title", operator: "eq", value: title })));

	return query.sortBy({ field: "key", order: "DESC" }).query();
};
