/** What examples in the documentation import from `./outbox.entity.js`: what some of them run with as tests. */
export { OutboxMessage } from '../../../packages/crud-typeorm/test/hooks-guide/outbox.entity.js';
