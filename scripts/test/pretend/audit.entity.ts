/** What examples in the documentation import from `./audit.entity.js`: what some of them run with as tests. */
export { Audit } from '../../../packages/crud-typeorm/test/hooks-guide/audit.entity.js';
