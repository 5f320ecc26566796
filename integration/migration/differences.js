/** Where an application answers otherwise after its move: application, request, and the words of docs/migration.md that tell it. */
export const DIFFERENCES = [
  {
    told: 'A condition or sort may use the path of a relation with an `alias`',
    application: 'blog',
    asked: /GET \/posts\?join=author\|\|name&filter=author/,
  },
  {
    told: '**DELETE with `returnDeleted`** returns the record as GET shows it',
    application: 'shop',
    asked: /DELETE \/companies\/1\/products\/2$/,
  },
  { told: '**Scope applies to writes**', application: 'shop', asked: /PUT \/companies\/2\/products\/1/ },
  {
    told: 'but it creates no record: one that does not exist is a 404',
    application: 'board',
    asked: /PUT \/cards\/new/,
  },
];
