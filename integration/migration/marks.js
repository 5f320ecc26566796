/** What the command tells a person to look at, by application. */
export const MARKS = {
  blog: [
    'src/common/unique.filter.ts:5 verbs of services throw an HttpException now, whose cause is the QueryFailedError',
  ],
  shop: [],
  board: [],
};
