/** Where this library answers a body otherwise than @dataui/crud: way and place of the bodies, what becomes of them there and here, and the words of docs/migration.md that tell it. */
const skipping = /"skip(Missing|Null|Undefined)Properties"/;
const otherGroups = /("strictGroups"|"groups")/;

export const DIFFERENCES = [
  {
    told: '**Rules on the model without a group are asked**, on PATCH of what the body carries',
    where: /model, .*against a rule without group/,
    change: 'stored → refused',
  },
  {
    told: 'it is validated in the group CREATE, or as `dto.replace`',
    where: /model, PUT, (missing|null|empty|a key that is none)/,
    change: 'stored → refused',
  },
  {
    told: '**A bulk is validated as single bodies are**',
    where: new RegExp(`^(no pipe|.*${otherGroups.source}.*|.*${skipping.source}.*): dto, bulk, `),
    change: 'stored → refused',
  },
  { told: 'Each item must be an object, and not an empty one', where: /bulk, a list/, change: 'stored → refused' },
  {
    told: '**A class in `dto` is a whitelist**',
    // There the database refuses the key.
    where: /dto, (POST|bulk), a key that is none/,
    change: 'fault → stored',
  },
  {
    told: '**Keys and columns that a body cannot set** are dropped and not refused, also under `forbidNonWhitelisted`',
    where: /dto, \w+, a key (of its own|that is none)/,
    change: 'refused → stored',
  },
  {
    told: "A rule against the key does not refuse a PUT or PATCH that repeats the record's own",
    where: /model, (PATCH|PUT), a key of its own/,
    change: 'refused → stored',
  },
  {
    told: 'but in the groups of the route, item by item in bulk',
    // There the pipe asks rules of all groups, or of none of the route's; and is given the bulk as a whole.
    where: new RegExp(
      `model, PATCH, a key that is none|${otherGroups.source}.*: model, PATCH, (missing|null|empty)|own transform: \\w+, bulk, spaces about it`,
    ),
    change: 'refused → stored',
  },
  {
    told: 'a pipe with `skipMissingProperties` or one of its siblings now spares generated bodies as it spares others',
    where: new RegExp(`${skipping.source}.*: \\w+, \\w+, (missing|null|empty)`),
    change: 'refused → stored',
  },
];
