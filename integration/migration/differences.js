/** Where an application answers otherwise after its move: application, request, and the words of docs/migration.md that tell it. */
export const DIFFERENCES = [
  {
    told: 'A condition or sort that names a relation with an `alias` by its path',
    application: 'blog',
    asked: /GET \/posts\?join=author\|\|name&filter=author/,
  },
  {
    told: '**DELETE with `returnDeleted`** answers with the record as GET shows it',
    application: 'shop',
    asked: /DELETE \/companies\/1\/products\/2$/,
  },
  { told: '**Scope holds on writes**', application: 'shop', asked: /PUT \/companies\/2\/products\/1/ },
  { told: 'but creates no record: one that is not there is a 404', application: 'board', asked: /PUT \/cards\/new/ },
];
