/** What examples in the documentation import from `./company.entity.js`: the entity with which some of them run as tests. */
export { Company } from '../../../packages/crud-typeorm/test/services-guide/user.entity.js';
