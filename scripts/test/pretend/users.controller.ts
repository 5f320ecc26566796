/** What examples in `docs/testing.md` import from `./users.controller.js`: the resource that they run with as tests. */
export { UsersController } from '../../../packages/crud-typeorm/test/testing-guide/users.controller.js';
