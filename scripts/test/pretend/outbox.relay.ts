/** What examples in the documentation import from `./outbox.relay.js`: what some of them run with as tests. */
export { OutboxRelay } from '../../../packages/crud-typeorm/test/hooks-guide/outbox.relay.js';
