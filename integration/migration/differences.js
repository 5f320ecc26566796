/** Where an application answers otherwise after its move: application, request, and the words of docs/migration-*.md that tell it. */
export const DIFFERENCES = [
  {
    told: 'conditions and sorts use the alias | the alias or the path',
    application: 'blog',
    asked: /GET \/posts\?join=author\|\|name&filter=author/,
  },
  {
    told: 'returns the record as GET shows it',
    application: 'shop',
    asked: /DELETE \/companies\/1\/products\/2$/,
  },
  {
    told: 'the stored record must still satisfy path and `@CrudAuth.filter`',
    application: 'shop',
    asked: /PUT \/companies\/2\/products\/1/,
  },
  {
    told: 'It creates no record: one that does not exist is a 404',
    application: 'board',
    asked: /PUT \/cards\/new/,
  },
];
