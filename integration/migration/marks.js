/** What the command tells a person to look at, by application: what, and below it where. */
export const MARKS = {
  blog: [
    'verbs of services throw an HttpException now, whose cause is the QueryFailedError',
    'src/common/unique.filter.ts:5',
  ],
  shop: [],
  board: [
    "web/package.json: where its server still runs upstream, tell the query builder to print as before: setOptions({ arrayFormat: 'indices', paramNamesMap: { includeDeleted: 'include_deleted' } })",
  ],
};
