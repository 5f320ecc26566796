/** Where this library answers a body otherwise than @dataui/crud: way and place of the bodies, what becomes of them there and here, and the words of docs/migration.md that tell it. */
const skipping = /"skip(Missing|Null|Undefined)Properties"/;
const otherGroups = /("strictGroups"|"groups")/;

export const DIFFERENCES = [
  {
    told: '**Rules on the model without a group apply**, on PATCH to the properties in the body',
    where: /model, .*against a rule without group/,
    change: 'stored → refused',
  },
  {
    told: 'it is validated in the group CREATE, or as `dto.replace`',
    where: /model, PUT, (missing|null|empty|a key that is none)/,
    change: 'stored → refused',
  },
  {
    told: '**Bulk bodies are validated like single bodies**',
    where: new RegExp(`^(no pipe|.*${otherGroups.source}.*|.*${skipping.source}.*): dto, bulk, `),
    change: 'stored → refused',
  },
  { told: 'Each item must be a non-empty object', where: /bulk, a list/, change: 'stored → refused' },
  {
    told: '**A class in `dto` is a whitelist**',
    // There the database refuses the key.
    where: /dto, (POST|bulk), a key that is none/,
    change: 'fault → stored',
  },
  {
    told: '**Keys and columns that a body cannot set** are dropped and not rejected, even with `forbidNonWhitelisted`',
    where: /dto, \w+, a key (of its own|that is none)/,
    change: 'refused → stored',
  },
  {
    told: "A rule against the key does not reject a PUT or PATCH that repeats the record's own key",
    where: /model, (PATCH|PUT), a key of its own/,
    change: 'refused → stored',
  },
  {
    told: 'but with the groups of the route, item by item in bulk bodies',
    // There the pipe asks rules of all groups, or of none of the route's; and is given the bulk as a whole.
    where: new RegExp(
      `model, PATCH, a key that is none|${otherGroups.source}.*: model, PATCH, (missing|null|empty)|own transform: \\w+, bulk, spaces about it`,
    ),
    change: 'refused → stored',
  },
  {
    told: 'A pipe with `skipMissingProperties` or a similar option now applies to generated bodies as it does to others',
    where: new RegExp(`${skipping.source}.*: \\w+, \\w+, (missing|null|empty)`),
    change: 'refused → stored',
  },
];
