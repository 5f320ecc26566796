/** What examples in the documentation import from `./broker.js`: what some of them run with as tests. */
export { Broker } from '../../../packages/crud-typeorm/test/hooks-guide/broker.js';
