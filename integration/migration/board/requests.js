/** What is asked of the board, most of it by the queries of its front end. */
export function requests(load) {
  const { open, page, search } = load('web/src/queries.js');
  const { either } = load('web/src/legacy.js');

  return [
    ['POST', '/cards', { key: 'a', title: 'Paint it', weight: 3 }],
    ['POST', '/cards/bulk', {
      bulk: [
        { key: 'b', title: 'Sand it', weight: 1, assignee: 'ann' },
        { key: 'c', title: 'Sell it', weight: 2, assignee: 'all', done: true },
        { key: 'd', title: 'Buy paint', weight: 8, assignee: 'ann' },
        { key: 'hidden', title: 'Nobody sees it', weight: 99 },
      ],
    }],
    ['GET', `/cards?${open(null)}`],
    ['GET', `/cards?${open('ann')}`],
    ['GET', `/cards?${page(1)}`],
    ['GET', `/cards?${page(2)}`],
    ['GET', `/cards?${search('PAINT', 8)}`],
    ['GET', `/cards?${either(['Sand it', 'Sell it'])}`],
    ['GET', `/cards?${either([])}`],
    ['GET', '/cards'],
    ['GET', '/cards/b'],
    ['GET', '/cards/hidden'],
    ['PATCH', '/cards/b', { done: true, title: 'Sanded' }],
    ['PUT', '/cards/c', { title: 'Sold', weight: 5 }],
    ['DELETE', '/cards/d'],
    ['DELETE', '/cards/d'],
    ['GET', '/cards?sort=key,ASC&cache=0'],
    ['PUT', '/cards/new', { title: 'New' }],
  ];
}
