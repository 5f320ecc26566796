/** What examples in the documentation import from `./user.entity.js`: the entity with which some of them run as tests. */
export { User } from '../../../packages/crud-typeorm/test/services-guide/user.entity.js';
