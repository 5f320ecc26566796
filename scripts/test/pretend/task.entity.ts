/** What examples in the documentation import from `./task.entity.js`: what some of them run with as tests. */
export { Task } from '../../../packages/crud-typeorm/test/hooks-guide/task.entity.js';
