/** What an example of `docs/services.md` imports from `./members.service.js`: the example before it. */
export { MembersService } from '../../../packages/crud-typeorm/test/services-guide/members.service.js';
