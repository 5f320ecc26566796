/** Parses and prints one typical list query with three packages in one run; fails where ours is not five times as fast as each of the others. */
import { createRequire } from 'node:module';
import * as nestwright from './dist/nestwright.js';

const require = createRequire(import.meta.url);
const packages = {
  nestwright,
  dataui: require('@dataui/crud-request'),
  nestjsx: require('@nestjsx/crud-request'),
};

/** Three filters, a join, two sorts, limit and page, as a framework's query parser hands them over. */
const QUERY = {
  filter: ['name||$contL||ann', 'age||$gte||18', 'company.name||$in||Acme,Initech,Hooli'],
  join: 'company||name,domain',
  sort: ['name,ASC', 'id,DESC'],
  limit: '20',
  page: '3',
};
const PARTS = {
  filter: [
    { field: 'name', operator: '$contL', value: 'ann' },
    { field: 'age', operator: '$gte', value: 18 },
    { field: 'company.name', operator: '$in', value: ['Acme', 'Initech', 'Hooli'] },
  ],
  join: { field: 'company', select: ['name', 'domain'] },
  sort: [
    { field: 'name', order: 'ASC' },
    { field: 'id', order: 'DESC' },
  ],
  limit: 20,
  page: 3,
};
const TASKS = {
  parse: ({ RequestQueryParser }) => RequestQueryParser.create().parseQuery(QUERY).getParsed(),
  print: ({ RequestQueryBuilder }) => RequestQueryBuilder.create(PARTS).query(),
};
const ROUNDS = 15;
const ROUND = 20_000;
const FACTOR = 5;

/** Best time of one call in microseconds. The packages take turns, so that a busy machine slows all of them. */
function measure(task) {
  const best = Object.fromEntries(Object.keys(packages).map((name) => [name, Infinity]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, api] of Object.entries(packages)) {
      const start = performance.now();
      for (let call = 0; call < ROUND; call++) task(api);

      best[name] = Math.min(best[name], ((performance.now() - start) * 1000) / ROUND);
    }
  }
  return best;
}

let missed = false;
for (const [name, task] of Object.entries(TASKS)) {
  const best = measure(task);
  const line = Object.entries(best).map(([api, time]) => {
    const factor = time / best.nestwright;
    missed ||= api !== 'nestwright' && factor < FACTOR;
    return `${api} ${time.toFixed(2)} µs (${factor.toFixed(1)}×)`;
  });
  console.log(`${name}: ${line.join(', ')}`);
}
process.exitCode = missed ? 1 : 0;
