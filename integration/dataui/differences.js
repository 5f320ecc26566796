/** Where this library answers a body otherwise than @dataui/crud: way and place of the bodies, what becomes of them there and here, and the words of docs/migration-writes.md that tell it. */
const skipping = /"skip(Missing|Null|Undefined)Properties"/;
const otherGroups = /("strictGroups"|"groups")/;

export const DIFFERENCES = [
  {
    told: 'rule on the model without a group | ignored | applies; on PATCH only to properties in the body',
    where: /model, .*against a rule without group/,
    change: 'stored → refused',
  },
  {
    told: 'validated in the group CREATE, or as `dto.replace`',
    where: /model, PUT, (missing|null|empty|a key that is none)/,
    change: 'stored → refused',
  },
  {
    told: 'the same as of single bodies',
    where: new RegExp(`^(no pipe|.*${otherGroups.source}.*|.*${skipping.source}.*): dto, bulk, `),
    change: 'stored → refused',
  },
  { told: 'each item must be a non-empty object', where: /bulk, a list/, change: 'stored → refused' },
  {
    told: 'property that a class in `dto` does not declare | stored | dropped',
    // There the database refuses the key.
    where: /dto, (POST|bulk), a key that is none/,
    change: 'fault → stored',
  },
  {
    told: 'dropped and not rejected, even with `forbidNonWhitelisted`',
    where: /dto, \w+, a key (of its own|that is none)/,
    change: 'refused → stored',
  },
  {
    told: "does not reject a PUT or PATCH that repeats the record's own key",
    where: /model, (PATCH|PUT), a key of its own/,
    change: 'refused → stored',
  },
  {
    told: 'It uses the groups of the route. It validates bulk bodies item by item',
    // There the pipe asks rules of all groups, or of none of the route's; and is given the bulk as a whole.
    where: new RegExp(
      `model, PATCH, a key that is none|${otherGroups.source}.*: model, PATCH, (missing|null|empty)|own transform: \\w+, bulk, spaces about it`,
    ),
    change: 'refused → stored',
  },
  {
    told: 'A pipe with `skipMissingProperties` or a similar option also applies to generated bodies',
    where: new RegExp(`${skipping.source}.*: \\w+, \\w+, (missing|null|empty)`),
    change: 'refused → stored',
  },
];
