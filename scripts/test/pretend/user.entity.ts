/** What examples in the documentation import from `./user.entity.js`: the entities with which some of them run as tests. */
export { Company, User } from '../../../packages/crud-typeorm/test/services-guide/user.entity.js';
